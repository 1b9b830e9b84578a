"""Writes an image with busybox as an archive for `ctr images import`: image.py ARCHITECTURE BUSYBOX ARCHIVE NAME COMMAND..."""

import hashlib
import io
import json
import sys
import tarfile

architecture, program, archive, name, *command = sys.argv[1:]


def entry(tar, path, content, mode=0o644, link=None):
    info = tarfile.TarInfo(path)
    info.mode, info.size = mode, len(content)
    if link:
        info.type, info.linkname, info.size = tarfile.SYMTYPE, link, 0
    tar.addfile(info, io.BytesIO(content))


layer = io.BytesIO()
with tarfile.open(fileobj=layer, mode="w") as tar, open(program, "rb") as busybox:
    entry(tar, "bin/busybox", busybox.read(), 0o755)
    for applet in ["sh", "sleep", "cat", "wget"]:
        entry(tar, "bin/" + applet, b"", link="busybox")
layer = layer.getvalue()
config = json.dumps({
    "architecture": architecture,
    "os": "linux",
    "config": {"Cmd": command},
    "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(layer).hexdigest()]},
}).encode()
manifest = json.dumps([{"Config": "config.json", "RepoTags": [name], "Layers": ["layer.tar"]}]).encode()
with tarfile.open(archive, "w") as tar:
    entry(tar, "config.json", config)
    entry(tar, "layer.tar", layer)
    entry(tar, "manifest.json", manifest)
