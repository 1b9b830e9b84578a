//! Scenarios on machines with systemd, which `tests/machine/boot.sh` explains, and systemd as a judge of units.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;

use super::finish;

/// A process that keeps a prepared machine in its mount namespace. Its standard input closes when this process ends,
/// however it ends, and the machine is gone with it.
struct Prepared(Child);

fn prepared(script: &Path) -> &'static Prepared {
    static PREPARED: OnceLock<Prepared> = OnceLock::new();
    PREPARED.get_or_init(|| {
        let mut command = Command::new("unshare");
        command.arg("--mount").arg(script).args([env!("CARGO_BIN_EXE_aks-node-controller"), "prepare"]);
        command.env("MACHINE_DISK", env!("CARGO_TARGET_TMPDIR")).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("`unshare` runs");
        let mut line = String::new();
        let output = child.stdout.as_mut().expect("the output is a pipe");
        BufReader::new(output).read_line(&mut line).expect("the script writes text");
        assert_eq!(line, "prepared\n", "{} cannot prepare a machine", script.display());
        Prepared(child)
    })
}

/// Runs a scenario of a script of this repository on a machine of its own.
pub fn scenario(script: &str, arguments: &[&str]) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(script);
    let namespace = format!("--mount=/proc/{}/ns/mnt", prepared(&script).0.id());
    let mut command = Command::new("nsenter");
    command.args([&namespace, "unshare", "--mount"]).arg(&script);
    command.arg(env!("CARGO_BIN_EXE_aks-node-controller")).args(arguments);
    command.env("MACHINE_DISK", env!("CARGO_TARGET_TMPDIR")).stdin(Stdio::null());
    let ended = command.output().expect("`nsenter` runs");
    let (stdout, stderr) = (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
    assert!(ended.status.success(), "{stdout}{stderr}");
}

/// Runs `systemd-analyze verify` on unit files. It finds other units in the folder of the first file and among systemd's own.
pub fn verify_units(files: &[PathBuf]) -> Output {
    // With root it leaves a file in /run, so it gets a /run of its own.
    const SCRIPT: &str = "if unshare --mount true 2>/dev/null; then
        exec unshare --mount sh -c 'mount -t tmpfs run /run && exec systemd-analyze verify \"$@\"' sh \"$@\"
    fi
    exec systemd-analyze verify \"$@\"";
    let folder = files[0].parent().expect("a path of a file").display();
    let path = format!("{folder}:/usr/lib/systemd/system:/lib/systemd/system");
    finish(Command::new("sh").args(["-c", SCRIPT, "sh"]).args(files).env("SYSTEMD_UNIT_PATH", path))
}
