//! GET over plain HTTP/1.1, for the services of the host: no TLS, no redirects, no proxies, no reuse of connections.
//!
//! A request ends at its deadline even if the answer comes one byte at a time, and an answer has a largest size.

use std::io::{self, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::str::FromStr;
use std::time::Duration;

use httparse::{EMPTY_HEADER, Response, Status, parse_chunk_size};
use zeroize::Zeroizing;

use super::deadline::Deadline;

/// Bytes of the largest head of an answer.
const LARGEST_HEAD: usize = 64 << 10;

/// Headers of an answer.
const MOST_HEADERS: usize = 64;

/// Bytes that are read at once.
const BLOCK: usize = 64 << 10;

/// The port of a URL without one.
const DEFAULT_PORT: u16 = 80;

/// Statuses that a further attempt does not change: a wrong request, an unknown one, and one about an old goal state.
const FINAL: [u16; 3] = [400, 404, 410];

/// The address of a service: `http://168.63.129.16:80`. Names are not accepted, because the host has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Endpoint(SocketAddr);

impl FromStr for Endpoint {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match split(text) {
            Some((endpoint, "" | "/")) => Ok(endpoint),
            _ => Err(format!(
                "`{text}` must be http://ADDRESS or http://ADDRESS:PORT, with the address of a host as numbers"
            )),
        }
    }
}

/// Splits a URL into the address and the rest.
fn split(url: &str) -> Option<(Endpoint, &str)> {
    let rest = url.strip_prefix("http://")?;
    let (authority, target) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let address = authority.parse().ok().or_else(|| {
        let address = authority.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(authority);
        Some(SocketAddr::new(address.parse::<IpAddr>().ok()?, DEFAULT_PORT))
    })?;
    Some((Endpoint(address), target))
}

impl Endpoint {
    /// Returns path and query of a URL on this address. `None` if it is elsewhere or not a URL.
    pub(super) fn target(self, url: &str) -> Option<&str> {
        let (endpoint, target) = split(url)?;
        (endpoint == self && target.starts_with('/') && is_visible(target)).then_some(target)
    }
}

/// Reports whether a text can be in a request line: visible ASCII without blanks.
fn is_visible(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum HttpError {
    /// The answer has another status than 200.
    #[error("status {0}")]
    Status(u16),
    /// There is no whole answer.
    #[error("{0}")]
    Failed(String),
}

impl HttpError {
    fn failed(text: impl Into<String>) -> Self {
        Self::Failed(text.into())
    }

    /// Reports whether another attempt with the same request is pointless.
    pub fn is_final(&self) -> bool {
        matches!(self, Self::Status(status) if FINAL.contains(status))
    }
}

/// How the end of a body is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Framing {
    Length(usize),
    Chunked,
    UntilClosed,
}

/// A request: where, what, and with which headers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request<'r> {
    /// The service.
    pub endpoint: Endpoint,
    /// Path and query.
    pub target: &'r str,
    /// Names and values of headers.
    pub headers: &'r [(&'r str, &'r str)],
    /// Bytes of the largest answer.
    pub limit: usize,
}

impl Request<'_> {
    /// Sends the request and returns the body of the answer without a byte order mark.
    ///
    /// # Errors
    /// Fails if there is no answer with the status 200 before the deadline, or it is larger than the limit, shorter than it says, or
    /// not HTTP.
    pub fn get(&self, deadline: Deadline) -> Result<Zeroizing<Vec<u8>>, HttpError> {
        let text = self.text()?;
        let mut stream = TcpStream::connect_timeout(&self.endpoint.0, timeout(deadline)?)
            .map_err(|error| problem(&error, "connect"))?;
        let sent = stream.set_write_timeout(Some(timeout(deadline)?)).and_then(|()| stream.write_all(text.as_bytes()));
        sent.map_err(|error| problem(&error, "send the request"))?;
        let mut answer = Answer {
            stream,
            raw: Zeroizing::new(Vec::new()),
            limit: self.limit.saturating_add(LARGEST_HEAD),
            deadline,
        };
        let (body, framing) = answer.head(self.limit)?;
        let body = match framing {
            Framing::Length(length) => {
                let end = body + length;
                while answer.raw.len() < end {
                    if !answer.fill()? {
                        return Err(HttpError::failed(format!(
                            "the answer ends after {} of {length} bytes",
                            answer.raw.len() - body
                        )));
                    }
                }
                Zeroizing::new(answer.raw[body..end].to_vec())
            }
            Framing::UntilClosed => {
                while answer.fill()? {}
                Zeroizing::new(answer.raw[body..].to_vec())
            }
            Framing::Chunked => answer.chunks(body)?,
        };
        if body.len() > self.limit {
            return Err(too_large(self.limit));
        }
        Ok(match body.strip_prefix(b"\xef\xbb\xbf") {
            Some(rest) => Zeroizing::new(rest.to_vec()),
            None => body,
        })
    }

    fn text(&self) -> Result<String, HttpError> {
        let is_printable = |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ');
        if !is_visible(self.target) || !self.headers.iter().all(|(_, value)| is_printable(value)) {
            return Err(HttpError::failed("the request would have characters that HTTP does not allow"));
        }
        let mut text = format!("GET {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.target, self.endpoint.0);
        for (name, value) in self.headers {
            text.extend([name, ": ", value, "\r\n"]);
        }
        text.push_str("\r\n");
        Ok(text)
    }
}

fn too_large(limit: usize) -> HttpError {
    HttpError::failed(format!("the answer is larger than {limit} bytes"))
}

/// Returns the time that is left. Zero would mean no limit to the system.
fn timeout(deadline: Deadline) -> Result<Duration, HttpError> {
    let left = deadline.left();
    if left.is_zero() { Err(HttpError::failed("no whole answer in time")) } else { Ok(left) }
}

fn problem(error: &io::Error, verb: &str) -> HttpError {
    match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => HttpError::failed("no whole answer in time"),
        kind => HttpError::failed(format!("cannot {verb}: {kind}")),
    }
}

/// An answer as far as it has come.
struct Answer {
    stream: TcpStream,
    raw: Zeroizing<Vec<u8>>,
    limit: usize,
    deadline: Deadline,
}

impl Answer {
    /// Reads more. Returns whether there was more.
    fn fill(&mut self) -> Result<bool, HttpError> {
        let timeout = timeout(self.deadline)?;
        let mut block = Zeroizing::new(vec![0; BLOCK]);
        let read = self.stream.set_read_timeout(Some(timeout)).and_then(|()| self.stream.read(&mut block));
        let read = match read {
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(true),
            Err(error) => return Err(problem(&error, "read the answer")),
        };
        if self.raw.len() + read > self.limit {
            return Err(too_large(self.limit));
        }
        self.raw.extend_from_slice(&block[..read]);
        Ok(read > 0)
    }

    /// Reads the head. Returns where the body begins, and its framing.
    fn head(&mut self, limit: usize) -> Result<(usize, Framing), HttpError> {
        loop {
            if let Some(head) = head(&self.raw, limit)? {
                return Ok(head);
            }
            if self.raw.len() > LARGEST_HEAD {
                return Err(HttpError::failed("the head of the answer is too large"));
            }
            if !self.fill()? {
                return Err(HttpError::failed("the connection was closed without an answer"));
            }
        }
    }

    /// Reads a chunked body that begins at `at`. Trailers are not read.
    fn chunks(&mut self, mut at: usize) -> Result<Zeroizing<Vec<u8>>, HttpError> {
        let invalid = || HttpError::failed("the answer has invalid chunks");
        let mut body = Zeroizing::new(Vec::new());
        loop {
            let (digits, size) = loop {
                match parse_chunk_size(&self.raw[at..]) {
                    Ok(Status::Complete(found)) => break found,
                    Ok(Status::Partial) if self.fill()? => {}
                    _ => return Err(invalid()),
                }
            };
            let size = usize::try_from(size).ok().filter(|size| *size <= self.limit).ok_or_else(invalid)?;
            at += digits;
            if size == 0 {
                return Ok(body);
            }
            while self.raw.len() < at + size + 2 {
                if !self.fill()? {
                    return Err(invalid());
                }
            }
            body.extend_from_slice(&self.raw[at..at + size]);
            at += size + 2;
            if !self.raw[..at].ends_with(b"\r\n") {
                return Err(invalid());
            }
        }
    }
}

/// Reads the head of an answer. Returns where the body begins, and its framing; `None` if the head is not complete.
fn head(raw: &[u8], limit: usize) -> Result<Option<(usize, Framing)>, HttpError> {
    let mut headers = [EMPTY_HEADER; MOST_HEADERS];
    let mut response = Response::new(&mut headers);
    let Status::Complete(body) = response.parse(raw).map_err(|_| HttpError::failed("the answer is not HTTP"))? else {
        return Ok(None);
    };
    match response.code {
        Some(200) => {}
        status => return Err(HttpError::Status(status.unwrap_or_default())),
    }
    let mut framing = Framing::UntilClosed;
    for header in response.headers.iter() {
        let value = header.value.trim_ascii();
        if header.name.eq_ignore_ascii_case("transfer-encoding") {
            if !value.eq_ignore_ascii_case(b"chunked") {
                return Err(HttpError::failed("the answer has an unknown transfer encoding"));
            }
            framing = Framing::Chunked;
        } else if header.name.eq_ignore_ascii_case("content-length") && framing != Framing::Chunked {
            let invalid = || HttpError::failed("the answer has an invalid length");
            let digits = str::from_utf8(value).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
            let length = digits.and_then(|digits| digits.parse().ok()).ok_or_else(invalid)?;
            if matches!(framing, Framing::Length(other) if other != length) {
                return Err(invalid());
            }
            framing = Framing::Length(length);
        }
    }
    if matches!(framing, Framing::Length(length) if length > limit) {
        return Err(too_large(limit));
    }
    Ok(Some((body, framing)))
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    fn endpoint(text: &str) -> Endpoint {
        text.parse().expect(text)
    }

    #[test]
    fn an_endpoint_is_an_address_with_a_port() {
        assert_eq!(endpoint("http://168.63.129.16"), endpoint("http://168.63.129.16:80/"));
        assert_eq!(endpoint("http://[::1]"), endpoint("http://[::1]:80"));
        for wrong in
            ["", "168.63.129.16", "https://168.63.129.16", "http://host", "http://1.2.3.4/path", "http://u@1.2.3.4"]
        {
            assert!(wrong.parse::<Endpoint>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_url_is_only_followed_on_the_same_address() {
        let wire = endpoint("http://168.63.129.16");
        assert_eq!(wire.target("http://168.63.129.16:80/machine/a?b=c&d"), Some("/machine/a?b=c&d"));
        for elsewhere in [
            "http://168.63.129.16:32526/machine",
            "http://168.63.129.17/machine",
            "https://168.63.129.16/machine",
            "http://168.63.129.16@evil/machine",
            "http://168.63.129.16",
            "http://168.63.129.16?a",
            "http://168.63.129.16/a b",
            "http://168.63.129.16/a\r\nHost: b",
            "/machine",
        ] {
            assert_eq!(wire.target(elsewhere), None, "{elsewhere}");
        }
    }

    /// Answers one request with these bytes and closes the connection.
    fn answered(answer: &'static [u8], limit: usize) -> Result<Vec<u8>, HttpError> {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let endpoint = Endpoint(listener.local_addr().expect("an address"));
        let server = thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("a connection");
            let mut request = Vec::new();
            while !request.ends_with(b"\r\n\r\n") {
                let mut byte = [0];
                stream.read_exact(&mut byte).expect("a request");
                request.push(byte[0]);
            }
            let _ = stream.write_all(answer);
            String::from_utf8(request).expect("text")
        });
        let request = Request { endpoint, target: "/a?b", headers: &[("x-one", "two")], limit };
        let body = request.get(Deadline::after(Duration::from_mins(1)));
        let sent = server.join().expect("it answers");
        assert!(
            sent.starts_with("GET /a?b HTTP/1.1\r\nHost: 127.0.0.1:") && sent.ends_with("\r\nx-one: two\r\n\r\n"),
            "{sent}"
        );
        body.map(|body| body.to_vec())
    }

    #[test]
    fn a_body_has_a_length_or_chunks_or_ends_with_the_connection() {
        for answer in [
            &b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc and more"[..],
            b"HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n\xef\xbb\xbfabc",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n0\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
            b"HTTP/1.0 200 OK\r\n\r\nabc",
        ] {
            assert_eq!(answered(answer, 6), Ok(b"abc".to_vec()), "{}", answer.escape_ascii());
        }
    }

    #[test]
    fn anything_but_a_whole_answer_of_at_most_the_limit_is_an_error() {
        for (answer, expected) in [
            (&b""[..], "closed without an answer"),
            (b"HTTP/1.1 200 OK\r\nContent-Le", "closed without an answer"),
            (b"SSH-2.0-x\r\n\r\n", "not HTTP"),
            (b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n", "status 302"),
            (b"HTTP/1.1 304 Not Modified\r\n\r\n", "status 304"),
            (b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabc", "ends after 3 of 4 bytes"),
            (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcde", "larger than 4 bytes"),
            (b"HTTP/1.1 200 OK\r\nContent-Length: +3\r\n\r\nabc", "invalid length"),
            (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", "invalid length"),
            (b"HTTP/1.1 200 OK\r\n\r\nabcde", "larger than 4 bytes"),
            (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nabc", "unknown transfer encoding"),
            (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", "invalid chunks"),
            (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc", "invalid chunks"),
            (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffff\r\n", "invalid chunks"),
            (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n", "larger than 4 bytes"),
        ] {
            let error = answered(answer, 4).expect_err(expected).to_string();
            assert!(error.contains(expected), "{error}, but expected {expected}");
        }
    }

    #[test]
    fn an_answer_that_does_not_end_ends_at_the_deadline() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let endpoint = Endpoint(listener.local_addr().expect("an address"));
        let server = thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("a connection");
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n");
            while stream.write_all(b"a").is_ok() {
                thread::sleep(Duration::from_millis(1));
            }
        });
        let request = Request { endpoint, target: "/", headers: &[], limit: 1 << 30 };
        let error = request.get(Deadline::after(Duration::from_millis(50))).expect_err("it has no end");
        assert_eq!(error.to_string(), "no whole answer in time");
        server.join().expect("the connection was closed");
    }

    #[test]
    fn only_statuses_that_stay_are_final() {
        for (status, is_final) in
            [(400, true), (404, true), (410, true), (403, false), (429, false), (502, false), (503, false)]
        {
            assert_eq!(HttpError::Status(status).is_final(), is_final, "{status}");
        }
    }
}
