#!/usr/bin/python3
"""Copies a cloud-config without its secrets, for the log bundle. Fails for a file that it cannot parse."""

import argparse
import base64
import binascii
import re
import zlib

import yaml

#include provisioning/source/secrets.py

# Files whose whole content is secret.
WHOLE = re.compile(
    r"^(/etc/kubernetes/(sp\.txt|azure\.json|.*\.key)|/opt/azure/containers/(aks-node-controller-config\.json"
    r"|aks-node-controller-nbc-cmd\.sh|boothook\.sh|nodecustomdata\.yml)|/opt/bin/boothook\.sh|/etc/oras/.*|.*kubeconfig.*"
    r"|/etc/ssh/.*_key|.*/\.(ssh|docker)/.*)$"
)
# Members whose whole value is secret.
MEMBERS = ("users", "chpasswd", "password", "ssh_keys", "rh_subscription", "phone_home")
# Encoded content is unknown.
ENCODED = re.compile(r"[A-Za-z0-9+/]{80,}={0,2}")
# The next word of a command is secret.
FLAG = re.compile(r"^(?:-u|--user|--[\w-]*" + NAMES.decode() + r")$", re.I)
LOGIN = re.compile(FLAG.pattern + "|^-p$", re.I)
SHOWN = REDACTED.decode()
BASE64, GZIP = ("b64", "base64"), ("gz", "gzip")


def shown(text):
    return without_secrets(text.encode(errors="surrogateescape")).decode(errors="surrogateescape")


# Returns a value of the cloud-config without its secrets.
def walked(value):
    if isinstance(value, dict):
        return {name: SHOWN if is_named_secret(name) and not isinstance(one, (bool, type(None))) else walked(one) for name, one in value.items()}
    if isinstance(value, list):
        flag = LOGIN if "login" in value else FLAG
        return [SHOWN if number and flag.match(str(value[number - 1])) else walked(one) for number, one in enumerate(value)]
    if isinstance(value, str):
        return SHOWN if is_secret(value.encode(errors="replace")) else ENCODED.sub(SHOWN, shown(value))
    return SHOWN if isinstance(value, bytes) else value


# Returns the bytes of an encoded content. Fails if it is not encoded so.
def decoded(content, encoding):
    data = content.encode()
    parts = encoding.split("+")
    if any(part in BASE64 for part in parts):
        data = base64.b64decode(data)
    if any(part in GZIP for part in parts):
        unpacker = zlib.decompressobj(47)
        data = unpacker.decompress(data, 1 << 24)
        if unpacker.unconsumed_tail:
            raise ValueError("it is too long")
    return data


# Returns an entry of write_files without its secrets.
def redacted(file):
    content = file.get("content")
    if content is None:
        return file
    text, encoding = str(content), str(file.get("encoding") or "").lower()
    if WHOLE.match(str(file.get("path"))) or isinstance(content, bytes):
        return {**file, "content": SHOWN}
    if not encoding or encoding == "text/plain":
        return {**file, "content": SHOWN if is_secret(text.encode(errors="replace")) else shown(text)}
    try:
        data = decoded(text, encoding)
        harmless = not is_secret(data) and without_secrets(data) == data
    except (ValueError, binascii.Error, zlib.error):
        harmless = False
    return file if harmless else {**file, "content": SHOWN}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cloud-config-path", required=True)
    parser.add_argument("--output-path", required=True)
    paths = parser.parse_args()
    with open(paths.cloud_config_path, encoding="utf-8") as source:
        config = yaml.safe_load(source)
    if not isinstance(config, dict):
        raise SystemExit("not a cloud-config")
    copy = {}
    for name, value in config.items():
        if name == "write_files" and isinstance(value, list):
            copy[name] = [redacted(file) if isinstance(file, dict) else SHOWN for file in value]
        else:
            copy[name] = SHOWN if name in MEMBERS else walked({name: value})[name]
    with open(paths.output_path, "w", encoding="utf-8") as output:
        output.write("#cloud-config\n" + yaml.safe_dump(copy, sort_keys=False))


main()
