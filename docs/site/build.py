#!/usr/bin/env python3
"""Builds the site from the pages of the repository and checks its links: build.py DIRECTORY.

The pages keep the places that they have in the repository, so that one link works on the site and in a file browser. What a page
links to and is no page of the site (a test, an example) is copied beside it as it is.
"""

import html.parser
import os
import pathlib
import posixpath
import re
import shutil
import subprocess
import sys
import urllib.parse

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
LINK = re.compile(r"\]\(([^)#]+)[^)]*\)")


def local_links(text):
    return [link for link in LINK.findall(text) if "://" not in link]


def staged(text):
    """Returns a page as the site has it: there, README.md is the index of its directory."""
    return re.sub(r"(\]\([^)]*)\bREADME\.md", r"\1index.md", text)


def stage(directory):
    """Copies the pages of the summary and what they link to."""
    shutil.copy(HERE / "book.toml", directory)
    (directory / "SUMMARY.md").write_text(staged((HERE / "SUMMARY.md").read_text()))
    pages = local_links((HERE / "SUMMARY.md").read_text())
    known = {str(page.relative_to(ROOT)) for page in (ROOT / "docs").glob("*.md")}
    for name in sorted(known - set(pages)):
        sys.exit(f"error: {name} is not in {HERE.relative_to(ROOT)}/SUMMARY.md")
    for page in pages:
        text = (ROOT / page).read_text()
        linked = {posixpath.normpath(posixpath.join(posixpath.dirname(page), link)) for link in local_links(text)}
        for name in {page} | linked:
            source = ROOT / name
            if source.suffix == ".md" and name not in pages:
                sys.exit(f"error: {page} links to {name}, which is not in the summary")
            if not source.is_file():
                continue
            target = directory / name.replace("README.md", "index.md")
            target.parent.mkdir(parents=True, exist_ok=True)
            if name in pages:
                target.write_text(staged(source.read_text()))
            else:
                shutil.copy(source, target)


class Page(html.parser.HTMLParser):
    """What a page of HTML links to, and the anchors in it."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors, self.foreign = [], set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.anchors.add(value)
            elif name in ("href", "src") and value and "://" not in value and not value.startswith(("data:", "mailto:")):
                self.links.append(value)
            elif name == "src" or (tag == "link" and name == "href"):
                self.foreign.append(value)


def check(directory):
    """Ends with an error unless every link of the site leads to a file and an anchor, and no page loads from elsewhere."""
    pages = {path.relative_to(directory).as_posix(): Page(path.read_text()) for path in directory.rglob("*.html")}
    errors, links = [], 0
    for name, page in sorted(pages.items()):
        # Its links are relative to wherever it is shown.
        if name == "404.html":
            continue
        errors += [f"{name}: loads {value}" for value in page.foreign if "://" in value]
        for link in page.links:
            links += 1
            path, anchor = urllib.parse.urldefrag(urllib.parse.unquote(link))
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
            if not (directory / target).exists():
                errors.append(f"{name}: {link} is not there")
            elif anchor and target in pages and anchor not in pages[target].anchors:
                errors.append(f"{name}: {link} has no such heading")
    for error in errors:
        print(f"error: {error}", file=sys.stderr)
    print(f"{len(pages)} pages, {links} links, {len(errors)} broken")
    return not errors


def main():
    output = pathlib.Path(os.path.abspath(sys.argv[1]))
    source = output.parent / (output.name + ".source")
    for directory in (source, output):
        shutil.rmtree(directory, ignore_errors=True)
    source.mkdir(parents=True)
    stage(source)
    subprocess.run(["mdbook", "build", "--dest-dir", output, source], check=True)
    sys.exit(0 if check(output) else 1)


main()
