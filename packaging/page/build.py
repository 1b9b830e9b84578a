#!/usr/bin/env python3
"""Puts the program, its example texts, style and script into one page: build.py WASM BINDINGS OUT.

WASM and BINDINGS are what wasm-bindgen writes for `--target no-modules`. The page has a policy that forbids every connection, and
allows the script and the style by their hashes. The same program gives the same bytes.
"""

import base64
import gzip
import hashlib
import json
import pathlib
import sys
import tomllib

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent

ERROR = """E1123 09:41:12.518034    2317 kubelet_node_status.go:113] "Unable to register node with API server" err="Unauthorized" node="aks-pool1-31415926-vmss000002"
"""


def digest(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def inline(text):
    """A JSON string that cannot end the element that it is in."""
    return json.dumps(text).replace("<", "\\u003c")


def main():
    wasm, bindings, out = map(pathlib.Path, sys.argv[1:])
    script = bindings.read_text() + (HERE / "page.js").read_text()
    style = (HERE / "page.css").read_text()
    if "</script" in script or "</style" in style:
        sys.exit("error: the script or the style would end its element")
    policy = f"default-src 'none'; script-src {digest(script)} 'wasm-unsafe-eval'; style-src {digest(style)}"
    policy += "; img-src data:; base-uri 'none'; form-action 'none'"
    parts = {
        "POLICY": policy,
        "STYLE": style,
        "SCRIPT": script,
        "VERSION": tomllib.loads((ROOT / "Cargo.toml").read_text())["package"]["version"],
        "ERROR": inline(ERROR),
        "DOCUMENT": inline((ROOT / "testdata/examples/ubuntu-azure-cni.yaml").read_text()),
        "PROGRAM": base64.b64encode(gzip.compress(wasm.read_bytes(), 9, mtime=0)).decode(),
    }
    page = (HERE / "page.html").read_text()
    for name, text in parts.items():
        page = page.replace(f"@{name}@", text, 1)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(page)
    print(f"{out}: {len(page)} bytes, {len(gzip.compress(page.encode(), 9))} compressed")


main()
