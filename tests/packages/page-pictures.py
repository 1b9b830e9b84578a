#!/usr/bin/env python3
"""Makes the pictures of docs/page.md: page-pictures.py PAGE PROGRAM DIRECTORY. Needs pngquant, and what page.py needs."""

import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True

from page import Browser, ours

# An instance view of Azure, as az prints it.
ERROR = pathlib.Path(__file__).parent.parent.parent / "testdata/explain/instance-view-50.txt"
WIDE, PHONE = 820, 380
# A picture of a page that is longer ends here.
HIGHEST = 900
# A text has few colours, and their shades.
COLOURS = "24"


def picture(browser, width, path):
    """Writes what the page shows, as high as the page is."""
    height = browser.driver.execute_script("return document.body.scrollHeight")
    browser.resize(width, min(height, HIGHEST))
    browser.driver.execute_script("document.activeElement.blur(); scrollTo(0, 0)")
    browser.driver.save_screenshot(str(path))
    subprocess.run(["pngquant", "--force", "--strip", "--nofs", "--output", path, COLOURS, path], check=True)
    print(f"{path}: {path.stat().st_size} bytes")


def explain(browser, _):
    browser.paste("explain-text", ERROR.read_text())
    browser.answer("explain-answer", "Likely causes")


def inspect(browser, program):
    browser.open("inspect")
    browser.paste("inspect-text", ours(program, "generate", "--example", "ubuntu-azure-cni", "--route", "scriptless", "--format", "custom-data"))
    browser.answer("inspect-answer", "Files")


def findings(browser, program):
    document = ours(program, "generate", "--example", "ubuntu-azure-cni", "--print")
    browser.open("document")
    browser.paste("document-text", document.replace("needs_cgroupv2: ", "needs_cgroup_v2: ", 1))
    browser.answer("document-answer", "Not valid")


PICTURES = [
    ("page-explain", explain, WIDE, False),
    ("page-inspect-dark", inspect, WIDE, True),
    ("page-findings", findings, WIDE, False),
    ("page-phone", explain, PHONE, True),
]


def main():
    page, program, directory = map(pathlib.Path, sys.argv[1:])
    for name, show, width, is_dark in PICTURES:
        browser = Browser(page, width, is_dark, "--hide-scrollbars")
        try:
            show(browser, program.resolve())
            picture(browser, width, directory / f"{name}.png")
        finally:
            browser.driver.quit()


main()
