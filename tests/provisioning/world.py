"""The world of a node under test: metadata service, wire server, packages, registry, API server, DNS. All on loopback.

Call: world.py DIRECTORY [ADDRESS], with the address of packages and names. In the directory: metadata.json, files/ (what packages.* serve by name), server.pem (key and
certificate), authority.pem and authority.key (which sign client certificates), token (the bootstrap token that the API server
takes), addresses (lines `NAME ADDRESS` of what is elsewhere), no_host (if it exists, the wire server is somebody else's), host (an address: ports 8080 and 32526 there answer what the wire server and the host's plugin do not know here), faults (lines `HOST/PATH FAULT`, read at each request; faults: a status, hang, truncate, close, unsigned). Writes requests.log there, and the file `up` when all listens.
"""

import base64
import http.client
import http.server
import json
import os
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time

DIRECTORY = sys.argv[1]
ADDRESS = sys.argv[2] if len(sys.argv) > 2 else "10.9.0.1"


def read(name, default=""):
    try:
        with open(os.path.join(DIRECTORY, name), encoding="utf-8") as file:
            return file.read()
    except OSError:
        return default


def fault_of(place):
    """The fault of the longest line that the place begins with."""
    found = ("", None)
    for line in read("faults").splitlines():
        begin, fault = line.split()
        if place.startswith(begin) and len(begin) > len(found[0]):
            found = (begin, fault)
    return found[1]


# https://kubernetes.io/docs/reference/access-authn-authz/certificate-signing-requests/
CERTIFICATES = "/apis/certificates.k8s.io/v1/certificatesigningrequests"
REQUESTS = {}


def certificate_request(name, fault):
    """A request as it stands: signed at once, if it is one of a node. As the signer demands it, the subject is a node's."""
    spec = REQUESTS[name]
    document = {"metadata": {"name": name}, "spec": spec, "status": {}}
    request = base64.b64decode(spec["request"])
    subject = subprocess.run(["openssl", "req", "-noout", "-subject", "-nameopt", "RFC2253"], input=request, capture_output=True, check=True).stdout.decode()
    of_a_node = subject.startswith("subject=CN=system:node:") and ",O=system:nodes" in subject
    if fault != "unsigned" and of_a_node and spec["signerName"] == "kubernetes.io/kube-apiserver-client-kubelet":
        signed = subprocess.run(["openssl", "x509", "-req", "-days", "1", "-CA", os.path.join(DIRECTORY, "authority.pem"), "-CAkey", os.path.join(DIRECTORY, "authority.key"),
                                 "-CAcreateserial"], input=request, capture_output=True, check=True).stdout
        document["status"]["certificate"] = base64.b64encode(signed).decode()
    return document


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body=b"", extra=None):
        fault = fault_of(self.place())
        if fault == "hang":
            time.sleep(3600)
        if fault == "close":
            self.connection.close()
            self.close_connection = True
            return
        if fault and fault.isdigit():
            status, body = int(fault), b"a fault\n"
        self.send_response(status)
        for name, value in (extra or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        self.wfile.write(body[: len(body) // 2] if fault == "truncate" else body)

    def place(self):
        return self.headers.get("Host", "").split(":")[0] + self.path

    def log_message(self, format, *args):
        with open(os.path.join(DIRECTORY, "requests.log"), "a", encoding="utf-8") as log:
            log.write(f"{self.command} {self.place()}\n")

    def do_GET(self):
        host, path = self.headers.get("Host", "").split(":")[0], self.path.split("?")[0]
        if host == "169.254.169.254":
            self.metadata(path)
        elif host == "168.63.129.16":
            self.wire_server(path)
        elif host.startswith("mcr."):
            self.answer(401, b"{}")
        elif host.endswith(".azmk8s.io"):
            if not self.is_allowed():
                self.answer(401, b"{}")
            elif path.startswith(CERTIFICATES + "/"):
                self.answer(200, json.dumps(certificate_request(os.path.basename(path), fault_of(self.place()))).encode())
            else:
                self.answer(200, b"{}")
        elif path == "/acs-mirror/healthz":
            self.answer(200)
        else:
            # By path for repositories, by name for archives.
            for name in (path.lstrip("/"), os.path.basename(path)):
                file = os.path.join(DIRECTORY, "files", name)
                if name and os.path.isfile(file):
                    with open(file, "rb") as content:
                        return self.answer(200, content.read())
            self.answer(404)

    def is_allowed(self):
        """By the bootstrap token, or by a client certificate of the cluster."""
        certificate = getattr(self.connection, "getpeercert", dict)()
        return bool(certificate) or self.headers.get("Authorization") == "Bearer " + read("token").strip()

    def do_PUT(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.answer(200)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        if self.path == "/oauth2/exchange" and "access_token=" + read("identity").strip() in body:
            self.answer(200, json.dumps({"refresh_token": read("refresh").strip()}).encode())
        elif self.path == CERTIFICATES and self.is_allowed():
            name = "csr-%05d" % len(REQUESTS)
            REQUESTS[name] = json.loads(body)["spec"]
            self.answer(201, json.dumps({"metadata": {"name": name}}).encode())
        else:
            self.answer(401, b"{}")

    def wire_server(self, path):
        if path == "/acms/isOptedInForRootCerts":
            self.answer(200, read("opted", '{"IsOptedInForRootCerts":false}').encode())
        elif read("host"):
            self.pass_on(read("host").strip())
        elif "comp=goalstate" in self.path:
            self.answer(200, read("goal_state").encode())
        elif "type=cacertificates" in self.path:
            self.answer(200, read("all").encode())
        elif "type=operationrequests" in self.path:
            self.answer(200, read("list").encode())
        elif "ext=crt" in self.path:
            self.answer(200, read("authority.pem").encode())
        else:
            self.answer(404)

    def pass_on(self, address):
        port = self.server.server_address[1]
        connection = http.client.HTTPConnection(address, 8080 if port == 80 else port, timeout=60)
        connection.request("GET", self.path, headers=dict(self.headers.items()))
        response = connection.getresponse()
        body = response.read()
        of_this_connection = ("content-length", "connection", "date", "server")
        self.answer(response.status, body, {name: value for name, value in response.getheaders() if name.lower() not in of_this_connection})

    def metadata(self, path):
        if self.headers.get("Metadata") != "true":
            return self.answer(400)
        if path == "/metadata/identity/oauth2/token":
            refused = "containerregistry" in self.path and os.path.exists(os.path.join(DIRECTORY, "arm_only"))
            token = "of another audience" if refused else read("identity").strip()
            return self.answer(200, json.dumps({"access_token": token}).encode())
        document = json.loads(read("metadata.json"))
        for name in path.removeprefix("/metadata/instance").strip("/").split("/"):
            document = document[name] if name else document
        return self.answer(200, json.dumps(document).encode())


def serve(address, port, tls=False):
    server = http.server.ThreadingHTTPServer((address, port), Handler)
    server.daemon_threads = True
    if tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(os.path.join(DIRECTORY, "server.pem"))
        context.load_verify_locations(os.path.join(DIRECTORY, "authority.pem"))
        context.verify_mode = ssl.CERT_OPTIONAL
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()


def serve_names(address):
    """Every name is here; a name with a fault has no address."""
    names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    names.bind((address, 53))

    def loop():
        while True:
            question, sender = names.recvfrom(4096)
            at, labels = 12, []
            while question[at]:
                labels.append(question[at + 1 : at + 1 + question[at]].decode())
                at += 1 + question[at]
            kind = struct.unpack(">H", question[at + 1 : at + 3])[0]
            unknown = fault_of("dns:" + ".".join(labels).lower()) is not None
            known = kind == 1 and not unknown
            flags = 0x8183 if unknown else 0x8180
            answer = question[:2] + struct.pack(">HHHHH", flags, 1, int(known), 0, 0) + question[12 : at + 5]
            if known:
                elsewhere = dict(line.split() for line in read("addresses").splitlines())
                answer += struct.pack(">HHHIH", 0xC00C, 1, 1, 1, 4) + socket.inet_aton(elsewhere.get(".".join(labels).lower(), ADDRESS))
            names.sendto(answer, sender)

    threading.Thread(target=loop, daemon=True).start()


serve("169.254.169.254", 80)
if not os.path.exists(os.path.join(DIRECTORY, "no_host")):
    serve("168.63.129.16", 80)
    serve("168.63.129.16", 32526)
serve(ADDRESS, 80)
serve(ADDRESS, 443, tls=True)
serve_names(ADDRESS)
serve_names("168.63.129.16")
open(os.path.join(DIRECTORY, "up"), "w", encoding="utf-8").close()
threading.Event().wait()
