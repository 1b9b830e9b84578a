#!/usr/bin/python3
"""Copies a cloud-config without its secrets, for the log bundle. Fails for a file that it cannot parse."""

import argparse
import re

import yaml

# Files whose whole content is secret.
WHOLE = re.compile(
    r"^(/etc/kubernetes/(sp\.txt|azure\.json|.*\.key)|/opt/azure/containers/(aks-node-controller-config\.json"
    r"|aks-node-controller-nbc-cmd\.sh|boothook\.sh|nodecustomdata\.yml)|/opt/bin/boothook\.sh)$"
)
# Lines of other files whose value is secret.
WORD = re.compile(r"(?im)^(\s*[\"']?(?:token|password|passwd|client-key-data|secret)[\"']?\s*[:=]\s*).+$")
REDACTED = "[redacted]"


def redacted(file):
    """Returns an entry of write_files without its secrets."""
    content = file.get("content")
    if content is None:
        return file
    encoded = str(file.get("encoding", "")).lower() in ("b64", "base64", "gz", "gzip", "gz+b64", "gzip+base64", "gz+base64", "gzip+b64")
    if WHOLE.match(str(file.get("path"))) or isinstance(content, bytes):
        return {**file, "content": REDACTED}
    if "bootstrap" in str(file.get("path")) and encoded:
        return {**file, "content": REDACTED}
    return {**file, "content": WORD.sub(r"\1" + REDACTED, str(content))}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cloud-config-path", required=True)
    parser.add_argument("--output-path", required=True)
    paths = parser.parse_args()
    with open(paths.cloud_config_path, encoding="utf-8") as source:
        config = yaml.safe_load(source)
    if not isinstance(config, dict):
        raise SystemExit("not a cloud-config")
    if isinstance(config.get("write_files"), list):
        config["write_files"] = [redacted(file) if isinstance(file, dict) else file for file in config["write_files"]]
    for name in ("users", "chpasswd", "password"):
        if name in config:
            config[name] = REDACTED
    with open(paths.output_path, "w", encoding="utf-8") as copy:
        copy.write("#cloud-config\n" + yaml.safe_dump(config, sort_keys=False))


main()
