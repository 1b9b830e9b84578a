#!/usr/bin/env python3
"""What a VM with an empty page cache reads from its disk until kubelet starts.

  cold.py list DIRECTORY NAME       prints the files that the run reads first after the boothook's first line and before the node is
                                    registered, in this order: bytes read, size, path
  cold.py table DIRECTORY [NAME...] one line for each run

For each run, DIRECTORY has NAME.trace, as guest/files-read prints it, and NAME.journal, as `journalctl --output=json` does.
"""

import json
import os
import sys

PAGE = 4096
# Words of others, as in tests/timeline/timeline.py.
MARKS = [
    ("aks-boothook", "boothook start", "boothook"),
    ("systemd", "Started kubelet.service", "kubelet"),
    ("kubelet", "Successfully registered node", "registered"),
    ("kubelet", "it just became ready", "ready"),
]


class Run:
    def __init__(self, directory, name):
        self.name, self.marks, self.read, self.disk, self.stalls, self.files = name, {}, {}, [], [], {}
        with open(os.path.join(directory, name + ".journal"), encoding="utf-8") as journal:
            for line in journal:
                entry = json.loads(line)
                at, message = int(entry["__MONOTONIC_TIMESTAMP"]) / 1e6, entry.get("MESSAGE")
                self.began = min(getattr(self, "began", float("inf")), int(entry["__REALTIME_TIMESTAMP"]) / 1e6 - at)
                for who, words, what in MARKS:
                    if entry.get("SYSLOG_IDENTIFIER") == who and isinstance(message, str) and words in message:
                        self.marks.setdefault(what, at)
        pages = {}
        with open(os.path.join(directory, name + ".trace"), encoding="utf-8", errors="surrogateescape") as trace:
            for line in trace:
                kind, *rest = line.rstrip("\n").split(" ", 4 if line.startswith("file ") else -1)
                if kind == "page":
                    pages.setdefault(int(rest[1], 16), []).append((float(rest[0]), int(rest[2])))
                elif kind == "disk":
                    self.disk.append((float(rest[0]), int(rest[1]), int(rest[2])))
                elif kind == "stall":
                    self.stalls.append((float(rest[0]), int(rest[1]) / 1e6))
                elif kind == "file":
                    self.files[int(rest[0])] = (int(rest[1]), float(rest[2]), rest[3])
        # A file that was written in this boot was not read from the disk.
        for inode, read in pages.items():
            size, changed, path = self.files.get(inode, (0, 0, None))
            if path and changed < self.began:
                self.read[path] = (min(at for at, _ in read), size, read)

    def between(self, begin, end):
        """Requests, and bytes read."""
        of_these = [(requests, size) for at, requests, size in self.disk if begin <= at < end]
        return sum(requests for requests, _ in of_these), sum(size for _, size in of_these)

    def stalled(self, until):
        """Seconds in which all programs that could run have waited for the disk."""
        return max((waited for at, waited in self.stalls if at <= until), default=0)

    def files_between(self, begin, end):
        """Files that are read first at this time: when, bytes read until the end, size, path."""
        return sorted(
            (first, sum(count for at, count in read if at < end) * PAGE, size, path)
            for path, (first, size, read) in self.read.items()
            if begin <= first < end
        )


def list_files(directory, name):
    run = Run(directory, name)
    for _, read, size, path in run.files_between(run.marks["boothook"], run.marks["registered"]):
        print(read, size, path)


def table(directory, *names):
    print("                              boothook    kubelet registered      ready")
    for name in names:
        run = Run(directory, name)
        marks = [run.marks[what] for _, _, what in MARKS]
        print(f"{name:30}" + "".join(f"{at:9.1f} s" for at in marks))
        print("  stalled until then          " + "".join(f"{run.stalled(at):9.1f} s" for at in marks))
        print("  read until then             " + "".join(f"{run.between(0, at)[1] / 1e6:8.1f} MB" for at in marks))
        print("  in so many requests         " + "".join(f"{run.between(0, at)[0]:11}" for at in marks))
        boothook, kubelet = marks[:2]
        files = run.files_between(boothook, kubelet)
        print(
            f"  from the boothook to kubelet: {kubelet - boothook:.1f} s, of these {run.stalled(kubelet) - run.stalled(boothook):.1f} s stalled;"
            f" {len(files)} files are read first, {sum(read for _, read, _, _ in files) / 1e6:.1f} MB of {sum(size for _, _, size, _ in files) / 1e6:.1f} MB"
        )


COMMANDS = {"list": list_files, "table": table}

if len(sys.argv) < 3 or sys.argv[1] not in COMMANDS:
    sys.exit(__doc__)
COMMANDS[sys.argv[1]](*sys.argv[2:])
