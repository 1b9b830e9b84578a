//! `CustomData` written by cloud-init and by Ignition: the same files with the same modes and owners.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use aks_node_controller::configuration::LIMIT;
use aks_node_controller::delivery::{Compression, Delivery, Form, Request, Route};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use serde_json::Value;

use super::{PYTHON, ROOT, custom_data, examples, for_each, has_module, request, run};
use crate::support::{Scratch, finish, machine, needs, write_program};

pub(super) const IGNITION: &str = "/usr/lib/dracut/modules.d/30ignition/ignition";

const FAMILIES: [&str; 6] = ["ubuntu", "azurelinux", "mariner", "osguard", "flatcar", "acl"];

fn delivery(os: &str) -> Delivery {
    let (_, configuration) = examples().swap_remove(0);
    let request = Request { route: Route::Scripted, ..request(Route::Scripted, os) };
    request.render(&configuration).expect("an example renders")
}

/// Mode, owner, group and content of a file.
pub(super) type Written = (u32, [u32; 2], String);

const ROOT_USER: [u32; 2] = [0, 0];

/// Every file below a directory.
pub(super) fn files(directory: &Path) -> BTreeMap<String, Written> {
    fn walk(root: &Path, directory: &Path, found: &mut BTreeMap<String, Written>) {
        for entry in fs::read_dir(directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(root, &path, found);
            } else {
                let is = fs::metadata(&path).expect("there");
                let name = path.strip_prefix(root).expect("below").display().to_string();
                let content = fs::read_to_string(&path).expect("text");
                found.insert(name, (is.permissions().mode() & 0o7777, [is.uid(), is.gid()], content));
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(directory, directory, &mut found);
    found
}

/// Checks that two programs have written the same files. The message does not have the contents, which are long.
#[track_caller]
fn assert_same(found: &BTreeMap<String, Written>, wanted: &BTreeMap<String, Written>, name: &str) {
    let without_content = |files: &BTreeMap<String, Written>| -> Vec<_> {
        files.iter().map(|(path, (mode, owner, _))| (path.clone(), format!("{mode:o}"), *owner)).collect()
    };
    assert_eq!(without_content(found), without_content(wanted), "{name}");
    for (path, file) in found {
        assert!(*file == wanted[path], "{name}: {path} has another content");
    }
}

/// The scripts of an image.
fn by_bake(os: &str) -> BTreeMap<String, Written> {
    let scratch = Scratch::new("judged");
    let mut bake = Command::new(env!("CARGO_BIN_EXE_aks-node-controller"));
    let ended = finish(bake.args(["bake", "--os", os, "--root"]).arg(&*scratch));
    assert!(ended.status.success(), "{os}: {}", String::from_utf8_lossy(&ended.stderr));
    let containers = scratch.join("opt/azure/containers");
    // This program is no text.
    fs::remove_file(containers.join("aks-node-controller")).expect("an image has it");
    files(&containers).into_iter().map(|(name, file)| (format!("opt/azure/containers/{name}"), file)).collect()
}

/// The files as cloud-init writes them: those of a cloud-config.
fn written_by_cloud_init(document: &str) -> BTreeMap<String, Written> {
    let scratch = Scratch::new("judged");
    let script = format!("{ROOT}/tests/judges/write_files.py");
    let directory = scratch.display().to_string();
    let ended = run(PYTHON, &[&script, &directory], document.as_bytes());
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    files(&scratch)
}

fn by_cloud_init(os: &str) -> BTreeMap<String, Written> {
    let packed = STANDARD.decode(delivery(os).custom_data.encoded.expose()).expect("base64");
    let mut document = String::new();
    GzDecoder::new(&*packed).read_to_string(&mut document).expect("gzip");
    written_by_cloud_init(&document)
}

/// An empty root below which Ignition has applied a document.
pub(super) struct Ignited {
    scratch: Scratch,
    pub(super) root: PathBuf,
}

impl Ignited {
    pub(super) fn new(custom_data: &str) -> Self {
        let scratch = Scratch::new("judged");
        let document = STANDARD.decode(custom_data).expect("base64");
        let mut document: Value = serde_json::from_slice(&document).expect("JSON, not compressed as a whole");
        // Debian's Ignition is older than 3.4.0.
        assert_eq!(document["ignition"]["version"], "3.4.0");
        document["ignition"]["version"] = "3.3.0".into();
        let (file, root) = (scratch.join("document.ign"), scratch.join("root"));
        fs::write(&file, document.to_string()).expect("written");
        fs::create_dir_all(root.join("etc/selinux")).expect("made");
        fs::write(root.join("etc/selinux/config"), "SELINUX=disabled\nSELINUXTYPE=targeted\n").expect("written");
        // Debian's build sets SELinux labels at the end, which is not checked here.
        let programs = scratch.join("bin");
        write_program(&programs.join("setfiles"), "#!/bin/sh\nexit 0\n");
        let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
        for stage in ["fetch", "files"] {
            let ended = Command::new(IGNITION)
                .args(["-platform", "file", "-stage", stage, "-log-to-stdout", "-root"])
                .arg(&root)
                .arg("-config-cache")
                .arg(scratch.join("cache"))
                .arg("-state-file")
                .arg(scratch.join("state"))
                .arg("-neednet")
                .arg(scratch.join("neednet"))
                .env("IGNITION_CONFIG_FILE", &file)
                .env("PATH", &path)
                .output()
                .expect("Ignition runs");
            assert!(ended.status.success(), "{stage}: {}", String::from_utf8_lossy(&ended.stdout));
            assert!(!scratch.join("neednet").exists(), "nothing is fetched");
        }
        // What was there, and what Ignition notes for itself.
        fs::remove_dir_all(root.join("etc/selinux")).expect("there");
        let _ = fs::remove_file(root.join("etc/.ignition-result.json"));
        Self { scratch, root }
    }

    /// The files that the unit for it extracts from the archive.
    fn extracted(&self) -> BTreeMap<String, Written> {
        let tar = self.root.join("var/lib/ignition/ignition-files.tar");
        // The command of the unit, with the directory instead of the root.
        let unit = fs::read_to_string(self.root.join("etc/systemd/system/ignition-file-extract.service"));
        let unit = unit.expect("the unit");
        let line = unit.lines().find_map(|line| line.strip_prefix("ExecStart=/usr/bin/tar ")).expect("it unpacks");
        let extracted = self.scratch.join("extracted");
        fs::create_dir(&extracted).expect("made");
        let line = line
            .replace("/var/lib/ignition/ignition-files.tar", &tar.display().to_string())
            .replace("--directory /", &format!("--directory {}", extracted.display()));
        assert!(Command::new("tar").args(line.split(' ')).status().expect("`tar` runs").success());
        files(&extracted)
    }
}

/// The files as Ignition and the unit that it enables leave them.
fn by_ignition(os: &str) -> BTreeMap<String, Written> {
    let ignited = Ignited::new(delivery(os).custom_data.encoded.expose());
    let extracted = ignited.extracted();
    let system = ignited.root.join("etc/systemd/system");
    let preset = ignited.root.join("etc/systemd/system-preset/20-ignition.preset");
    let preset = fs::read_to_string(preset).expect("units are enabled");
    for unit in ["ignition-file-extract.service", "ignition-bootcmds.service"] {
        assert!(preset.lines().any(|line| line == format!("enable {unit}")), "{os}: {preset}");
        let link = fs::read_link(system.join("sysinit.target.wants").join(unit)).ok();
        let wanted = (os == "acl").then(|| Path::new("/etc/systemd/system").join(unit));
        assert_eq!(link, wanted, "{os}");
        if wanted.is_some() {
            fs::remove_file(system.join("sysinit.target.wants").join(unit)).expect("there");
        }
        let text = fs::read_to_string(format!("{ROOT}/parts/provisioning/units/{unit}")).expect("a unit");
        let path = system.join(unit);
        let is = fs::metadata(&path).expect("there");
        let found = (is.permissions().mode() & 0o7777, [is.uid(), is.gid()], fs::read_to_string(&path).expect("text"));
        assert_eq!(found, (0o644, ROOT_USER, text), "{os}");
        fs::remove_file(path).expect("there");
    }
    fs::remove_dir_all(ignited.root.join("etc/systemd/system-preset")).expect("there");
    let tar = ignited.root.join("var/lib/ignition/ignition-files.tar");
    let is = fs::metadata(&tar).expect("the archive");
    assert_eq!((is.permissions().mode() & 0o7777, [is.uid(), is.gid()]), (0o600, ROOT_USER), "{os}");
    fs::remove_file(tar).expect("there");
    assert_same(&files(&ignited.root), &BTreeMap::new(), os);
    extracted
}

#[test]
fn cloud_init_and_ignition_write_the_same_files() {
    // Files of root are written.
    let can = needs::root() && has_module("cloudinit.config.cc_write_files", "cloud-init");
    if !can || !needs::programs(&[(IGNITION, "ignition")]) {
        return;
    }
    let mut wanted = by_cloud_init("ubuntu");
    assert_eq!(wanted.len(), 12);
    assert_eq!(wanted["etc/systemd/system/kubelet.service"].0, 0o600);
    for os in FAMILIES {
        // An image of the family has the same scripts.
        let image = by_bake(os);
        for name in ["provision_source_distro.sh", "provision_installs_distro.sh"] {
            let name = format!("opt/azure/containers/{name}");
            wanted.insert(name.clone(), image[&name].clone());
        }
        if ["flatcar", "acl"].contains(&os) {
            let mut found = by_ignition(os);
            let (mode, owner, commands) = found.remove("etc/ignition-bootcmds.sh").expect("the first commands");
            assert!(
                (mode, owner) == (0o755, ROOT_USER) && commands.starts_with("#!/bin/sh\nmkdir -p /opt/bin; "),
                "{commands}"
            );
            assert_same(&found, &wanted, os);
        } else {
            assert_same(&by_cloud_init(os), &wanted, os);
        }
    }
}

#[test]
fn ignition_writes_the_configuration_that_cloud_init_writes() {
    // Files of root are written.
    let can = needs::root() && has_module("cloudinit.config.cc_write_files", "cloud-init");
    if !can || !needs::programs(&[(IGNITION, "ignition")]) {
        return;
    }
    let mut cases = Vec::new();
    for (name, configuration) in examples() {
        // Ignition does not decompress the document, so that no choice may compress it.
        for (os, compression) in [("flatcar", Compression::Never), ("acl", Compression::Always)] {
            cases.push((
                format!("{name}, {os}"),
                Request { compression, ..request(Route::Scriptless, os) },
                configuration.clone(),
            ));
        }
    }
    for_each(&cases, |(name, with_ignition, configuration)| {
        let form = Some(Form::WriteFiles);
        let with_cloud_init = Request { form, compression: Compression::Never, ..request(Route::Scriptless, "ubuntu") };
        let cloud_config = STANDARD.decode(custom_data(&with_cloud_init, configuration)).expect("base64");
        let wanted = written_by_cloud_init(&String::from_utf8(cloud_config).expect("text"));
        let (path, (mode, owner, _)) = wanted.first_key_value().expect("the Configuration");
        assert_eq!((wanted.len(), &**path), (1, "opt/azure/containers/aks-node-controller-config.json"));
        assert_eq!((*mode, *owner), (0o600, ROOT_USER));
        let ignited = Ignited::new(&custom_data(with_ignition, configuration));
        assert_same(&files(&ignited.root), &wanted, name);
    });
}

#[test]
fn custom_data_of_every_family_is_8000_characters_below_the_limit() {
    for os in FAMILIES {
        let size = delivery(os).custom_data.encoded.expose().len();
        eprintln!("{os}: {} of {LIMIT} characters are left", LIMIT - size);
        assert!(size + 8000 <= LIMIT, "{os}: {size}");
    }
}

#[test]
fn systemd_accepts_the_units_of_the_scripted_route() {
    if !needs::programs(&[("systemd-analyze", "systemd")]) {
        return;
    }
    let scratch = Scratch::new("judged");
    // The units of images are checked in tests/units.
    for name in ["ignition-file-extract", "ignition-bootcmds"] {
        let text = fs::read_to_string(format!("{ROOT}/parts/provisioning/units/{name}.service")).expect("a unit");
        // The programs that they start do not exist on this machine.
        let text = text.replace("-/etc/ignition-bootcmds.sh", "/bin/true");
        let file = scratch.join(format!("{name}.service"));
        fs::write(&file, text).expect("written");
        let ended = machine::verify_units(&[file]);
        let complaints = String::from_utf8_lossy(&ended.stderr);
        let complaints: Vec<_> =
            complaints.lines().filter(|line| line.contains(name) && !line.contains("is not executable")).collect();
        assert!(complaints.is_empty(), "{complaints:?}");
    }
}
