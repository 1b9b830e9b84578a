//! Real servers with real TLS, in a network of their own. Their CAs are made here.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::{Scratch, finish, needs};

const SERVERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/servers.py");
pub const TOKEN: &str = "abcdef.0123456789abcdef";

/// A network of its own with nothing but what the test starts: nobody asks the services of a real machine.
pub struct Network(Child);

impl Network {
    pub fn new() -> Self {
        const SCRIPT: &str = "ip link set lo up && ip address add 169.254.169.254/32 dev lo \
            && ip address add 168.63.129.16/32 dev lo && echo up && read -r _";
        let mut command = Command::new("unshare");
        command.args(["--net", "sh", "-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("`unshare` runs");
        let mut line = String::new();
        let stdout = child.stdout.as_mut().expect("it was piped");
        BufReader::new(stdout).read_line(&mut line).expect("it says when it is up");
        assert_eq!(line, "up\n");
        Self(child)
    }

    /// A command in the network.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new("nsenter");
        command.arg(format!("--net=/proc/{}/ns/net", self.0.id())).arg(program);
        command
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A server, which ends with the value.
pub struct Server {
    child: Child,
    pub port: u16,
}

impl Server {
    pub fn start(network: &Network, arguments: &[&str]) -> Self {
        let mut command = network.command("python3");
        command.arg(SERVERS).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("python3 runs");
        let mut line = String::new();
        let mut stdout = BufReader::new(child.stdout.take().expect("it was piped"));
        stdout.read_line(&mut line).expect("it prints its port");
        Self { port: line.trim().parse().expect("a port"), child }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Authorities and certificates for `localhost`, made by openssl.
pub struct Certificates(Scratch);

impl Certificates {
    pub fn new() -> Self {
        let made = Self(Scratch::new("certificates"));
        for authority in ["ca", "other"] {
            made.openssl(&format!("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN={authority} -keyout {authority}.key -out {authority}.crt"));
        }
        fs::write(made.0.join("names"), "subjectAltName=DNS:localhost,IP:127.0.0.1\n").expect("writable");
        made.openssl("req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=apiserver -keyout server.key -out server.csr");
        made.openssl(
            "x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 30 -extfile names -out server.crt",
        );
        made
    }

    /// A certificate of a node as kubelet has it, with its key in the same text.
    pub fn of_node(&self, name: &str) -> String {
        self.openssl(&format!("req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /O=system:nodes/CN=system:node:{name} -keyout node.key -out node.csr"));
        self.openssl("x509 -req -in node.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 30 -out node.crt");
        let text = |name: &str| fs::read_to_string(self.path(name)).expect("it was made");
        text("node.crt") + &text("node.key")
    }

    fn openssl(&self, arguments: &str) {
        let ended = finish(Command::new("openssl").args(arguments.split(' ')).current_dir(&self.0));
        assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn api(&self, network: &Network, offset: &str) -> Server {
        let (certificate, key) = (self.path("server.crt"), self.path("server.key"));
        Server::start(
            network,
            &["api", certificate.to_str().expect("text"), key.to_str().expect("text"), TOKEN, offset],
        )
    }

    /// An API server with the node object in a file. There is none until the file exists.
    pub fn api_with_node(&self, network: &Network, node: &Path) -> Server {
        let paths = [self.path("server.crt"), self.path("server.key"), self.path("ca.crt"), node.to_owned()];
        let [certificate, key, authority, node] = paths.each_ref().map(|path| path.to_str().expect("text"));
        Server::start(network, &["api", certificate, key, TOKEN, "0", authority, node])
    }
}

/// Whether this system has what the servers need.
pub fn is_possible() -> bool {
    let programs = [
        ("python3", "python3"),
        ("openssl", "openssl"),
        ("curl", "curl"),
        ("ip", "iproute2"),
        ("nsenter", "util-linux"),
    ];
    needs::root() && needs::programs(&programs)
}
