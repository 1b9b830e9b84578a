//! Checks that need TLS. They use the node's own curl, so that this program needs no TLS library. Secrets are passed on
//! its standard input, because other users can see arguments and root's tools can see environments.

use std::io;
use std::process::Command;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;

use super::facts::Facts;
use super::{FOREIGN, LIMIT, failed, not_checked, ok, warning};
use crate::configuration::certificate_validity;
use crate::diagnosis::Check;
use crate::document::LARGEST_DOCUMENT;
use crate::moment::Moment;
use crate::node::bounded::ask;

/// How long curl may take beyond its own time limit.
const MARGIN: Duration = Duration::from_secs(2);

/// The most bytes of curl's output that are read.
const MOST: u64 = 64 << 10;

/// The differences from which on the clock is a problem: for new certificates and tokens, and for all.
const CLOCK_WARNING: u64 = 60;
const CLOCK_FAILURE: u64 = 300;

const TLS: &str = "API server: TLS";
const TOKEN: &str = "bootstrap token";
const CLOCK: &str = "clock";

/// The answer of a server.
#[derive(Debug)]
pub(super) struct Answer {
    pub status: u16,
    /// The server's time, in seconds since 1970.
    date: Option<i64>,
    /// The body, if [`Body::Kept`] was requested.
    pub body: String,
}

/// How to handle the body of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Body {
    Ignored,
    /// It is returned, up to this many bytes.
    Kept(u64),
}

/// Why no answer was received.
#[derive(Debug)]
pub(super) enum Failure {
    /// curl cannot be used.
    NoCurl(String),
    /// curl's exit code and its message.
    Curl(i32, String),
}

/// Sends a request that must be answered within [`LIMIT`].
fn request(url: &str, options: &[String]) -> Result<Answer, Failure> {
    request_within(LIMIT, url, options, Body::Ignored)
}

/// Sends a request. `options` are lines of a curl configuration and can contain secrets.
pub(super) fn request_within(limit: Duration, url: &str, options: &[String], body: Body) -> Result<Answer, Failure> {
    let seconds = limit.as_secs().max(1).to_string();
    let (output, most) = match body {
        Body::Ignored => ("/dev/null", MOST),
        Body::Kept(most) => ("-", MOST + most),
    };
    let mut command = Command::new("curl");
    command.args(["--disable", "--silent", "--show-error", "--max-time", &seconds]);
    command.args(["--dump-header", "-", "--output", output, "--config", "-"]);
    for name in
        ["http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"]
    {
        command.env_remove(name);
    }
    let lines = [format!("url = {}\n", quoted(url)), options.concat()].concat();
    let answer = ask(&mut command, lines.as_bytes(), limit + MARGIN, most).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Failure::NoCurl("curl is not installed".to_owned()),
        _ => Failure::NoCurl(format!("curl {error}")),
    })?;
    let text = String::from_utf8_lossy(&answer.stdout);
    let (headers, body) = match body {
        Body::Ignored => (&*text, ""),
        Body::Kept(_) => text.split_once("\r\n\r\n").unwrap_or((&text, "")),
    };
    // A proxy answers first.
    let status =
        headers.lines().rev().find_map(|line| line.strip_prefix("HTTP/")?.split(' ').nth(1)?.trim().parse().ok());
    match (answer.status.code(), status) {
        (Some(0), Some(status)) => {
            Ok(Answer { status, date: headers.lines().rev().find_map(date), body: body.to_owned() })
        }
        (code, _) => {
            let message = String::from_utf8_lossy(&answer.stderr);
            Err(Failure::Curl(code.unwrap_or(-1), message.lines().next().unwrap_or_default().to_owned()))
        }
    }
}

/// Returns a text as a value in a curl configuration.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], ""))
}

/// Parses `Date: Sun, 22 Nov 2026 05:54:44 GMT`. Returns seconds since 1970.
fn date(line: &str) -> Option<i64> {
    let (name, value) = line.split_once(':')?;
    if !name.eq_ignore_ascii_case("date") {
        return None;
    }
    Moment::of_header(value.trim()).map(|moment| moment.0 / 1000)
}

pub(super) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

pub(super) fn shown(seconds: i64) -> String {
    Moment(seconds.saturating_mul(1000)).to_string()[..16].replace('T', " ")
}

/// Checks TLS with the cluster CA, the token, and the clock against the server's.
pub(super) fn api_server(facts: &Facts) -> Vec<Check> {
    let no_token = |why: &str| not_checked(TOKEN, if facts.machine.is_foreign() { FOREIGN } else { why });
    let none = |why: &str| vec![not_checked(TLS, why), no_token(why), not_checked(CLOCK, why)];
    let Some((host, port)) = &facts.server else {
        return none(facts.denied.as_deref().unwrap_or("no kubeconfig and no Configuration names the API server"));
    };
    let Some(authority) = &facts.authority else {
        return none(
            facts
                .denied
                .as_deref()
                .unwrap_or("the certificate of the cluster CA is missing (/etc/kubernetes/certs/ca.crt)"),
        );
    };
    let host = if host.contains(':') { format!("[{host}]") } else { host.clone() };
    let url = format!("https://{host}:{port}/version");
    let mut options =
        vec!["noproxy = \"*\"\n".to_owned(), format!("cacert = {}\n", quoted(&authority.to_string_lossy()))];
    if let Some(token) = &facts.token {
        options.push(format!("header = {}\n", quoted(&format!("Authorization: Bearer {}", token.expose()))));
    }
    match request(&url, &options) {
        Ok(answer) => {
            let tls = ok(TLS, "its certificate is signed by the cluster CA");
            vec![tls, token(facts, Some(answer.status)), clock(answer.date)]
        }
        Err(Failure::NoCurl(why)) => none(&why),
        Err(Failure::Curl(code @ (51 | 60), message)) => {
            // Without the token, because the server is not trusted.
            let date = request(&url, &["noproxy = \"*\"\n".to_owned(), "insecure\n".to_owned()])
                .ok()
                .and_then(|answer| answer.date);
            let hint = if code == 51 {
                "the certificate is for another name: check the name of the API server and the addresses that it \
                 resolves to"
            } else {
                "it is another server, a device on the network path inspects TLS, the cluster CA has changed, or the \
                 clock is wrong"
            };
            vec![failed(TLS, message, hint), no_token("the server cannot be trusted"), clock(date)]
        }
        Err(Failure::Curl(code, message)) => {
            let hint = match code {
                28 => "a device on the network path drops the server's packets: check firewalls and the MTU",
                77 => "the file of the cluster CA is invalid: compare it with the cluster's certificate",
                _ => "run it by hand: curl -v --cacert /etc/kubernetes/certs/ca.crt https://NAME:443/version",
            };
            let mut checks = none("the server does not answer");
            checks[0] = failed(TLS, message, hint);
            checks
        }
    }
}

fn token(facts: &Facts, status: Option<u16>) -> Check {
    if facts.machine.is_foreign() {
        return not_checked(TOKEN, FOREIGN);
    }
    let Some(token) = &facts.token else {
        return not_checked(
            TOKEN,
            facts.denied.as_deref().unwrap_or("not set: the node uses a certificate or secure TLS bootstrapping"),
        );
    };
    let expired = expiry(token.expose()).filter(|expiry| *expiry <= now());
    match status {
        Some(401) => {
            let detail = match expired {
                Some(expiry) => format!("the API server answers 401; the token expired on {}", shown(expiry)),
                None => "the API server answers 401: the token has expired, was deleted, or belongs to another cluster"
                    .to_owned(),
            };
            if facts.has_kubeconfig {
                let hint = "the kubelet has a certificate and needs no token while it is valid";
                return warning(TOKEN, detail, hint);
            }
            let hint = "compare it with the secrets of the cluster: kubectl get secrets --namespace kube-system --field-selector \
                        type=bootstrap.kubernetes.io/token; a reimage of the node gets a new one";
            failed(TOKEN, detail, hint)
        }
        // The server knows the identity; authorization is another matter.
        Some(200 | 403) => ok(TOKEN, "the API server accepts it"),
        Some(status) => {
            warning(TOKEN, format!("the API server answers {status}"), "check the health of the API server")
        }
        None => not_checked(TOKEN, "the server does not answer"),
    }
}

/// Returns when a JSON web token expires, in seconds since 1970. Bootstrap tokens do not contain it.
fn expiry(token: &str) -> Option<i64> {
    let payload = token.split('.').nth(1)?;
    let payload: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).ok()?).ok()?;
    payload["exp"].as_i64()
}

fn clock(date: Option<i64>) -> Check {
    let Some(date) = date else { return not_checked(CLOCK, "the server does not send its time") };
    let difference = now().abs_diff(date);
    let detail = format!("differs by {difference} s from the API server's ({})", shown(date));
    let hint = "synchronize it: chronyc tracking; chronyc makestep";
    match difference {
        0..=CLOCK_WARNING => ok(CLOCK, detail),
        _ if difference <= CLOCK_FAILURE => warning(CLOCK, detail, hint),
        _ => failed(CLOCK, detail, hint),
    }
}

/// Checks the validity of the kubelet's certificate.
pub(super) fn certificate(facts: &Facts) -> Check {
    const NAME: &str = "certificate of kubelet";
    const RENEW: &str =
        "the kubelet only renews it while it is valid; afterwards the node needs a reimage or a new bootstrap token";
    let Some(path) = &facts.certificate else {
        return not_checked(NAME, facts.denied.as_deref().unwrap_or("does not exist yet"));
    };
    let text = match facts.machine.read(path, LARGEST_DOCUMENT as u64) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => return not_checked(NAME, format!("{path}: {error}")),
    };
    let Some((not_before, not_after)) = certificate_validity(&text) else {
        return failed(NAME, format!("{path} has no certificate that can be read"), RENEW);
    };
    if not_after <= now() {
        failed(NAME, format!("expired on {}", shown(not_after)), RENEW)
    } else if now() < not_before {
        failed(
            NAME,
            format!("is not valid before {}", shown(not_before)),
            "the clock is behind: chronyc tracking; chronyc makestep",
        )
    } else {
        ok(NAME, format!("valid until {}", shown(not_after)))
    }
}

/// Checks that images can be pulled.
pub(super) fn registry(facts: &Facts) -> Check {
    const NAME: &str = "registry";
    let (registry, is_own) = &facts.registry;
    let host = registry.split('/').next().unwrap_or(registry);
    let options = match &facts.proxy {
        // The cluster's own registry is in its network.
        Some(proxy) if !is_own && facts.machine.is_foreign() && proxy.expose().contains('@') => {
            return not_checked(NAME, FOREIGN);
        }
        Some(proxy) if !is_own => vec![format!("proxy = {}\n", quoted(proxy.expose()))],
        _ => vec!["noproxy = \"*\"\n".to_owned()],
    };
    match request(&format!("https://{host}/v2/"), &options) {
        Ok(Answer { status: 200 | 401, .. }) => ok(NAME, format!("{host} answers")),
        Ok(answer) => {
            warning(NAME, format!("{host} answers {}", answer.status), "a proxy or a firewall may answer instead")
        }
        Err(Failure::NoCurl(why)) => not_checked(NAME, why),
        Err(Failure::Curl(code, message)) => {
            let hint = match code {
                60 => "a device on the network path inspects TLS: the node must trust its CA",
                5 | 6 => "the name does not resolve: check the DNS servers of the virtual network",
                56 | 97 => "the proxy refuses the connection: check its credentials and its rules",
                _ => "check firewalls and route tables; an isolated cluster needs its own registry",
            };
            failed(NAME, format!("{host}: {message}"), hint)
        }
    }
}
