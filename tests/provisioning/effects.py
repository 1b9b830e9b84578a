"""Prints what each step of provisioning changes, from the trace of a run: SCRIPT ROOT <TRACE. SCRIPT names the steps, and paths below ROOT
are those of the machine. A line is `STEP writes PATH`, `STEP removes PATH` or `STEP VERB UNIT`. An event is the end of a step, except of
one that runs beside others, which changes nothing."""

import re
import sys

script, root = sys.argv[1:]
STEPS = set(re.findall(r"^\t(?:step|attempt) (\w+) ", open(script).read(), re.M))
# What is no effect of a step: logs, the world of the test, packages, caches, what exists for a moment, and settings of the distribution.
NOT = re.compile(r"^/(var/(log|cache|tmp|lib/(apt|dpkg|containerd))|tmp|dev|proc/(?!sys/)|opt/(test|m$)|run/aks-provision)|^/\./|/\.[^/]*$|/etc/(passwd|shadow)[.+-][^/]*$|/ld\.so\.cache|^/proc/sys/(fs/protected_|kernel/pid_max)|/\.unpack\.|\.part$")
# Directories whose files depend on the machine.
WHOLE = re.compile(r"^(/etc/ssl/certs|/opt/cni/bin|/usr/local/share/ca-certificates/certs)/.*")
CALL = re.compile(r"^\d+ +(\w+)\((.*)\) += (-?\d+)")
PATH = re.compile(r'(?:(AT_FDCWD|\d+)<([^>]*)>, )?"([^"]*)"')


def paths(arguments):
    for _, directory, path in PATH.findall(arguments):
        path = path if path.startswith("/") else f"{directory.removeprefix(root)}/{path}"
        yield WHOLE.sub(r"\1/*", re.sub(r"/+", "/", path.removeprefix(root)))


effects, current, begun = set(), set(), {}
for line in sys.stdin:
    process = line.split(" ", 1)[0]
    if line.endswith("<unfinished ...>\n"):
        begun[process] = line.removesuffix(" <unfinished ...>\n")
        continue
    if resumed := re.match(r"\d+ +<\.\.\. \w+ resumed>(.*)", line, re.S):
        line = begun.pop(process, "") + resumed[1]
    if not (call := CALL.match(line)) or int(call[3]) < 0:
        continue
    name, arguments = call[1], call[2]
    if name == "write":
        task = re.search(r'\\"TaskName\\":\\"AKS\.CSE\.(\w+)\\"', arguments)
        if task and task[1] in STEPS:
            effects |= {f"{task[1]} {effect}" for effect in current}
            current = set()
    elif name == "execve":
        words = re.findall(r'"((?:[^"\\]|\\.)*)"', arguments)
        if words[1] == "systemctl" and words[2] in ("restart", "start", "stop", "enable", "disable", "unmask"):
            current |= {f"{words[2]}s {word}" for word in words[3:] if "." in word}
    elif name.startswith("rename"):
        current |= {f"writes {path}" for path in list(paths(arguments))[1:] if not NOT.search(path)}
    elif name.startswith(("symlink", "link")):
        current |= {f"writes {path}" for path in list(paths(arguments))[1:] if not NOT.search(path)}
    elif name.startswith("unlink"):
        current |= {f"removes {path}" for path in paths(arguments) if not NOT.search(path)}
    elif re.search(r"O_WRONLY|O_RDWR|O_CREAT", arguments):
        current |= {f"writes {path}" for path in paths(arguments) if not NOT.search(path)}
print("\n".join(sorted(effects)))
