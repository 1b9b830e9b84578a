#!/usr/bin/env python3
"""Proves that each character of each template and part is in a snapshot: coverage.py DIRECTORY

Copies the sources to DIRECTORY, replaces every visible character there by a mark, a character that occurs nowhere else,
builds the program from that, and lets the scenarios write their snapshots. A mark that is in a snapshot proves that whoever
changes its character sees this snapshot change. All marks of a build are looked for at once.

This does not see
- what the engine or the build removes: tags and comments of templates, comments and `#include` lines of scripts;
- a part that is shipped unchanged, for which a snapshot has its name.
`testdata/sources.snap.sha256` has the hash of each file.

The program checks what a template of `CHECKED` gives, and refuses marks in it. They are proven by a scenario that fails
with all of them in its message.

A condition of a template without `else` gets one with a mark, so that both ways of every condition are proven to be taken.
"""

import base64
import os
import pathlib
import re
import shutil
import subprocess
import sys

# No Unicode character is here, but Rust and Python accept it in texts.
FIRST_MARK = 0x40000
CHECKED = {"templates/containerd_ulimits.service.tera"}
TAG = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", re.DOTALL)
RAW = re.compile(r"\{%-? *raw *-?%\}.*?\{%-? *endraw *-?%\}", re.DOTALL)
BASE64 = re.compile(r"[A-Za-z0-9+/]{16,}={0,2}")


class Marks:
    """Marks, each with the place of the character that it replaces."""

    def __init__(self, first=FIRST_MARK):
        self.first = first
        self.places = {}

    def new(self, place):
        mark = chr(self.first + len(self.places))
        self.places[mark] = place
        return mark

    def replace(self, text, source, start=0):
        """Replaces the visible characters of a text; `source` is its file and the whole content."""
        name, whole = source

        def mark(found):
            line = whole.count("\n", 0, start + found.start()) + 1
            return self.new((name, line))

        return re.sub(r"\S", mark, text)


def marked_template(name, text, marks):
    out, at, conditions = "", 0, []
    pieces = [(found.span(), True) for found in RAW.finditer(text)]
    pieces += [(found.span(), False) for found in TAG.finditer(text) if not any(a <= found.start() < b for (a, b), _ in pieces)]
    for (start, end), is_raw in sorted(pieces):
        out += marks.replace(text[at:start], (name, text), at)
        tag = text[start:end]
        if is_raw:
            begin, finish = [found.span() for found in (TAG.match(tag), list(TAG.finditer(tag))[-1])]
            content = marks.replace(tag[begin[1] : finish[0]], (name, text), start + begin[1])
            tag = tag[: begin[1]] + content + tag[finish[0] :]
        else:
            word = re.sub(r"^\{%-?|-?%\}$", "", tag).split()[:1] if tag.startswith("{%") else []
            if word == ["if"]:
                conditions.append(False)
            elif word == ["else"] and conditions:
                conditions[-1] = True
            elif word == ["endif"] and not conditions.pop():
                line = text.count("\n", 0, start) + 1
                tag = "{%- else %}" + marks.new((name, f"{line}, where the condition does not hold")) + tag
        out += tag
        at = end
    return out + marks.replace(text[at:], (name, text), at)


def marked_part(name, text, marks):
    out, at = "", 0
    for line in text.splitlines(keepends=True):
        is_comment = re.match(r"\s*(# |##|#\n)", line) or line.startswith("#include ")
        out += line if name.endswith(".sh") and is_comment else marks.replace(line, (name, text), at)
        at += len(line)
    return out


def write(path, text):
    """Writes a file unless it has this content, so that cargo builds nothing without need."""
    data = text if isinstance(text, bytes) else text.encode()
    if not path.exists() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def run(sources, directory, tests, **options):
    """Builds the program from the sources and runs scenarios."""
    command = ["cargo", "test", "--quiet", "--test", "suite", "--", tests]
    environment = {**os.environ, "CARGO_TARGET_DIR": str(directory / "target"), "INSTA_UPDATE": "always", "INSTA_OUTPUT": "none"}
    return subprocess.run(command, cwd=sources, env=environment, **options)


def snapshots(sources, directory, tests):
    """Lets scenarios write their snapshots, and returns them as one text, with what they contain in base64."""
    testdata = sources / "testdata"
    kept = [file for file in testdata.rglob("*") if ".snap" in file.name and file.is_file()]
    for file in kept:
        file.unlink()
    run(sources, directory, tests, stdout=sys.stderr, check=True)
    made = [file for file in testdata.rglob("*") if ".snap" in file.name and not file.name.startswith("sources.")]
    texts = [file.read_text() for file in made if file.is_file()]
    for encoded in {found for text in texts for found in BASE64.findall(text)}:
        try:
            texts.append(base64.b64decode(encoded).decode())
        except ValueError:
            pass
    return "\n".join(texts)


def refusals(sources, directory, tests):
    """Returns the messages of scenarios that must fail, with the characters that Rust has escaped in them."""
    done = run(sources, directory, tests, stdout=subprocess.PIPE, text=True)
    if done.returncode != 101 or "test result: FAILED" not in done.stdout:
        sys.exit(f"{tests}: no scenario fails, although templates have marks")
    return re.sub(r"\\u\{([0-9a-f]+)\}", lambda escape: chr(int(escape[1], 16)), done.stdout)


def missing(marks, text):
    """Returns the places of the marks that are not in a text."""
    seen = set(text)
    return sorted({place for mark, place in marks.places.items() if mark not in seen}, key=str)


def is_named(part, text):
    return re.search(rf"(: |\(gzip of ){re.escape(part)}\)?$", text, re.MULTILINE) is not None


def main():
    directory = pathlib.Path(sys.argv[1]).absolute()
    sources = directory / "sources"
    listed = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], check=True, capture_output=True, text=True)
    files = [file for file in listed.stdout.split("\0") if os.path.isfile(file) and not os.path.islink(file)]
    for file in sources.rglob("*"):
        if file.is_file() and str(file.relative_to(sources)) not in files:
            file.unlink()
    for file in files:
        write(sources / file, pathlib.Path(file).read_bytes())
        shutil.copymode(file, sources / file)
    parts, templates = ({name: pathlib.Path(name).read_text() for name in files if name.startswith(of)} for of in ("parts/", "templates/"))
    del parts["parts/README.md"]

    # Images have no limit of size, but CustomData has one, which scripts with marks in them exceed.
    in_parts = Marks()
    for name, text in parts.items():
        write(sources / name, marked_part(name, text, in_parts))
    text = snapshots(sources, directory, "scenarios::images::")
    unchanged = {name for name in parts if is_named(name, text)}
    elsewhere = {name for name, _ in missing(in_parts, text)} - unchanged

    # CustomData has the other parts, which are small.
    in_templates, in_others = Marks(), Marks(FIRST_MARK + 0x20000)
    for name, text in templates.items():
        write(sources / name, text if name in CHECKED else marked_template(name, text, in_templates))
    for name, text in parts.items():
        write(sources / name, marked_part(name, text, in_others) if name in elsewhere else text)
    text = snapshots(sources, directory, "scenarios::")
    unseen = missing(in_templates, text) + missing(in_others, text)

    in_checked = Marks(FIRST_MARK + 0x30000)
    for name, text in {**templates, **parts}.items():
        write(sources / name, marked_template(name, text, in_checked) if name in CHECKED else text)
    unseen += missing(in_checked, refusals(sources, directory, "scenarios::configurations::"))
    for name, line in unseen:
        print(f"{name}:{line}: in no snapshot")
    if unseen:
        sys.exit(1)
    scripts = [name for name, _ in in_parts.places.values() if name not in unchanged]
    print(
        f"in snapshots: each of {len(scripts)} characters of {len(set(scripts))} parts, the names of {len(unchanged)} parts that are"
        f" shipped unchanged, and each of {len(in_templates.places)} characters of {len(templates) - len(CHECKED)} templates; refused: each of"
        f" {len(in_checked.places)} characters of {len(CHECKED)} template whose text is checked"
    )


main()
