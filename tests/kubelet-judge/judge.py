"""Compares `validate` with a kubelet: judge.py PROGRAM KUBELET DIRECTORY EVERY. See run.sh."""

import base64
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import yaml

from changes import changes, flags

HERE = Path(__file__).resolve().parent
WORLDS = 2
# What is true of this world, and not of a machine.
OF_THE_WORLD = re.compile(
    "cgroup v1 support is unsupported|systemd not running on this host|not a subset of online-cpus"
    "|Expected capacity >= reservation|has some missing paths"
)


def merged(document, patch):
    if not isinstance(patch, dict):
        return patch
    document = dict(document) if isinstance(document, dict) else {}
    for key, value in patch.items():
        if value is None:
            document.pop(key, None)
        else:
            document[key] = merged(document.get(key), value)
    return document


def example(program, name, version):
    """An example as it would be for another version of Kubernetes."""
    minor = int(version.split(".")[1])
    text = subprocess.check_output([program, "generate", "--example", name, "--print"], text=True)
    document = yaml.safe_load(text)
    text = json.dumps(document).replace(document["kubernetes_version"], version)
    document = json.loads(re.sub(r"v1\.\d+\.0(?=/|\.tar)", f"v1.{minor}.0", text))
    known = {name: minors for name, _, minors in flags()}
    given = document["kubelet_config"]["kubelet_flags"]
    ignored = "--streaming-connection-idle-timeout"
    kept = {name: value for name, value in given.items() if minor in known[name[2:]] and name != ignored}
    document["kubelet_config"]["kubelet_flags"] = kept
    return document


def words(line):
    """Splits a line as systemd does."""
    try:
        return shlex.split(line)
    except ValueError:
        return line.split()


def call(program, path):
    """The arguments of the kubelet, as the unit has them, and its file. `None` if the program refuses the document."""
    run = subprocess.run([program, "env", "--config", path, "--format", "json", "--show-secrets"], capture_output=True, text=True)
    if run.returncode:
        return None
    variables = json.loads(run.stdout)
    arguments = [
        "--enable-server", "--node-labels=" + variables["KUBELET_NODE_LABELS"], "--v=2",
        "--volume-plugin-dir=/etc/kubernetes/volumeplugins",
        "--kubeconfig", "/var/lib/kubelet/kubeconfig", "--bootstrap-kubeconfig", "/var/lib/kubelet/bootstrap-kubeconfig",
        "--runtime-request-timeout=15m", "--container-runtime-endpoint=unix:///run/containerd/containerd.sock",
        # The world has no systemd, and no place in the order of the kernel's killer.
        "--cgroup-driver=cgroupfs", "--oom-score-adj=0", "--fail-cgroupv1=false",
    ]  # fmt: skip
    content = None
    if variables["KUBELET_CONFIG_FILE_ENABLED"] == "true":
        arguments += ["--config", "/mnt/kubeletconfig.json"]
        content = base64.b64decode(variables["KUBELET_CONFIG_FILE_CONTENT"]).decode()
    return {"arguments": arguments + words(variables["KUBELET_FLAGS"]), "file": content}


def findings(program, paths):
    """The severities that `validate` has for each document, without notes."""
    found = {}
    for at in range(0, len(paths), 200):
        run = subprocess.run([program, "validate", "--format", "json", *paths[at : at + 200]], capture_output=True, text=True)
        for line in run.stdout.splitlines():
            report = json.loads(line)
            found[report["file"]] = {(f["severity"], f["path"], f["problem"]) for f in report["findings"] if f["severity"] != "note"}
    return found


def main():
    program, kubelet, reports, every = sys.argv[1:]
    version = os.environ["KUBERNETES"]
    documents = {"flags": example(program, "ubuntu-azure-cni", version), "file": example(program, "kubelet-config-file", version)}
    everything = list(changes(int(version.split(".")[1])))
    chosen = everything[:2] + everything[2 :: int(every)]
    with tempfile.TemporaryDirectory(dir=reports) as directory:
        paths = []
        for at, (name, _, patch) in enumerate(chosen):
            paths.append(f"{directory}/{at}.json")
            Path(paths[-1]).write_text(json.dumps(merged(documents[name], {"kubelet_config": patch})))
        with ThreadPoolExecutor(WORLDS) as pool:
            calls = list(pool.map(lambda path: call(program, path), paths))
        worlds = []
        for world in range(WORLDS):
            jobs = [{"at": at, **one} for at, one in enumerate(calls) if one and at % WORLDS == world]
            given, said = f"{directory}/given-{world}", f"{directory}/said-{world}"
            Path(given).write_text("".join(json.dumps(job) + "\n" for job in jobs))
            command = [HERE / "world.sh", f"kubelet-judge-{os.getpid()}-{world}", sys.executable, HERE / "starts.py", kubelet, given, said]
            worlds.append((subprocess.Popen(command, stdin=subprocess.DEVNULL), said))
        answers = {}
        for process, said in worlds:
            assert process.wait() == 0, "a world has ended"
            for line in Path(said).read_text().splitlines():
                answer = json.loads(line)
                answers[answer["at"]] = answer
        found = findings(program, paths)
    known = {name: found[paths[at]] for at, name in enumerate(documents)}
    assert all(answers[at]["how"] == "accepted" for at in range(len(documents))), [answers[at] for at in range(len(documents))]
    wrong = accepted = rejected = 0
    for at, (name, description, _) in enumerate(chosen):
        answer = answers.get(at, {"how": "rejected", "said": "`env` refuses the document"})
        severities = {severity for severity, *_ in found[paths[at]] - known[name]}
        if OF_THE_WORLD.search(answer["said"]):
            continue
        if answer["how"] == "accepted":
            accepted += 1
            problem = "`validate` has an error, but the kubelet starts" if "error" in severities else None
        else:
            rejected += 1
            problem = None if severities else f"`validate` has no finding, but the kubelet {answer['how']}: {answer['said'][:200]}"
        if problem:
            wrong += 1
            print(f"{name}: {description}: {problem}")
    print(f"kubelet {version}: {accepted} changes accepted, {rejected} rejected, {wrong} judged otherwise by `validate`")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
