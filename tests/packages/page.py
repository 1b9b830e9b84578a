#!/usr/bin/env python3
"""Drives the page in headless Chromium: test.py PAGE PROGRAM [SCREENSHOTS].

PROGRAM is the command line, whose answers the page must repeat. Needs Debian's chromium, chromium-driver and python3-selenium; if
AXE names axe-core's axe.min.js, each view is judged by it.
"""

import base64
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

ERROR = 'kubelet[812]: E1123 "Unable to register node with API server" err="Unauthorized" node="aks-pool1-1-vmss000002"'
VIEWS = ["explain", "inspect", "diff", "document"]
# Of the page as a server sends it, compressed with gzip, in bytes.
SIZE_LIMIT = 1_500_000


def ours(program, *arguments, text=""):
    return subprocess.run([program, *arguments], input=text, capture_output=True, text=True, check=False).stdout


class Browser:
    def __init__(self, page, width, is_dark=False, *more):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", f"--window-size={width},1000", *more]:
            options.add_argument(argument)
        if is_dark:
            options.add_argument("--force-dark-mode")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.resize(width, 1000)
        scheme = "dark" if is_dark else "light"
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        self.driver.get(page.resolve().as_uri())
        self.until(lambda: self.driver.execute_script("return document.documentElement.dataset.ready") == "true")

    def resize(self, width, height):
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})

    def until(self, condition):
        return WebDriverWait(self.driver, 60).until(lambda _: condition())

    def element(self, name):
        return self.driver.find_element(By.ID, name)

    def open(self, view):
        self.element(f"tab-{view}").click()

    def paste(self, name, text):
        self.driver.execute_script(
            "const field = document.getElementById(arguments[0]); field.value = arguments[1]; field.dispatchEvent(new Event('input'));", name, text)

    def answer(self, name, text):
        """Waits until an answer has a text, and returns the whole answer."""
        self.until(lambda: text in self.element(name).text)
        return self.element(name).text

    def errors(self):
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]


def use(browser, program, screenshots):
    def screenshot(name):
        for button in browser.driver.find_elements(By.TAG_NAME, "button"):
            size = button.size
            assert size["height"] <= size["width"], f"{name}: the label of {button.text!r} is broken into lines"
        if screenshots:
            browser.driver.save_screenshot(str(screenshots / f"{name}.png"))

    expected = json.loads(ours(program, "explain", "-", "--format", "json", text=ERROR))
    browser.paste("explain-text", ERROR)
    shown = browser.answer("explain-answer", expected["causes"][0]["cause"].replace("`", ""))
    assert expected["layer"] in shown and expected["evidence"] in shown
    screenshot("explain")

    plain = json.loads(ours(program, "generate", "--example", "ubuntu-azure-cni", "--route", "scriptless"))["customData"]
    other = json.loads(ours(program, "generate", "--example", "kubenet-calico", "--route", "scriptless"))["customData"]
    document = ours(program, "generate", "--example", "ubuntu-azure-cni", "--print")
    token = next(line.split(": ")[1].strip("'\"") for line in document.splitlines() if "tls_bootstrapping_token:" in line)
    secret = token.split(".")[1]

    browser.open("inspect")
    browser.paste("inspect-text", plain)
    shown = browser.answer("inspect-answer", "/opt/azure/containers/aks-node-controller-config.json")
    assert "[redacted]" in shown and secret not in browser.driver.page_source.split('id="example-document"')[0]
    screenshot("inspect")
    browser.element("inspect-clear").click()
    browser.answer("inspect-answer", secret)
    browser.element("inspect-clear").click()
    with tempfile.NamedTemporaryFile(suffix=".gz") as file:
        file.write(gzip.compress(base64.b64decode(plain), mtime=0))
        file.flush()
        browser.element("inspect-file").send_keys(file.name)
        browser.answer("inspect-answer", "gzip")

    browser.open("diff")
    browser.paste("diff-before", plain)
    browser.paste("diff-after", plain)
    browser.answer("diff-answer", "Both make the same node")
    browser.paste("diff-after", other)
    assert secret not in browser.answer("diff-answer", "KUBERNETES_VERSION")
    screenshot("diff")

    browser.open("document")
    browser.paste("document-text", document.replace("kubernetes_version: ", "kubernetes_versionn: ", 1))
    browser.answer("document-answer", "Not valid")
    browser.answer("document-answer", "kubernetes_versionn")
    screenshot("findings")
    browser.paste("document-text", document)
    browser.answer("document-answer", "Valid")
    browser.element("document-render").click()
    browser.answer("document-result", "Route scriptless")
    bytes_of_page = browser.driver.execute_script(
        "return JSON.parse(wasm_bindgen.generate(arguments[0], 'scriptless', 'ubuntu')).customData", document)
    assert bytes_of_page == plain, "the page renders other bytes than the program"
    screenshot("render")

    took = browser.driver.execute_script(
        "const start = performance.now(); wasm_bindgen.explain(arguments[0]); return performance.now() - start", ERROR)
    print(f"explain: {took:.1f} ms")


def check_keyboard(browser):
    browser.element("tab-explain").click()
    for view in [*VIEWS[1:], VIEWS[0]]:
        browser.driver.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
        active = browser.driver.switch_to.active_element
        assert active.get_attribute("id") == f"tab-{view}" and browser.element(view).is_displayed(), view
        assert sum(browser.element(other).is_displayed() for other in VIEWS) == 1


def check_connections(browser):
    for call in ["fetch('https://example.com/')", "fetch(location.href)", "new Promise((ok, no) => { const i = new Image(); i.onload = ok; i.onerror = no; i.src = 'https://example.com/x.png'; })",
                 "new Promise((ok, no) => { const s = new WebSocket('wss://example.com/'); s.onopen = ok; s.onerror = no; })"]:
        ended = browser.driver.execute_async_script(
            f"const done = arguments[0]; document.addEventListener('securitypolicyviolation', (event) => done(event.effectiveDirective), {{once: true}});"
            f"try {{ Promise.resolve({call}).then(() => done('connected'), () => {{}}); }} catch {{}}")
        assert ended in ("connect-src", "img-src"), f"{call}: {ended}"
    browser.driver.get_log("browser")


def check_accessibility(browser, scheme):
    axe = os.environ.get("AXE")
    if not axe:
        print("not judged: AXE does not name axe-core")
        return
    for view in VIEWS:
        browser.open(view)
        # The policy forbids foreign scripts, so the driver brings it.
        browser.driver.execute_script(pathlib.Path(axe).read_text())
        found = browser.driver.execute_async_script("axe.run().then(arguments[0])")["violations"]
        found = [(one["id"], [node["html"] for node in one["nodes"]][:3]) for one in found]
        assert not found, f"{view}, {scheme}: {found}"


def main():
    page, program = map(pathlib.Path, sys.argv[1:3])
    size = len(gzip.compress(page.read_bytes(), 9))
    assert size < SIZE_LIMIT, f"{page}: {size} bytes compressed, limit {SIZE_LIMIT}"
    screenshots = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
    for width, is_dark in [(1200, False), (1200, True), (380, False)]:
        browser = Browser(page, width, is_dark)
        try:
            scheme = f"{width} pixels, {'dark' if is_dark else 'light'}"
            shots = screenshots / f"{width}-{'dark' if is_dark else 'light'}" if screenshots else None
            if shots:
                shots.mkdir(parents=True, exist_ok=True)
            use(browser, program.resolve(), shots)
            check_keyboard(browser)
            check_accessibility(browser, scheme)
            wide = browser.driver.execute_script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert wide <= 0, f"{scheme}: {wide} pixels too wide"
            assert not browser.errors(), browser.errors()
            check_connections(browser)
            print(f"{scheme}: passed")
        finally:
            browser.driver.quit()


if __name__ == "__main__":
    main()
