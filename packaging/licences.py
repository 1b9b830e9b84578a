#!/usr/bin/env python3
"""licences.py TARGET: prints the licences of everything that is linked into the program, each text once."""

import os
import re
import subprocess
import sys

from dependencies import dependencies

FILE = re.compile(r"^(licen[cs]e|copying|copyright|notice|unlicense)", re.IGNORECASE)


def texts(directory):
    """The licence files of a directory."""
    for name in sorted(os.listdir(directory)):
        path = os.path.join(directory, name)
        if FILE.match(name) and os.path.isfile(path):
            yield read(path)


def read(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().replace("\r\n", "\n").split("\n")
    return "\n".join(line.rstrip() for line in lines).strip("\n") + "\n"


def first(*paths):
    for path in paths:
        if os.path.exists(path):
            return read(path)
    raise SystemExit(f"error: none of these licence files exists: {', '.join(paths)}")


def toolchain():
    """What the compiler adds to a static program: (name, licence, texts)."""
    root = subprocess.run(["rustc", "--print", "sysroot"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    of_rust = [first(f"{root}/share/doc/rust/licenses/{name}",
                     "/usr/share/doc/libstd-rust-web-dev/copyright") for name in ("Apache-2.0.txt", "MIT.txt")]
    common = "/usr/share/common-licenses"
    return [
        ("the standard library of Rust, https://www.rust-lang.org", "MIT OR Apache-2.0", of_rust),
        ("the GNU C Library, https://www.gnu.org/software/libc, in its version for this architecture",
         "LGPL-2.1-or-later",
         [first("/usr/share/doc/libc6-dev/copyright", "/usr/share/doc/libc6/copyright"), first(f"{common}/LGPL-2.1")]),
        ("the unwinder of GCC, https://gcc.gnu.org", "GPL-3.0-or-later WITH GCC-exception-3.1",
         [first("/usr/share/doc/gcc-12-base/copyright", "/usr/share/doc/libgcc-s1/copyright")]),
    ]


def main():
    _, crates = dependencies(sys.argv[1])
    users = {}
    summary = []
    for crate in crates:
        name = f"{crate['name']} {crate['version']}"
        found = list(texts(os.path.dirname(crate["manifest_path"])))
        if not found:
            raise SystemExit(f"error: {name} has no licence file")
        summary.append(f"{name}: {crate['license']}, {crate['repository'] or 'https://crates.io/crates/' + crate['name']}")
        for text in found:
            users.setdefault(text, []).append(name)
    added = []
    for name, licence, found in toolchain():
        added.append(f"{name}: {licence}")
        for text in found:
            users.setdefault(text, []).append(name.split(",")[0])
    print("Licences of what is linked into aks-node-controller.\n")
    print("Crates:\n")
    print("\n".join(summary))
    print("\nAdded by the compiler, because the program is static:\n")
    print("\n".join(added))
    print("\nThe source of the program and Cargo.lock are enough to link it again with another version of any of these:")
    print("`make static` of the project does that.")
    for text, names in sorted(users.items(), key=lambda entry: entry[1]):
        print("\n" + "=" * 100 + "\n" + ", ".join(names) + "\n" + "-" * 100 + "\n")
        print(text, end="")


main()
