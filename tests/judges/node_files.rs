//! The scripted route's `CustomData`, written by cloud-init and by Ignition: the same files with the same modes.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use aks_node_controller::configuration::LIMIT;
use aks_node_controller::delivery::{Delivery, Request, Route};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;

use super::support::{Scratch, finish, machine, needs};
use super::{PYTHON, ROOT, examples, has_module, request, run};

const IGNITION: &str = "/usr/lib/dracut/modules.d/30ignition/ignition";

const FAMILIES: [&str; 6] = ["ubuntu", "azurelinux", "mariner", "osguard", "flatcar", "acl"];

fn delivery(os: &str) -> Delivery {
    let (_, configuration) = examples().swap_remove(0);
    let request = Request { route: Route::Scripted, ..request(Route::Scripted, os) };
    request.render(&configuration).expect("an example renders")
}

/// Every file below a folder, with mode and content.
fn files(folder: &Path) -> BTreeMap<String, (u32, String)> {
    fn walk(root: &Path, folder: &Path, found: &mut BTreeMap<String, (u32, String)>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(root, &path, found);
            } else {
                let mode = fs::metadata(&path).expect("there").permissions().mode() & 0o7777;
                let name = path.strip_prefix(root).expect("below").display().to_string();
                found.insert(name, (mode, fs::read_to_string(&path).expect("text")));
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(folder, folder, &mut found);
    found
}

/// The scripts of an image.
fn by_bake(os: &str) -> BTreeMap<String, (u32, String)> {
    let scratch = Scratch::new("judged");
    let mut bake = Command::new(env!("CARGO_BIN_EXE_aks-node-controller"));
    let ended = finish(bake.args(["bake", "--os", os, "--root"]).arg(&*scratch));
    assert!(ended.status.success(), "{os}: {}", String::from_utf8_lossy(&ended.stderr));
    let containers = scratch.join("opt/azure/containers");
    // This program is no text.
    fs::remove_file(containers.join("aks-node-controller")).expect("an image has it");
    files(&containers).into_iter().map(|(name, file)| (format!("opt/azure/containers/{name}"), file)).collect()
}

/// The files as cloud-init writes them.
fn by_cloud_init(os: &str) -> BTreeMap<String, (u32, String)> {
    let scratch = Scratch::new("judged");
    let packed = STANDARD.decode(delivery(os).custom_data.encoded.expose()).expect("base64");
    let mut document = String::new();
    GzDecoder::new(&*packed).read_to_string(&mut document).expect("gzip");
    let script = format!("{ROOT}/tests/judges/write_files.py");
    let folder = scratch.display().to_string();
    let ended = run(PYTHON, &[&script, &folder], document.as_bytes());
    assert!(ended.status.success(), "{os}: {}", String::from_utf8_lossy(&ended.stderr));
    files(&scratch)
}

/// The files as Ignition and the unit that it enables leave them.
fn by_ignition(os: &str) -> BTreeMap<String, (u32, String)> {
    let scratch = Scratch::new("judged");
    let document = STANDARD.decode(delivery(os).custom_data.encoded.expose()).expect("base64");
    let document = String::from_utf8(document).expect("text").replace("\"version\":\"3.4.0\"", "\"version\":\"3.3.0\"");
    let (file, root) = (scratch.join("document.ign"), scratch.join("root"));
    fs::write(&file, document).expect("written");
    fs::create_dir_all(root.join("etc/selinux")).expect("made");
    fs::write(root.join("etc/selinux/config"), "SELINUX=disabled\nSELINUXTYPE=targeted\n").expect("written");
    // Debian's build sets SELinux labels at the end, which is not checked here.
    let programs = scratch.join("bin");
    fs::create_dir(&programs).expect("made");
    fs::write(programs.join("setfiles"), "#!/bin/sh\nexit 0\n").expect("written");
    fs::set_permissions(programs.join("setfiles"), fs::Permissions::from_mode(0o755)).expect("set");
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
        assert!(ended.status.success(), "{os}, {stage}: {}", String::from_utf8_lossy(&ended.stdout));
    }
    let tar = root.join("var/lib/ignition/ignition-files.tar");
    assert_eq!(fs::metadata(&tar).expect("the archive").permissions().mode() & 0o7777, 0o600);
    // The command of the unit, with the folder in place of the root.
    let unit = fs::read_to_string(root.join("etc/systemd/system/ignition-file-extract.service")).expect("the unit");
    let line = unit.lines().find_map(|line| line.strip_prefix("ExecStart=/usr/bin/tar ")).expect("it unpacks");
    let extracted = scratch.join("extracted");
    fs::create_dir(&extracted).expect("made");
    let line = line
        .replace("/var/lib/ignition/ignition-files.tar", &tar.display().to_string())
        .replace("--directory /", &format!("--directory {}", extracted.display()));
    assert!(Command::new("tar").args(line.split(' ')).status().expect("`tar` runs").success());
    let wants = root.join("etc/systemd/system/sysinit.target.wants");
    let links = fs::read_dir(wants).map_or(0, Iterator::count);
    assert_eq!(links, if os == "acl" { 2 } else { 0 }, "{os}");
    files(&extracted)
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
            let (mode, commands) = found.remove("etc/ignition-bootcmds.sh").expect("the first commands");
            assert!(mode == 0o755 && commands.starts_with("#!/bin/sh\nmkdir -p /opt/bin; "), "{commands}");
            assert_eq!(found, wanted, "{os}");
        } else {
            assert_eq!(by_cloud_init(os), wanted, "{os}");
        }
    }
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
