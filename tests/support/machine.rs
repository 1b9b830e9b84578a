//! Scenarios on machines with systemd, which `tests/machine/boot.sh` explains, and systemd as a judge of units.

use std::fs;
use std::io::{BufRead, BufReader, ErrorKind};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::Duration;

use super::finish;

/// Machines that a script of this repository prepares once and boots for each scenario.
pub struct Machines {
    script: &'static str,
    prepared: OnceLock<Prepared>,
}

/// A process that keeps a prepared machine in its mount namespace. Its standard input closes when this process ends,
/// however it ends, and the machine is gone with it.
struct Prepared(Child);

impl Machines {
    /// The machines of a script, whose path begins at the repository.
    pub const fn of(script: &'static str) -> Self {
        Self { script, prepared: OnceLock::new() }
    }

    fn script(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join(self.script)
    }

    fn prepared(&self) -> &Prepared {
        self.prepared.get_or_init(|| {
            let mut command = Command::new("unshare");
            command.arg("--mount").arg(self.script()).args([env!("CARGO_BIN_EXE_aks-node-controller"), "prepare"]);
            command.env("MACHINE_DISK", env!("CARGO_TARGET_TMPDIR")).stdin(Stdio::piped()).stdout(Stdio::piped());
            let mut child = command.spawn().expect("`unshare` runs");
            let mut line = String::new();
            let output = child.stdout.as_mut().expect("the output is a pipe");
            BufReader::new(output).read_line(&mut line).expect("the script writes text");
            assert_eq!(line, "prepared\n", "{} cannot prepare a machine", self.script);
            Prepared(child)
        })
    }

    /// Runs a scenario of the script on a machine of its own.
    pub fn scenario(&self, arguments: &[&str]) {
        let _place = place();
        let namespace = format!("--mount=/proc/{}/ns/mnt", self.prepared().0.id());
        let mut command = Command::new("nsenter");
        command.args([&namespace, "unshare", "--mount"]).arg(self.script());
        command.arg(env!("CARGO_BIN_EXE_aks-node-controller")).args(arguments);
        command.env("MACHINE_DISK", env!("CARGO_TARGET_TMPDIR")).stdin(Stdio::null());
        let ended = command.output().expect("`nsenter` runs");
        let (stdout, stderr) = (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
        assert!(ended.status.success(), "{stdout}{stderr}");
    }
}

/// Waits for one of the places for machines, of which this system has a fixed number. It is free again when the value is dropped
/// or this process has ended.
///
/// A machine uses up to nine inotify instances. All processes of a user share a number of them, also those of another `cargo test`,
/// and without one, systemd and containerd do not start. So a place is an abstract socket, which exists once on a system.
fn place() -> UnixListener {
    let limit = fs::read_to_string("/proc/sys/fs/inotify/max_user_instances").unwrap_or_default();
    let places = (limit.trim().parse().unwrap_or(128) / 12).max(1);
    loop {
        for number in 0..places {
            let name = format!("aks-node-controller machine {number}");
            let address = SocketAddr::from_abstract_name(name).expect("the name is short");
            match UnixListener::bind_addr(&address) {
                Ok(place) => return place,
                Err(error) if error.kind() == ErrorKind::AddrInUse => {}
                Err(error) => panic!("cannot take a place for a machine: {error}"),
            }
        }
        sleep(Duration::from_millis(50));
    }
}

/// Runs `systemd-analyze verify` on unit files. It finds other units in the directory of the first file and among systemd's own.
pub fn verify_units(files: &[PathBuf]) -> Output {
    // With root it leaves a file in /run, so it gets a /run of its own.
    const SCRIPT: &str = "if unshare --mount true 2>/dev/null; then
        exec unshare --mount sh -c 'mount -t tmpfs run /run && exec systemd-analyze verify \"$@\"' sh \"$@\"
    fi
    exec systemd-analyze verify \"$@\"";
    let directory = files[0].parent().expect("a path of a file").display();
    let path = format!("{directory}:/usr/lib/systemd/system:/lib/systemd/system");
    finish(Command::new("sh").args(["-c", SCRIPT, "sh"]).args(files).env("SYSTEMD_UNIT_PATH", path))
}
