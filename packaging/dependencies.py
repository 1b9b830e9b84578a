"""The dependencies that are linked into the delivered program: normal ones of its features, on one target."""

import json
import os
import re
import subprocess
import tomllib

PROJECT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


def cargo(*arguments):
    command = [os.environ.get("CARGO", "cargo"), *arguments, "--locked", "--offline"]
    return subprocess.run(command, cwd=PROJECT, check=True, stdout=subprocess.PIPE, text=True).stdout


def checksums():
    """SHA-256 of each crate's archive, by name and version."""
    with open(os.path.join(PROJECT, "Cargo.lock"), "rb") as file:
        packages = tomllib.load(file)["package"]
    return {(package["name"], package["version"]): package.get("checksum") for package in packages}


def dependencies(target):
    """Returns the program's package and its dependencies, as `cargo metadata` has them, each with `uses`: what it depends on.

    Features are those of a build: `cargo metadata` joins them with the features that tests need, and `cargo tree` does not.
    """
    packages = json.loads(cargo("metadata", "--format-version", "1", "--filter-platform", target))["packages"]
    by_name = {(package["name"], package["version"]): package for package in packages}
    tree = cargo("tree", "--edges", "normal,no-proc-macro", "--target", target, "--no-dedupe", "--prefix", "depth",
                 "--format", " {p}")
    path, linked = [], {}
    for line in tree.splitlines():
        depth, name, version = re.match(r"(\d+) (\S+) v(\S+)", line).groups()
        package = (name, version)
        del path[int(depth):]
        if path:
            linked[path[-1]].add(package)
        linked.setdefault(package, set())
        path.append(package)
    sums = checksums()
    found = []
    for key, uses in linked.items():
        package = by_name[key]
        if package["source"] is not None and sums[key] is None:
            raise SystemExit(f"error: Cargo.lock has no checksum of {key[0]} {key[1]}")
        found.append({**package, "uses": sorted(uses), "checksum": sums[key]})
    return found[0], sorted(found[1:], key=lambda package: (package["name"], package["version"]))
