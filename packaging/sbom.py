#!/usr/bin/env python3
"""sbom.py VERSION TARGET PROGRAM: prints the parts of the program as CycloneDX 1.5 (https://cyclonedx.org/docs/1.5/json)."""

import datetime
import hashlib
import json
import os
import sys
import uuid

from dependencies import dependencies


def reference(package):
    return f"pkg:cargo/{package[0]}@{package[1]}"


def component(package):
    name = (package["name"], package["version"])
    described = {
        "type": "library",
        "bom-ref": reference(name),
        "name": name[0],
        "version": name[1],
        "purl": reference(name),
        "licenses": [{"expression": package["license"].replace("/", " OR ")}],
        "hashes": [{"alg": "SHA-256", "content": package["checksum"]}],
    }
    if package["description"]:
        described["description"] = " ".join(package["description"].split())
    if package["repository"]:
        described["externalReferences"] = [{"type": "vcs", "url": package["repository"]}]
    return described


def main():
    version, target, program = sys.argv[1:]
    root, crates = dependencies(target)
    with open(program, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    this = reference((root["name"], version))
    depends = [{"ref": this, "dependsOn": [reference(used) for used in root["uses"]]}]
    depends += [{"ref": reference((crate["name"], crate["version"])),
                 "dependsOn": [reference(used) for used in crate["uses"]]} for crate in crates]
    time = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    bom = {
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        # The same program has the same number.
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'sha256:{digest}')}",
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": this,
                "name": root["name"],
                "version": version,
                "description": root["description"],
                "licenses": [{"expression": root["license"]}],
                "purl": this,
                "hashes": [{"alg": "SHA-256", "content": digest}],
                "properties": [{"name": "target", "value": target}],
            },
        },
        "components": [component(crate) for crate in crates],
        "dependencies": depends,
    }
    json.dump(bom, sys.stdout, indent=2, ensure_ascii=False)
    print()


main()
