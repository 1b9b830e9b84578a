"""An HTTPS server and an HTTP server on loopback: server.py CERTIFICATE KEY.

Prints both ports. /NAME is the file NAME with `content`; /NAME.sha256 is, by NAME: `sum`: its checksum, as `sha256sum` prints it; `other`:
another; `empty`: nothing; `page`: a web page with status 200; `broken`: status 500; anything else: 404. /away/NAME redirects to HTTP, and /over/NAME to
HTTPS. Ends with its standard input.
"""

import hashlib
import http.server
import ssl
import sys
import threading

CONTENT = b"content\n"
SUMS = {
    "sum": (200, hashlib.sha256(CONTENT).hexdigest() + "  sum\n"),
    "other": (200, "0" * 64 + "  other\n"),
    "empty": (200, ""),
    "page": (200, "<!DOCTYPE html><title>Sign in</title>\n"),
    "broken": (500, ""),
}
ports = {}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        path = self.path.partition("?")[0]
        first, _, rest = path[1:].partition("/")
        if rest and first in ("away", "over"):
            scheme = {"away": "http", "over": "https"}[first]
            self.send_response(302)
            self.send_header("Location", f"{scheme}://localhost:{ports[scheme]}/{rest}")
            self.send_header("Content-Length", "0")
            return self.end_headers()
        status, body = 200, CONTENT
        if path.endswith(".sha256"):
            status, text = SUMS.get(path[1:].removesuffix(".sha256"), (404, ""))
            body = text.encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


for scheme in ("https", "http"):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if scheme == "https":
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        server.socket = context.wrap_socket(server.socket, server_side=True)
    ports[scheme] = server.server_address[1]
    threading.Thread(target=server.serve_forever, daemon=True).start()
print(ports["https"], ports["http"], flush=True)
sys.stdin.read()
