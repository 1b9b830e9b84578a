"""Prints what each step of provisioning changes and reads, from the trace of a run: SCRIPT ROOT <TRACE. SCRIPT names the steps, and paths
below ROOT are those of the machine. A line is `STEP writes PATH`, `STEP removes PATH`, `STEP reads PATH`, if another step writes it, or
`STEP VERB UNIT`. What happens before the event of a step belongs to it, except in processes of a step that runs beside others."""

import re
import sys
from bisect import bisect
from collections import defaultdict

script, root = sys.argv[1:]
STEPS = dict((name, way) for way, name in re.findall(r"^\t(step|attempt|beside) (\w+) ", open(script).read(), re.M))
# What is no effect of a step: logs, the world of the test, packages, caches, what exists for a moment, and settings of the distribution.
NOT = re.compile(r"^/(var/(log|cache|tmp|lib/(apt|dpkg|containerd))|tmp|dev|proc/(?!sys/)|opt/(test|m$)|run/aks-provision)|^/\./|/\.[^/]*$|/etc/(passwd|shadow)[.+-][^/]*$|/ld\.so\.cache|^/proc/sys/(fs/protected_|kernel/pid_max)|/\.unpack\.|\.part$")
# Directories whose files depend on the machine.
WHOLE = re.compile(r"^(/etc/ssl/certs|/opt/cni/bin|/usr/local/share/ca-certificates/certs)/.*")
# The inner number is that of a process in the PID namespace of the machine.
CALL = re.compile(r"^(\d+) +(\w+)\((.*)\) += (-?\d+)(?: /\* (\d+) in strace's PID NS)?", re.S)
PATH = re.compile(r'(?:(AT_FDCWD|\d+)<([^>]*)>, )?"([^"]*)"')
# Files that most programs read.
COMMON = ("/etc/passwd", "/etc/shadow", "/etc/environment")
STARTS = re.compile("clone|v?fork")
EVENT = re.compile(r'\\"TaskName\\":\\"AKS\.CSE\.(\w+)\\"')


def calls(lines):
    """The system calls that succeeded, and their processes: number and life, because a number is used again after its process has exited."""
    begun, exits, found = {}, defaultdict(list), []
    for at, line in enumerate(lines):
        process = line.split(" ", 1)[0]
        if re.match(r"\d+ +\+\+\+ ", line):
            exits[process].append(at)
        elif line.endswith("<unfinished ...>\n"):
            begun[process] = at, line.removesuffix(" <unfinished ...>\n")
        else:
            began = at
            if resumed := re.match(r"\d+ +<\.\.\. \w+ resumed>(.*)", line, re.S):
                began, beginning = begun.pop(process, (at, ""))
                line = beginning + resumed[1]
            if (call := CALL.match(line)) and int(call[4]) >= 0:
                found.append((began, call))
    for began, call in found:
        def named(number):
            return number, bisect(exits[number], began)

        process, name, arguments, result, translated = call.groups()
        yield named(process), name, arguments, named(translated or result)


def paths(arguments):
    for _, directory, path in PATH.findall(arguments):
        path = path if path.startswith("/") else f"{directory.removeprefix(root)}/{path}"
        path = WHOLE.sub(r"\1/*", re.sub(r"/+", "/", path.removeprefix(root)))
        if not NOT.search(path):
            yield path


def effects(name, arguments):
    if name == "execve":
        words = re.findall(r'"((?:[^"\\]|\\.)*)"', arguments)
        if words[1] == "systemctl" and words[2] in ("restart", "start", "stop", "enable", "disable", "unmask"):
            return {f"{words[2]}s {word}" for word in words[3:] if "." in word}
        return {f"reads {path}" for path in list(paths(arguments))[:1]}
    if name.startswith(("rename", "symlink", "link")):
        return {f"writes {path}" for path in list(paths(arguments.split('"', 2)[2]))[-1:]}
    if name.startswith("unlink"):
        return {f"removes {path}" for path in paths(arguments)}
    verb = "writes" if re.search(r"O_WRONLY|O_RDWR|O_CREAT", arguments) else "reads"
    return {f"{verb} {path}" for path in paths(arguments)}


trace = list(calls(sys.stdin))
# The parent of each process, and how many steps had ended when the process was born.
born, ended, shell = {}, [], None
# Steps that run beside others, by the process that leaves their event.
beside = {}
for process, name, arguments, result in trace:
    if STARTS.match(name):
        born[result] = process, born[process][1] if process in born and process != shell else len(ended)
    elif name == "write" and (event := EVENT.search(arguments)):
        if STEPS.get(event[1]) == "beside":
            beside[process] = event[1]
        elif event[1] in STEPS:
            ended.append(event[1])
            shell = process
# What runs before and after the shell of the steps.
others, process = set(), shell
while process in born:
    process = born[process][0]
    others.add(process)


def step_of(process, now):
    """The step that a process belongs to, which it may outlive."""
    while process in born and process not in beside and process != shell and process not in others:
        process, now = born[process]
    return beside.get(process) or (ended[now] if process == shell and now < len(ended) else None)


found, now = defaultdict(set), 0
for process, name, arguments, _ in trace:
    if name == "write":
        event = EVENT.search(arguments)
        now += bool(event) and STEPS.get(event[1], "beside") != "beside"
    elif not STARTS.match(name):
        found[step_of(process, now)] |= effects(name, arguments)
found.pop(None, None)

writers = defaultdict(set)
for step, of_step in found.items():
    for effect in of_step:
        if effect.startswith("writes "):
            writers[effect.removeprefix("writes ")].add(step)
lines = []
for step, of_step in found.items():
    for effect in of_step:
        verb, target = effect.split(" ", 1)
        if verb != "reads" or target not in COMMON and writers[target] - {step}:
            lines.append(f"{step} {effect}")
print("\n".join(sorted(lines)))
