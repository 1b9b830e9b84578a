#!/usr/bin/python3
"""Copies a cloud-config without its secrets, for the log bundle. Fails for a file that it cannot parse."""

import argparse
import base64
import binascii
import re
import zlib

import yaml


REDACTED = b"[redacted]"

NAMES = rb"(?:token|passw(?:or)?d|pwd|passphrase|secret|credentials?|(?<=[\"'])auth|[_-]key|(?:access|account|private|shared|api)key|client-key-data)"
QUOTED = rb"\"(?:[^\"\\]|\\[\s\S]){0,16384}\"?|'[^']{0,16384}'?"
MEMBER = rb"(?:[|>][+-]?[ \t]*\n(?:[ \t]+[^\n]*(?:\n|$))+|\[[^\]]{0,4096}\]?|" + QUOTED + rb"|\\\"[^\\]{0,4096}|[^\s\"']+)"
WORD = rb"(?:\\\"[^\\]{0,4096}|(?:" + QUOTED + rb"|\\[\s\S]|[^\s\"'\\;&])+)"
PATTERNS = [
    re.compile(pattern, flags)
    for pattern, flags in (
        (rb"(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----)(?:[^-]|-(?!----)){1,65536}", 0),
        (rb"()LS0tLS1CRUdJTiB(?:QUklW|SU0Eg|FQyBQ|PUEVO|FTkNS|EU0Eg)[A-Za-z0-9+/=\\\r\n]*", 0),
        (rb"((?<![\w-]))eyJ[\w-]{5,}\.eyJ[\w-]{5,}\.[\w-]*", 0),
        (rb"((?<![a-z0-9.]))[a-z0-9]{6}\.[a-z0-9]{16}(?![a-z0-9.])", 0),
        (rb"(://)[^\s\"'<>]{1,200}@", 0),
        (rb"([?&;#]sig=)[^&\s\"'<>]+", re.I),
        (rb"(authorization[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?)[^\r\n\"']+", re.I),
        (rb"(\b(?:basic|bearer) )[\w.~+/=-]{8,}", re.I),
        (rb"(<[\w:]{0,40}(?:password|secret|token|key)>)[^<]+", re.I),
        (rb"(\s(?:--user|-u)[ =]{1,4}[\"']?[^\s:\"']{0,64}:)[^\s\"']+", 0),
        (rb"(\blogin\s[^\n]{0,200}?\s-p[ =]?)\S+", 0),
    )
]
ASSIGNMENTS = [
    re.compile(pattern, re.I | re.M)
    for pattern in (
        rb"^([ \t]{0,200}(?:- )?[\"']?[\w.-]{0,64}?" + NAMES + rb"[\"']?[ \t]{0,8}:[ \t]{1,8})([^\s\"'|>\[{][^\n]*)",
        rb"(" + NAMES + rb"\\?[\"']?[ \t]{0,8}:[ \t]{0,8})(" + MEMBER + rb")",
        rb"(\s--[\w-]{0,40}" + NAMES + rb"[ =]{1,4})(" + WORD + rb")",
        rb"(" + NAMES + rb"\\?[\"']?[ \t]{0,8}:?=[ \t]{0,8})(" + WORD + rb")",
    )
]
HARMLESS = re.compile(rb"[\"']?(?:true|false|null|none|~)?[\"']?", re.I)
SECRET_CONTENT = re.compile(
    rb"PRIVATE KEY-----|LS0tLS1CRUdJTiB(?:QUklW|SU0Eg|FQyBQ|PUEVO|FTkNS|EU0Eg)|PuTTY-User-Key-File|AGE-SECRET-KEY-|client-key-data|\"auths\"\s{0,8}:"
)
KUBECONFIG = (re.compile(rb"\bkind[\"']?\s{0,8}:\s{0,8}[\"']?Config\b"), re.compile(rb"\b(?:token|password)[\"']?\s{0,8}:"))


def without_value(match):
    return match[0] if HARMLESS.fullmatch(match[2]) else match[1] + REDACTED


def without_secrets(text):
    for pattern in PATTERNS:
        text = pattern.sub(rb"\1" + REDACTED, text)
    for pattern in ASSIGNMENTS:
        text = pattern.sub(without_value, text)
    return text


def is_named_secret(name):
    return re.search(rb"(?i)" + NAMES + rb"$", str(name).encode(errors="replace")) is not None


def is_secret(content):
    return bool(SECRET_CONTENT.search(content)) or all(part.search(content) for part in KUBECONFIG)

WHOLE = re.compile(
    r"^(/etc/kubernetes/(sp\.txt|azure\.json|.*\.key)|/opt/azure/containers/(aks-node-controller-config\.json"
    r"|aks-node-controller-nbc-cmd\.sh|boothook\.sh|nodecustomdata\.yml)|/opt/bin/boothook\.sh|/etc/oras/.*|.*kubeconfig.*"
    r"|/etc/ssh/.*_key|.*/\.(ssh|docker)/.*)$"
)
MEMBERS = ("users", "chpasswd", "password", "ssh_keys", "rh_subscription", "phone_home")
ENCODED = re.compile(r"[A-Za-z0-9+/]{80,}={0,2}")
FLAG = re.compile(r"^(?:-u|--user|--[\w-]*" + NAMES.decode() + r")$", re.I)
LOGIN = re.compile(FLAG.pattern + "|^-p$", re.I)
SHOWN = REDACTED.decode()
BASE64, GZIP = ("b64", "base64"), ("gz", "gzip")


def shown(text):
    return without_secrets(text.encode(errors="surrogateescape")).decode(errors="surrogateescape")


def walked(value):
    if isinstance(value, dict):
        return {name: SHOWN if is_named_secret(name) and not isinstance(one, (bool, type(None))) else walked(one) for name, one in value.items()}
    if isinstance(value, list):
        flag = LOGIN if "login" in value else FLAG
        return [SHOWN if number and flag.match(str(value[number - 1])) else walked(one) for number, one in enumerate(value)]
    if isinstance(value, str):
        return SHOWN if is_secret(value.encode(errors="replace")) else ENCODED.sub(SHOWN, shown(value))
    return SHOWN if isinstance(value, bytes) else value


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
