#!/usr/bin/env python3
"""When what happened while a machine became a node.

  timeline.py collect EVENTS [boot]  reads the journal, as `journalctl --output=json` prints it, on standard input and the scripts'
                                     events in the directory, and prints lines TIME WHAT [MILLISECONDS]; with `boot`, when the
                                     machine started is part of it
  timeline.py text DIRECTORY            one line for each run in DIRECTORY/*.times, and what each of its steps took
  timeline.py svg DIRECTORY [RUN...]    a picture of all runs, or of these
  timeline.py compare DIRECTORY DIRECTORY  the runs of two builds side by side
"""

import datetime
import glob
import html
import json
import os
import sys

# From which moment on somebody is at work, and who it is. What a route does not have is left out.
PHASES = [
    ("boot", "systemd"),
    ("cloud-init", "cloud-init"),
    ("boothook", "ours"),
    ("controller", "ours"),
    ("scripts", "ours"),
    ("kubelet", "kubelet"),
    ("certificate", "kubelet"),
]
WHO = {"systemd": "#8a8a8a", "cloud-init": "#d08a2e", "ours": "#2f6fd0", "kubelet": "#3b9a5b"}
# Words of others, and what they say has happened.
JOURNAL = [
    ("systemd", "Starting cloud-init-local.service", "cloud-init"),
    ("systemd", "Starting kubelet.service", "kubelet"),
    ("systemd", "Started kubelet.service", "kubelet"),
    ("kubelet", "Certificate signing request is issued", "certificate"),
    ("kubelet", "Successfully registered node", "registered"),
    ("kubelet", "it just became ready", "ready"),
    ("aks-boothook", "boothook start", "boothook"),
]


def from_journal(lines, with_boot):
    times = {}
    for line in lines:
        entry = json.loads(line)
        at, message = int(entry["__REALTIME_TIMESTAMP"]) / 1e6, entry.get("MESSAGE")
        if with_boot:
            times.setdefault("boot", at)
        if not isinstance(message, str):
            continue
        for who, words, what in JOURNAL:
            if entry.get("SYSLOG_IDENTIFIER") == who and words in message:
                times.setdefault(what, at)
    return times


def seconds(text):
    return datetime.datetime.fromisoformat(text).replace(tzinfo=datetime.timezone.utc).timestamp()


def from_events(directory):
    times, steps = {}, {}
    for path in sorted(glob.glob(os.path.join(directory, "*.json"))):
        with open(path, encoding="utf-8") as file:
            event = json.load(file)
        name, began, ended = event["TaskName"], seconds(event["Timestamp"]), seconds(event["OperationId"])
        if name == "AKS.AKSNodeController.Provision" and event["Message"].startswith("Starting"):
            times.setdefault("controller", began)
        elif name == "AKS.AKSNodeController.ProvisionWait" and event["Message"].startswith("Completed"):
            times["command"] = ended
        elif name == "AKS.CSE.cse_start":
            times["scripts"], times["result"] = began, ended
        elif name.startswith("AKS.CSE.") and name.count(".") == 2 and event["Message"].startswith(("Completed", "Failed")):
            steps.setdefault(name.removeprefix("AKS.CSE."), (began, round((ended - began) * 1000)))
    return times, steps


def collect(directory, first=None):
    times, steps = from_events(directory)
    times |= from_journal(sys.stdin, first == "boot")
    lines = [(at, what, None) for what, at in times.items()] + [(at, what, took) for what, (at, took) in steps.items()]
    for at, what, took in sorted(lines):
        print(f"{at:.3f} {what}" + (f" {took}" if took is not None else ""))


class Run:
    def __init__(self, path):
        self.name = os.path.basename(path).removesuffix(".times")
        self.times, self.steps = {}, {}
        with open(path, encoding="utf-8") as file:
            for line in file:
                at, what, *took = line.split()
                if took:
                    self.steps[what] = int(took[0])
                else:
                    self.times[what] = float(at)
        began = min(self.times.values())
        self.times = {what: at - began for what, at in self.times.items()}
        self.ready = self.times.get("ready")

    def parts(self):
        """Who is at work, from when, and for how long, until the node is ready."""
        marks = sorted((self.times[what], who) for what, who in PHASES if what in self.times)
        ends = [at for at, _ in marks[1:]] + [self.ready]
        parts = []
        for (at, who), end in zip(marks, ends):
            if parts and parts[-1][0] == who:
                parts[-1] = (who, parts[-1][1], end)
            else:
                parts.append((who, at, end))
        return parts

    def shares(self):
        return {who: sum(end - at for of, at, end in self.parts() if of == who) for who in WHO}


def runs(directory):
    # A scenario that only asks the API server makes nothing happen on its machine.
    found = [Run(path) for path in sorted(glob.glob(os.path.join(directory, "*.times"))) if os.path.getsize(path)]
    return [run for run in found if run.ready is not None]


def text(directory):
    print(f"{'run':40}" + "".join(f"{who:>12}" for who in WHO) + f"{'ready':>12}{'command':>12}")
    for run in runs(directory):
        command = f"{run.times['command']:10.2f} s" if "command" in run.times else f"{'-':>12}"
        print(f"{run.name:40}" + "".join(f"{took:10.2f} s" for took in run.shares().values()) + f"{run.ready:10.2f} s{command}")
    for run in runs(directory):
        print(f"\n{run.name}")
        for what, at in sorted(run.times.items(), key=lambda pair: pair[1]):
            print(f"{at:10.2f} s  {what}")
        for what, took in sorted(run.steps.items(), key=lambda pair: -pair[1])[:8]:
            print(f"{took:9} ms  {what}")


def svg(directory, *names):
    of_all = [run for run in runs(directory) if not names or run.name in names]
    scale, row, left = 560 / max((run.ready for run in of_all), default=1), 30, 210
    height = 48 + row * len(of_all)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 840 {height}" font-family="sans-serif" font-size="13">',
        "<title>Until a node is ready, and who was at work</title>",
        "<style>text { fill: #222 } @media (prefers-color-scheme: dark) { text { fill: #ddd } }</style>",
    ]
    for index, (who, colour) in enumerate(WHO.items()):
        out.append(f'<rect x="{left + 110 * index}" y="8" width="12" height="12" fill="{colour}"/>')
        out.append(f'<text x="{left + 18 + 110 * index}" y="19">{who}</text>')
    for index, run in enumerate(of_all):
        y = 36 + row * index
        out.append(f'<text x="{left - 8}" y="{y + 15}" text-anchor="end">{html.escape(run.name.replace("_", " "))}</text>')
        for who, at, end in run.parts():
            out.append(
                f'<rect x="{left + at * scale:.1f}" y="{y}" width="{(end - at) * scale:.1f}" height="20" fill="{WHO[who]}">'
                f"<title>{who}: {end - at:.2f} s</title></rect>"
            )
        out.append(f'<text x="{left + run.ready * scale + 6:.1f}" y="{y + 15}">{run.ready:.1f} s</text>')
    print("\n".join(out + ["</svg>"]))


def compare(before, after):
    old, new = {run.name: run for run in runs(before)}, {run.name: run for run in runs(after)}
    print(f"{'run':40}{'':12}{'before':>10}{'after':>10}{'ratio':>8}")
    for name in sorted(old.keys() & new.keys()):
        rows = [(who, old[name].shares()[who], new[name].shares()[who]) for who in WHO] + [("ready", old[name].ready, new[name].ready)]
        for who, was, now in rows:
            print(f"{name:40}{who:12}{was:8.2f} s{now:8.2f} s" + (f"{now / was:8.2f}" if was else f"{'-':>8}"))
            name = ""
    for name in sorted(old.keys() ^ new.keys()):
        print(f"{name:40}only {'before' if name in old else 'after'}")


COMMANDS = {"collect": collect, "text": text, "svg": svg, "compare": compare}

if len(sys.argv) < 3 or sys.argv[1] not in COMMANDS:
    sys.exit(__doc__)
COMMANDS[sys.argv[1]](*sys.argv[2:])
