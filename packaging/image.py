#!/usr/bin/env python3
"""image.py VERSION DIRECTORY TARGET=CONTENTS...: writes an OCI image layout, with the image of each target.

CONTENTS is the root of the image, which `Containerfile` describes for other builders; its last lines are its configuration.
Form: https://github.com/opencontainers/image-spec/blob/v1.1.0/image-layout.md.
"""

import datetime
import hashlib
import json
import os
import sys

from archive import compressed, packed

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


class Layout:
    def __init__(self, directory):
        self.directory = directory
        os.makedirs(os.path.join(directory, "blobs", "sha256"))

    def write(self, name, value):
        with open(os.path.join(self.directory, name), "wb") as file:
            file.write(value)

    def blob(self, kind, data):
        """Writes a blob and returns its descriptor."""
        digest = hashlib.sha256(data).hexdigest()
        self.write(os.path.join("blobs", "sha256", digest), data)
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": f"sha256:{digest}", "size": len(data)}


def encoded(value):
    return json.dumps(value, separators=(",", ":"), sort_keys=True).encode()


def instructions():
    """What `Containerfile` says about the configuration: user, entry point, labels."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Containerfile")
    with open(path, encoding="utf-8") as file:
        lines = [line.split(maxsplit=1) for line in file if line.strip() and not line.startswith("#")]
    config, labels = {}, {}
    for instruction, value in lines:
        if instruction == "USER":
            config["User"] = value.strip()
        elif instruction == "ENTRYPOINT":
            config["Entrypoint"] = json.loads(value)
        elif instruction == "LABEL":
            name, text = value.strip().split("=", 1)
            labels[name] = json.loads(text)
        elif instruction not in ("FROM", "COPY"):
            raise SystemExit(f"error: Containerfile: {instruction} is not written to the layout")
    return config, labels


def image(layout, version, target, contents):
    config, labels = instructions()
    labels["org.opencontainers.image.version"] = version
    created = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    time = created.strftime("%Y-%m-%dT%H:%M:%SZ")
    platform = {"architecture": ARCHITECTURES[target.split("-")[0]], "os": "linux"}
    archive = packed(contents + "/")
    layer = layout.blob("layer.v1.tar+gzip", compressed(archive))
    configuration = layout.blob("config.v1+json", encoded({
        **platform,
        "created": time,
        "config": {**config, "Labels": labels},
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(archive).hexdigest()}"]},
        "history": [{"created": time, "created_by": "packaging/image.py"}],
    }))
    manifest = layout.blob("manifest.v1+json", encoded({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": configuration,
        "layers": [layer],
        "annotations": {**labels, "org.opencontainers.image.created": time},
    }))
    return {**manifest, "platform": platform}


def main():
    version, directory, *targets = sys.argv[1:]
    layout = Layout(directory)
    images = [image(layout, version, *target.split("=", 1)) for target in targets]
    # One name for all architectures: a client chooses by platform.
    index = layout.blob("index.v1+json", encoded({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.index.v1+json",
        "manifests": images,
    }))
    name = {"org.opencontainers.image.ref.name": version, "io.containerd.image.name": f"aks-node-controller:{version}"}
    layout.write("index.json", encoded({"schemaVersion": 2, "manifests": [{**index, "annotations": name}]}))
    layout.write("oci-layout", encoded({"imageLayoutVersion": "1.0.0"}))


main()
