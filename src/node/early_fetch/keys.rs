//! The key of the certificate for which settings are encrypted: from the wire server, otherwise from the agent's files.

use std::path::Path;
use std::time::Duration;

use rsa::PrivateKey;
use rsa::pkcs1::DecodeRsaPrivateKey;
use rsa::pkcs8::DecodePrivateKey;
use zeroize::Zeroizing;

use super::certificates::{PendingKey, REQUESTED_CIPHERS, TransportKey, message};
use super::channels::{LARGEST, REQUEST, WIRE_HEADERS};
use super::deadline::Deadline;
use super::enveloped::decrypt;
use super::http::{Endpoint, Request};
use super::pfx::Bundle;
use crate::node::files;

/// How long to wait before the next attempt.
const PAUSE: Duration = Duration::from_secs(1);

/// Bytes of the largest key file.
const LARGEST_KEY: u64 = 64 << 10;

/// Returns the keys for thumbprints, and remembers the certificates.
pub(super) struct Keys<'k> {
    wire_server: Endpoint,
    agent_directory: &'k Path,
    pending: Option<PendingKey>,
    transport: Option<TransportKey>,
}

/// Why the certificates cannot be read.
struct Problem {
    text: String,
    /// A further attempt would have the same result.
    is_final: bool,
}

impl Problem {
    fn last(text: &impl ToString) -> Self {
        Self { text: text.to_string(), is_final: true }
    }
}

impl<'k> Keys<'k> {
    /// Starts to make a key for the transport, which takes a while.
    pub fn new(wire_server: Endpoint, agent_directory: &'k Path) -> Self {
        Self { wire_server, agent_directory, pending: Some(PendingKey::start()), transport: None }
    }

    /// Returns the key of a certificate.
    ///
    /// # Errors
    /// Fails if the wire server does not have it in time, or not at all, and the agent has left none.
    pub fn key(&mut self, url: Option<&str>, thumbprint: &str, deadline: Deadline) -> Result<PrivateKey, String> {
        loop {
            let problem = match self.asked(url, thumbprint, deadline) {
                Ok(key) => return Ok(key),
                Err(problem) => problem,
            };
            if let Some(key) = self.left_by_agent(thumbprint) {
                deadline.log(format!("certificates: {}; using the key that the agent has stored", problem.text));
                return Ok(key);
            }
            if problem.is_final || !deadline.pause(PAUSE) {
                return Err(problem.text);
            }
        }
    }

    fn asked(&mut self, url: Option<&str>, thumbprint: &str, deadline: Deadline) -> Result<PrivateKey, Problem> {
        let url = url.ok_or_else(|| Problem::last(&"the goal state has no certificates"))?;
        let target = self.wire_server.target(url);
        let target = target.ok_or_else(|| Problem::last(&"the URL of the certificates is not on the wire server"))?;
        if let Some(pending) = self.pending.take() {
            self.transport = pending.wait(deadline);
        }
        let transport = self.transport.as_ref().ok_or_else(|| Problem::last(&"cannot make a key for the transport"))?;
        let mut problems = Vec::new();
        for cipher in REQUESTED_CIPHERS {
            match bundle(self.wire_server, target, transport, cipher, deadline) {
                Ok(bundle) => return bundle.key(thumbprint).map_err(|error| Problem::last(&error)),
                Err(problem) => {
                    deadline.log(format!("certificates with {cipher}: {}", problem.text));
                    problems.push(problem);
                }
            }
        }
        let is_final = problems.iter().all(|problem| problem.is_final);
        let text = problems.into_iter().next().map(|problem| problem.text).unwrap_or_default();
        Err(Problem { text, is_final })
    }

    fn left_by_agent(&self, thumbprint: &str) -> Option<PrivateKey> {
        let path = self.agent_directory.join(thumbprint).with_extension("prv");
        let pem = Zeroizing::new(files::read_regular(&path, LARGEST_KEY).ok()?);
        let pem = str::from_utf8(&pem).ok()?.trim();
        PrivateKey::from_pkcs8_pem(pem).ok().or_else(|| PrivateKey::from_pkcs1_pem(pem).ok())
    }
}

/// Asks for the certificates with a cipher.
fn bundle(
    wire_server: Endpoint,
    target: &str,
    transport: &TransportKey,
    cipher: &str,
    deadline: Deadline,
) -> Result<Bundle, Problem> {
    let headers = [
        WIRE_HEADERS[0],
        WIRE_HEADERS[1],
        ("x-ms-guest-agent-public-x509-cert", &*transport.certificate),
        ("x-ms-cipher-name", cipher),
    ];
    let request = Request { endpoint: wire_server, target, headers: &headers, limit: LARGEST };
    let document = request.get(deadline.at_most(REQUEST));
    let document = document.map_err(|error| Problem { text: error.to_string(), is_final: error.is_final() })?;
    let message = message(&document).map_err(|error| Problem::last(&error))?;
    let pfx = decrypt(&message, &transport.key).map_err(|error| Problem::last(&error))?;
    Bundle::read(&pfx).map_err(|error| Problem::last(&error))
}
