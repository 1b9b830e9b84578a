//! Checks that only resolve a name or open a connection.

use std::io::{self, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::process::Command;
use std::time::Instant;

use super::facts::{Facts, endpoint};
use super::{LIMIT, failed, not_checked, ok};
use crate::diagnosis::Check;
use crate::node::bounded::ask;

/// The metadata service of the platform.
const METADATA: &str = "169.254.169.254:80";
/// The wire server of the platform.
const WIRE_SERVER: &str = "168.63.129.16:80";

/// The most bytes of an answer of the platform that are read.
const ANSWER: u64 = 64 << 10;

/// Resolves a name as programs of the machine do. Uses getent, because a static binary cannot load the modules of the
/// machine's resolver configuration.
fn resolve(host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
    if let Ok(address) = host.parse::<IpAddr>() {
        return Ok(vec![SocketAddr::new(address, port)]);
    }
    // `--`, so that a name with a leading hyphen is not read as an option.
    match ask(Command::new("getent").args(["ahosts", "--", host]), b"", LIMIT, ANSWER) {
        Ok(answer) => {
            let text = String::from_utf8_lossy(&answer.stdout);
            let mut found: Vec<IpAddr> = Vec::new();
            for address in text.lines().filter_map(|line| line.split_whitespace().next()?.parse().ok()) {
                if !found.contains(&address) {
                    found.push(address);
                }
            }
            match (answer.status.code(), found.is_empty()) {
                (_, false) => Ok(found.into_iter().map(|address| SocketAddr::new(address, port)).collect()),
                (Some(2), true) => Err(io::Error::other("no address is known")),
                (_, true) => Err(io::Error::other(String::from_utf8_lossy(&answer.stderr).trim().to_owned())),
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(io::Error::other("getent is not installed")),
        Err(error) => Err(error),
    }
}

/// Connects to one of the addresses, within one time limit for all of them.
fn connect(addresses: &[SocketAddr]) -> io::Result<(TcpStream, SocketAddr)> {
    let deadline = Instant::now() + LIMIT;
    let mut error = io::Error::other("has no address");
    for address in addresses.iter().take(4) {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        match TcpStream::connect_timeout(address, left) {
            Ok(stream) => return Ok((stream, *address)),
            Err(found) => error = io::Error::new(found.kind(), format!("{address}: {}", described(&found))),
        }
    }
    Err(error)
}

fn described(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => format!("no answer within {} s", LIMIT.as_secs()),
        io::ErrorKind::ConnectionRefused => "connection refused".to_owned(),
        _ => error.to_string(),
    }
}

fn list(addresses: &[SocketAddr]) -> String {
    let mut shown: Vec<String> = addresses.iter().take(4).map(|address| address.ip().to_string()).collect();
    shown.dedup();
    shown.join(", ")
}

pub(super) fn api_server(facts: &Facts) -> Vec<Check> {
    const NAME: &str = "API server: name";
    const CONNECTION: &str = "API server: connection";
    let Some((host, port)) = &facts.server else {
        let why = facts.denied.as_deref().unwrap_or("no kubeconfig and no Configuration names the API server");
        return vec![not_checked(NAME, why), not_checked(CONNECTION, why)];
    };
    let addresses = match resolve(host, *port) {
        Ok(addresses) => addresses,
        Err(error) => {
            let hint = "check the DNS servers of the virtual network (`resolvectl status`); for a private cluster, its \
                        private DNS zone must be linked to the network of the node";
            let check = failed(NAME, format!("{host} does not resolve: {}", described(&error)), hint);
            return vec![check, not_checked(CONNECTION, "the name does not resolve")];
        }
    };
    let named = ok(NAME, format!("{host} is {}", list(&addresses)));
    let connection = match connect(&addresses) {
        Ok((_, address)) => ok(CONNECTION, format!("{address} accepts connections")),
        Err(error) => failed(
            CONNECTION,
            described(&error),
            "check network security groups, route tables, firewalls and the cluster's authorized IP ranges",
        ),
    };
    vec![named, connection]
}

pub(super) fn proxy(facts: &Facts) -> Check {
    const NAME: &str = "proxy";
    let Some(proxy) = &facts.proxy else { return not_checked(NAME, "none is configured") };
    let Some((host, port)) = endpoint(proxy.expose()) else {
        return failed(NAME, "its URL is not valid", "it must be http://HOST:PORT");
    };
    let connected = resolve(&host, port).and_then(|addresses| connect(&addresses));
    match connected {
        Ok((_, address)) => ok(NAME, format!("{host}:{port} ({}) accepts connections", address.ip())),
        Err(error) => failed(
            NAME,
            format!("{host}:{port}: {}", described(&error)),
            "check its name, its port, and the network security groups between the node and the proxy",
        ),
    }
}

/// Sends a request over HTTP and returns the status of the answer.
fn status(address: &str, request: &str) -> io::Result<u16> {
    let address: SocketAddr = address.parse().map_err(io::Error::other)?;
    let (mut stream, _) = connect(&[address])?;
    stream.set_read_timeout(Some(LIMIT))?;
    stream.set_write_timeout(Some(LIMIT))?;
    stream.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    // However it ends, its first line is enough.
    let ended = stream.take(ANSWER).read_to_end(&mut answer);
    let text = String::from_utf8_lossy(&answer);
    let code = text.strip_prefix("HTTP/1.").and_then(|rest| rest.get(2..5)?.parse().ok());
    code.ok_or_else(|| ended.err().unwrap_or_else(|| io::Error::other("the answer is not HTTP")))
}

/// Checks that a service of the platform answers. The first hint is for an unexpected answer, the second for no answer.
fn platform(name: &str, address: &str, request: &str, hints: [&str; 2]) -> Check {
    let host = address.trim_end_matches(":80");
    match status(address, request) {
        Ok(200) => ok(name, format!("{host} answers")),
        Ok(code) => failed(name, format!("{host} answers {code}"), hints[0]),
        Err(error) => failed(name, format!("{host}: {}", described(&error)), hints[1]),
    }
}

pub(super) fn metadata() -> Check {
    let request = "GET /metadata/instance/compute/vmId?api-version=2021-02-01&format=text HTTP/1.1\r\n\
                   Host: 169.254.169.254\r\nMetadata: true\r\nConnection: close\r\n\r\n";
    let hints = [
        "the machine may be stopping; try again in a minute",
        "a route or a rule of the machine diverts its traffic: `ip route get 169.254.169.254`, `iptables -L -n`; or \
         this is not an Azure VM, or its network interface is not ready",
    ];
    platform("metadata service", METADATA, request, hints)
}

pub(super) fn wire_server() -> Check {
    let request = "GET /?comp=versions HTTP/1.1\r\nHost: 168.63.129.16\r\nConnection: close\r\n\r\n";
    let hints = [
        "the guest agent cannot report: read /var/log/waagent.log",
        "the guest agent cannot report, and the platform's DNS may not work: no rule or route must divert traffic to \
         168.63.129.16",
    ];
    platform("wire server", WIRE_SERVER, request, hints)
}
