"""Starts a kubelet with each line of a file, and writes whether it stays: starts.py KUBELET FILE RESULT. Runs below world.sh."""

import json
import os
import re
import shutil
import subprocess
import sys
import time

# A kubelet that has started checks its managers within this time.
STAYS, LONGEST = 0.8, 120
ROOT = "/var/lib/kubelet"
LOG = "/mnt/kubelet.log"


def renew():
    for name in os.listdir(ROOT):
        path = f"{ROOT}/{name}"
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path, ignore_errors=True)
        else:
            os.unlink(path)
    for name in ("kubeconfig", "bootstrap-kubeconfig"):
        shutil.copy("/mnt/kubeconfig", f"{ROOT}/{name}")
    shutil.copytree("/mnt/credential-provider", f"{ROOT}/credential-provider")
    shutil.copy("/mnt/credential-provider-config.yaml", ROOT)


def cause(text):
    """The line of the log that says why the kubelet has ended."""
    lines = [line for line in text.splitlines() if re.match(r"[EF]\d{4} |Error: |panic: ", line) or "command failed" in line]
    for line in lines:
        if re.search(r"command failed|[Ff]ailed to (run|start)|^panic|^Error", line):
            return re.sub(r"^.*?\] ", "", line)[:600]
    return (lines or text.splitlines() or [""])[-1][:600]


def answer(kubelet, call):
    renew()
    if call["file"] is not None:
        with open("/mnt/kubeletconfig.json", "w", encoding="utf-8") as file:
            file.write(call["file"])
    began = time.monotonic()
    started = None
    with open(LOG, "wb") as log:
        process = subprocess.Popen([kubelet, *call["arguments"]], stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    while process.poll() is None:
        now = time.monotonic()
        if started is None:
            with open(LOG, "rb") as log:
                started = now if b"Started kubelet" in log.read() else None
        if now - began > LONGEST or (started and now - started > STAYS):
            break
        time.sleep(0.05)
    ended = process.poll() is not None
    process.kill()
    process.wait()
    with open(LOG, encoding="utf-8", errors="replace") as log:
        text = log.read()
    how = "ends" if ended else "accepted" if started else "does not start"
    return {"how": how, "said": "" if how == "accepted" else cause(text)}


def main():
    kubelet, given, said = sys.argv[1:]
    with open(given, encoding="utf-8") as calls, open(said, "w", encoding="utf-8") as results:
        for line in calls:
            call = json.loads(line)
            results.write(json.dumps({"at": call["at"], **answer(kubelet, call)}) + "\n")
            results.flush()


if __name__ == "__main__":
    main()
