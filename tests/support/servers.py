"""Servers for the checks of a node: servers.py KIND ARGUMENT...

api CERTIFICATE KEY TOKEN OFFSET [AUTHORITY NODE]: HTTPS on a port of its own, as an API server answers GET /version: 200 with the
token, 401 without (https://kubernetes.io/docs/reference/access-authn-authz/authentication/). OFFSET seconds are added to the time of its
answers. With a certificate of AUTHORITY, a node gets its own object, which is the file NODE, and nothing else
(https://kubernetes.io/docs/reference/access-authn-authz/node/).
mute: a port that accepts connections and never answers.
platform: the metadata service and the wire server on their addresses
(https://learn.microsoft.com/azure/virtual-machines/instance-metadata-service,
https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16).

Prints the port once it listens, and ends with its standard input.
"""

import http.server
import os
import socket
import ssl
import sys
import threading
import time


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    token, offset = "", 0

    def answer(self, status, text):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def date_time_string(self, timestamp=None):
        return super().date_time_string(time.time() + self.offset)

    def log_message(self, *_):
        pass


class Api(Handler):
    node = None

    def do_GET(self):
        if self.path == "/v2/":
            return self.answer(401, "")
        certificate = self.connection.getpeercert() or {}
        names = dict(pair for part in certificate.get("subject", ()) for pair in part)
        if self.path.startswith("/api/v1/nodes/") and names:
            name = self.path.rsplit("/", 1)[1]
            if names.get("organizationName") != "system:nodes" or names["commonName"] != "system:node:" + name:
                return self.answer(403, '{"kind": "Status", "reason": "Forbidden", "code": 403}')
            if not os.path.exists(self.node):
                return self.answer(404, '{"kind": "Status", "reason": "NotFound", "code": 404}')
            with open(self.node, encoding="utf-8") as file:
                return self.answer(200, file.read())
        if self.headers.get("Authorization") == f"Bearer {self.token}":
            return self.answer(200, '{"gitVersion": "v1.33.2"}')
        return self.answer(401, '{"kind": "Status", "code": 401}')


class Metadata(Handler):
    def do_GET(self):
        good = self.headers.get("Metadata") == "true" and self.path.startswith("/metadata/instance/compute/vmId?api-version=")
        self.answer(200 if good else 400, "3a1d4f0e-6f0f-4a38-9d3a-0b1c7e2b9d10")


class WireServer(Handler):
    def do_GET(self):
        self.answer(200 if self.path == "/?comp=versions" else 400, "<Versions/>")


def serve(address, handler, context=None):
    server = http.server.ThreadingHTTPServer(address, handler)
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


kind, *arguments = sys.argv[1:]
if kind == "api":
    certificate, key, Handler.token, offset, *more = arguments
    Handler.offset = int(offset)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    if more:
        authority, Api.node = more
        context.load_verify_locations(authority)
        context.verify_mode = ssl.CERT_OPTIONAL
    print(serve(("127.0.0.1", 0), Api, context), flush=True)
elif kind == "mute":
    listener = socket.create_server(("127.0.0.1", 0), backlog=16)
    print(listener.getsockname()[1], flush=True)
else:
    serve(("169.254.169.254", 80), Metadata)
    print(serve(("168.63.129.16", 80), WireServer), flush=True)
sys.stdin.read()
