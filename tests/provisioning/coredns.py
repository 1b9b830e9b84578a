#!/usr/bin/python3
"""Stands in for coredns: answers queries on both listeners and says that it is ready."""

import http.server
import os
import signal
import socket
import sys
import threading

if "--version" in sys.argv:
    sys.exit(0)


class Ready(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/ready" else 404)
        self.end_headers()

    def log_message(self, format, *args):
        pass


def answer(address):
    names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    names.bind((address, 53))
    while True:
        question, sender = names.recvfrom(4096)
        names.sendto(question[:2] + b"\x81\x80" + question[4:6] + b"\0\0\0\0\0\0" + question[12:], sender)


for listener in ("169.254.10.10", "169.254.10.11"):
    threading.Thread(target=answer, args=(listener,), daemon=True).start()
threading.Thread(target=http.server.HTTPServer(("169.254.10.10", 8181), Ready).serve_forever, daemon=True).start()
with open(sys.argv[sys.argv.index("-pidfile") + 1], "w", encoding="utf-8") as file:
    file.write(str(os.getpid()))
# As coredns does, whether or not whoever started it ignores the signal.
signal.signal(signal.SIGINT, lambda *_: os._exit(0))
signal.pause()
