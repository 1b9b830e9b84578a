//! Looks below the root of an image.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::{Controller, Facts, Os, SHAPE, needs, store};
use crate::catalogue::operating_systems::system_of_release;
use crate::catalogue::paths;
use crate::configuration::Version;
use crate::environment::{Components, ImageContents};
use crate::root::Root;

/// The directories of the scripts' `PATH`.
const DIRECTORIES: [&str; 6] =
    ["/opt/bin", "/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/usr/local/nvidia/bin"];

/// Where systemd reads units that are on the disk.
const UNITS: [&str; 3] = ["/etc/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system"];

/// Programs that steps call and a prepared image has.
const PROGRAMS: &[&str] = &[
    "aks-secure-tls-bootstrap-client",
    "conntrack",
    "containerd",
    "ctr",
    "curl",
    "ebtables",
    "ethtool",
    "iptables",
    "jq",
    "kubectl",
    "kubelet",
    "nc",
    "nslookup",
    "nvidia-modprobe",
    "nvidia-smi",
    "openssl",
    "oras",
    "runc",
    "tar",
];

/// Other files that the scripts use if they are there.
const FILES: &[&str] = &[
    paths::CONTROLLER,
    paths::START_SCRIPT,
    paths::INIT_AKS_CLOUD,
    "/var/lib/kubelet/credential-provider/acr-credential-provider",
];

/// The most bytes that are read of a text.
const LARGEST_TEXT: u64 = 64 << 20;

/// The most bytes that are read of a program.
const LARGEST_PROGRAM: u64 = 1 << 30;

/// Returns the facts of the image below a root.
///
/// # Errors
/// Fails if the directory cannot be opened.
pub(crate) fn gather(root: &Path) -> io::Result<Facts> {
    let root = Root::new(root)?;
    let (programs, units, files) = needs::named();
    let found = |names: &[&str], directories: &[&str], is_program: bool| -> BTreeSet<String> {
        let is_there = |name: &&&str| {
            directories.iter().any(|directory| is_file(&root, &format!("{directory}/{name}"), is_program))
        };
        names.iter().filter(is_there).map(|name| (*name).to_owned()).collect()
    };
    let mut all_programs = found(PROGRAMS, &DIRECTORIES, true);
    all_programs.extend(found(&programs, &DIRECTORIES, true));
    let mut all_units = found(&units, &UNITS, false);
    all_units.extend(found(&["containerd.service", "localdns.service"], &UNITS, false));
    let all_files = files.iter().chain(FILES).filter(|path| is_file(&root, path, false)).map(|path| (*path).to_owned());
    Ok(Facts {
        version: SHAPE,
        os: os(&root),
        architecture: architecture(&root).map(str::to_owned),
        prepared: is_file(&root, "/opt/azure/vhd-install.complete", false),
        containerd: containerd(&root, all_programs.contains("containerd")),
        kubelets: kubelets(&root),
        programs: all_programs,
        units: all_units,
        files: all_files.collect(),
        cni_plugins: cni_plugins(&root),
        gpu_drivers: text(&root, paths::COMPONENTS).and_then(|text| Components::parse(&text).ok()?.images()),
        images: root
            .read(Path::new(store::METADATA), LARGEST_TEXT)
            .ok()
            .and_then(|file| store::images(&file))
            .filter(|images| !images.is_empty()),
        controller: is_this_program(&root, paths::CONTROLLER).then(Controller::this),
    })
}

/// Reports whether a path is a regular file, and a program if it must be one.
fn is_file(root: &Root, path: &str, is_program: bool) -> bool {
    let found = root.location(Path::new(path)).and_then(fs::symlink_metadata);
    found.is_ok_and(|found| found.is_file() && (!is_program || found.permissions().mode() & 0o111 != 0))
}

fn text(root: &Root, path: &str) -> Option<String> {
    let bytes = root.read(Path::new(path), LARGEST_TEXT).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the names in a directory.
fn names(root: &Root, path: &str) -> BTreeSet<String> {
    let Ok(entries) = root.location(Path::new(path)).and_then(fs::read_dir) else { return BTreeSet::new() };
    entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect()
}

/// Returns the plugins that are installed, and those that the scripts install from a directory of the image.
fn cni_plugins(root: &Root) -> BTreeSet<String> {
    let unpacked = names(root, "/opt/cni/downloads").into_iter().filter(|name| name.starts_with("cni-plugins-"));
    let mut directories: Vec<_> = unpacked.map(|name| format!("/opt/cni/downloads/{name}")).collect();
    directories.push("/opt/cni/bin".to_owned());
    let found = |directory: String| {
        let names = names(root, &directory).into_iter();
        names.filter(move |name| is_file(root, &format!("{directory}/{name}"), true)).collect::<Vec<_>>()
    };
    directories.into_iter().flat_map(found).collect()
}

/// Reports whether a file is the program that runs.
fn is_this_program(root: &Root, path: &str) -> bool {
    let Ok(this) = fs::read("/proc/self/exe") else { return false };
    root.read(Path::new(path), LARGEST_PROGRAM).is_ok_and(|found| found == this)
}

fn os(root: &Root) -> Os {
    let release = text(root, "/etc/os-release").or_else(|| text(root, "/usr/lib/os-release")).unwrap_or_default();
    let field = |name: &str| {
        let value = release.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        value.unwrap_or_default().trim_matches(['"', '\'']).to_owned()
    };
    let (id, variant_id) = (field("ID").to_lowercase(), field("VARIANT_ID"));
    let name = system_of_release(&id, &variant_id).map(|system| system.name.to_owned());
    Os { name, id, version_id: field("VERSION_ID"), variant_id }
}

/// Returns the architecture of a program that every system has, from its ELF header.
fn architecture(root: &Root) -> Option<&'static str> {
    let programs = ["/usr/bin/bash", "/bin/bash", "/usr/bin/sh", "/bin/sh"];
    let header = programs.iter().find_map(|path| root.read(Path::new(path), 20).ok())?;
    match (header.get(..4)?, header.get(18..20)?) {
        (b"\x7fELF", [0x3e, 0]) => Some("amd64"),
        (b"\x7fELF", [0xb7, 0]) => Some("arm64"),
        _ => None,
    }
}

/// Returns the version of containerd: of its package, because the program itself may be of another architecture.
fn containerd(root: &Root, is_there: bool) -> Option<String> {
    if !is_there {
        return Some(String::new());
    }
    let status = text(root, "/var/lib/dpkg/status")?;
    let version = status.split("\n\n").find_map(|package| {
        let field = |name: &str| package.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        let is_installed = field("Status").is_some_and(|status| status.ends_with(" installed"));
        let name = field("Package").filter(|name| ["moby-containerd", "containerd", "containerd.io"].contains(name));
        name.filter(|_| is_installed).and_then(|_| field("Version"))
    })?;
    let version = version.rsplit(':').next()?.split(['-', '+', '~']).next()?;
    // Read as the node reads it of the program.
    let version = ImageContents::containerd_version(&format!("containerd x {version} x")).to_owned();
    Some(version).filter(|version| !version.is_empty())
}

/// Returns the versions in the names of the kubelets that the image has cached.
fn kubelets(root: &Root) -> BTreeSet<String> {
    let names = ["/opt/bin", "/usr/local/bin"].map(|directory| names(root, directory));
    let versions = names.iter().flatten().filter_map(|name| name.strip_prefix("kubelet-"));
    versions.filter(|version| Version::parse_full(version).is_some()).map(str::to_owned).collect()
}
