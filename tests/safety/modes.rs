//! Modes of files and directories.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::{Sandbox, mode};

/// Whoever may write into kubelet's directory may replace its kubeconfig.
#[test]
fn only_root_writes_into_kubelets_directory() {
    for (script, before) in [("bind-mount.sh", 0o755), ("bind-mount.sh", 0o777), ("format-mount-nvme-root.sh", 0o777)] {
        let sandbox = Sandbox::new();
        sandbox.stand_in("mount", ":");
        sandbox.stand_in("mountpoint", "exit 1");
        let directory = sandbox.path("/var/lib/kubelet");
        fs::create_dir(&directory).expect("created");
        fs::set_permissions(&directory, Permissions::from_mode(before)).expect("changed");
        let path = sandbox.script(script);
        let text = fs::read_to_string(&path).expect("it was written").replace("/dev/md0", "/dev/null");
        fs::write(&path, text).expect("written");
        let ended = sandbox.run("bash", &[&path.display().to_string()]);
        assert!(ended.status.success(), "{script}: {}", String::from_utf8_lossy(&ended.stderr));
        assert_eq!(mode(&directory), 0o755, "{script}");
    }
}

/// Returns the modes that the calls of `chmod` in a script set, and the line of each.
fn modes_in(text: &str) -> Vec<(&str, &str)> {
    text.lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .flat_map(|line| line.match_indices("chmod ").map(move |(at, _)| (line, &line[at + 6..])))
        .filter_map(|(line, rest)| Some((rest.split_whitespace().find(|word| !word.starts_with('-'))?, line)))
        .collect()
}

#[test]
fn no_script_lets_others_write() {
    fn visit(directory: &Path, found: &mut usize) {
        for entry in fs::read_dir(directory).expect("a directory").flatten() {
            let path = entry.path();
            if path.is_dir() {
                visit(&path, found);
            } else if let Ok(text) = fs::read_to_string(&path) {
                for (mode, line) in modes_in(&text) {
                    *found += 1;
                    let open = match u32::from_str_radix(mode, 8) {
                        Ok(mode) => mode & 0o022 != 0,
                        Err(_) => mode.contains("+w") || mode.contains("=w") || mode.contains("=rw"),
                    };
                    assert!(!open, "{}: {line}", path.display());
                }
            }
        }
    }
    let mut found = 0;
    visit(&Path::new(env!("CARGO_MANIFEST_DIR")).join("parts"), &mut found);
    assert!(found > 8, "{found}");
}
