#!/usr/bin/env python3
"""memory.py TIMES DIRECTORY: what a small machine had left until kubelet started and until the node was Ready, what the provisioner and
its scripts used, and the largest processes, from what guest/memory has written and the times of the run."""

import os
import sys

times_file, directory = sys.argv[1:]
times = {}
with open(times_file, encoding="utf-8") as file:
    for line in file:
        at, what, *_ = line.split()
        times.setdefault(what, float(at))
with open(os.path.join(directory, "samples"), encoding="utf-8") as file:
    samples = [(float(at), int(available), int(scripts)) for at, available, scripts in (line.split() for line in file if line.count(" ") == 2)]
with open(os.path.join(directory, "processes"), encoding="utf-8") as file:
    processes = [line.split(maxsplit=1) for line in file]

for what in ("boothook", "kubelet", "registered", "ready"):
    print(f"from boot to {what}: {times[what] - times['boot']:.0f} s")
for until in ("kubelet", "ready"):
    print(f"least memory available until {until}: {min(available for at, available, _ in samples if at < times[until]) // 1024} MiB")
print(f"least memory available: {min(available for _, available, _ in samples) // 1024} MiB")
print(f"most memory of the provisioner's unit, without files: {max(scripts for _, _, scripts in samples) / 1024:.1f} MiB")
print("largest processes: " + ", ".join(f"{name.strip()} {int(peak) / 1024:.0f} MiB" for peak, name in processes[:8]))
ours = [(int(peak), name.strip()) for peak, name in processes if name.strip().startswith("aks-node-contr")]
print("aks-node-controller: " + (f"{max(ours)[0] / 1024:.1f} MiB" if ours else "not seen"))
