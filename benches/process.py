#!/usr/bin/env python3
"""What one process costs: process.py PROGRAM prints Markdown. Nothing here passes or fails.

Times are those over /bin/true, which every machine has, in the same run; of several rounds the best counts, because noise only
adds. Instructions are those that valgrind counts, where it is installed: they hardly depend on the machine, and not on what else it does,
so two runs of CI can be compared. Needs Linux; without root the program is not tried in an empty root.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
DOCUMENT = os.path.join(HERE, "document.json")
NBC = os.path.join(HERE, "../testdata/nbc/ubuntu.json")
EXAMPLE = os.path.join(HERE, "../testdata/examples/ubuntu-azure-cni.yaml")


def run(arguments):
    """Runs a process without output. Returns its time in ms, and what it used."""
    nothing = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_RDWR, 0) for stream in (0, 1, 2)]
    began = time.perf_counter()
    process = os.posix_spawn(arguments[0], arguments, os.environ, file_actions=nothing)
    _, _, usage = os.wait4(process, 0)
    return (time.perf_counter() - began) * 1000, usage


def best(arguments, rounds=8, repeats=50):
    """The best mean of several rounds, in ms."""
    return min(sum(run(arguments)[0] for _ in range(repeats)) / repeats for _ in range(rounds))


def memory(*arguments):
    """The most memory that a process has had, in KB. Not from wait4: a child starts with the memory of its parent."""
    with tempfile.NamedTemporaryFile("r") as file:
        subprocess.run(["/usr/bin/time", "-f", "%M", "-o", file.name, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return file.read().split()[-1]


def instructions(*arguments):
    """The instructions of a process, in millions; nothing without valgrind."""
    if not shutil.which("valgrind"):
        return ""
    counter = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    counted = subprocess.run([*counter, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return f"{int(re.search(r'I +refs: +([0-9,]+)', counted.stderr).group(1).replace(',', '')) / 1e6:.2f}"


def row(what, *figures):
    print(f"| {what} | {' | '.join(figures)} |", flush=True)


def cpu(process):
    """The CPU time that all threads of a process have used, in ms."""
    spent = 0
    for task in os.listdir(f"/proc/{process}/task"):
        with open(f"/proc/{process}/task/{task}/schedstat") as file:
            spent += int(file.read().split()[0])
    return spent / 1e6


def until_it_watches(process):
    """Waits until a process watches files, and sleeps."""
    while True:
        links = (os.path.join(f"/proc/{process}/fd", name) for name in os.listdir(f"/proc/{process}/fd"))
        watches = any("inotify" in os.readlink(link) for link in links if os.path.islink(link))
        with open(f"/proc/{process}/stat") as file:
            if watches and file.read().rpartition(")")[2].split()[0] == "S":
                return
        time.sleep(0.01)


def processes(program, directory):
    floor = best(["/bin/true"])
    print(f"\nOne run of /bin/true takes {floor:.2f} ms.\n\n| process | ms over /bin/true | at most | million instructions |\n|---|---:|---:|---:|")

    def over(limit, *arguments, shown=None):
        what = shown or " ".join(os.path.basename(argument) for argument in arguments)
        row(f"`{what}`", f"{best([program, *arguments]) - floor:.2f}", limit, instructions(program, *arguments))

    over("", "version")
    over("2.0", "env", "--config", DOCUMENT)
    over("1.0", "generate", "--nbc", NBC)
    over("", "generate", "--config", DOCUMENT, "--route", "scriptless")
    over("", "generate", "--config", DOCUMENT)
    over("2.0", "validate", EXAMPLE)
    for route in ("scripted", "scriptless"):
        custom_data = os.path.join(directory, route)
        with open(custom_data, "wb") as file:
            subprocess.run(
                [program, "generate", "--config", DOCUMENT, "--route", route, "--format", "custom-data"], check=True, stdout=file,
                stderr=subprocess.DEVNULL,
            )
        over("5.0", "inspect", custom_data, shown=f"inspect` of {os.path.getsize(custom_data) / 1000:.0f} KB, `{route}")

    log = os.path.join(directory, "log")
    with open(os.path.join(HERE, "../testdata/diagnose/loose/kubelet.log"), "rb") as file:
        lines = file.read()
    with open(log, "wb") as file:
        file.write(lines * (5_000_000 // len(lines)))
    explained = best([program, "explain", log], rounds=5, repeats=4)
    row(f"`explain` of {os.path.getsize(log) / 1e6:.0f} MB, `log`", f"{explained - floor:.2f}", "100", instructions(program, "explain", log))


def batches(program, directory):
    """Several instances beside each other, as the Pods of a Deployment are on one machine."""
    lines, each = os.path.join(directory, "lines"), 10_000
    with open(DOCUMENT) as file:
        line = json.dumps(json.load(file)) + "\n"
    with open(lines, "w") as file:
        file.write(line * each)
    arguments = [program, "generate", "--batch", lines, "--route", "scriptless"]
    print(f"\n`generate --batch` of {each:,} documents in each instance, scriptless, on {os.cpu_count()} cores:\n")
    print("| instances | documents per second | memory of each |\n|---:|---:|---:|")
    for instances in (1, 2, 4):
        began = time.perf_counter()
        figures = [os.path.join(directory, f"memory-{number}") for number in range(instances)]
        running = [
            subprocess.Popen(["/usr/bin/time", "-f", "%M", "-o", figure, *arguments], stdout=subprocess.DEVNULL) for figure in figures
        ]
        if any(process.wait() for process in running):
            sys.exit("a batch failed")
        taken = time.perf_counter() - began
        most = 0
        for figure in figures:
            with open(figure) as file:
                most = max(most, int(file.read()))
        row(str(instances), f"{instances * each / taken:,.0f}", f"{most:,} KB")


def on_a_node(program, directory):
    print("\n| on a node | figure | at most |\n|---|---:|---:|")
    command = os.path.join(directory, "command.sh")
    with open(command, "w") as file:
        # The end shows that the file was written completely.
        file.write('echo "$EPOCHREALTIME" >"$OLDPWD/began"; cat /proc/$PPID/task/*/schedstat >"$OLDPWD/spent"; exit\n')
        file.write('# provision_start.sh" ')
    os.chdir(directory)
    spent, waited = [], []
    for number in range(20):
        began = time.time()
        subprocess.run([program, "provision", "--nbc-cmd", command, "--root", f"{directory}/{number}"], env={**os.environ, "OLDPWD": directory, "LC_ALL": "C"},
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open("spent") as file:
            spent.append(sum(int(line.split()[0]) for line in file) / 1e6)
        with open("began") as file:
            waited.append((float(file.read()) - began) * 1000)
    row("`provision`: CPU from its start to the start of the scripts", f"{min(spent):.2f} ms", "")
    row("`provision`: time from its start to the first command of the scripts", f"{min(waited):.1f} ms", "5")

    with open(command, "w") as file:
        file.write("yes 'a line of output' | head -c 100000000\n")
    much = memory(program, "provision", "--nbc-cmd", command, "--root", f"{directory}/much")
    row("`provision` of scripts with 100 MB of output: memory", f"{much} KB", "9000")

    root = os.path.join(directory, "node")
    for name in ("opt/azure/containers", "var/log/azure/aks"):
        os.makedirs(os.path.join(root, name))
    marker = os.path.join(root, "opt/azure/containers/provision.complete")
    answered, used = [], []
    for _ in range(10):
        if os.path.exists(marker):
            os.remove(marker)
        waiter = subprocess.Popen([program, "provision-wait", "--root", root], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until_it_watches(waiter.pid)
        before = cpu(waiter.pid)
        with open(os.path.join(root, "var/log/azure/aks/provision.json"), "w") as file:
            file.write('{"ExitCode":"0"}')
        began = time.perf_counter()
        open(marker, "w").close()
        _, _, usage = os.wait4(waiter.pid, 0)
        answered.append((time.perf_counter() - began) * 1000)
        waiter.returncode = 0
        used.append((usage.ru_utime + usage.ru_stime) * 1000 - before)
    row("`provision-wait`: CPU from the result to the answer", f"{min(used):.2f} ms", "")
    row("`provision-wait`: time from the result to the answer, at worst", f"{max(answered):.1f} ms", "50")


def main(program):
    print("| program | figure | at most |\n|---|---:|---:|")
    row("static binary", f"{os.path.getsize(program):,} bytes", "13,000,000")
    with tempfile.TemporaryDirectory() as directory:
        # Measures a copy, as a package manager installs one. The page cache holds the linker's output in smaller pieces, which
        # take longer to map.
        program = shutil.copy(program, directory)
        row("memory of `generate`", f"{memory(program, 'generate', '--config', DOCUMENT)} KB", "9500")
        if os.geteuid() == 0:
            inside = [f"/{os.path.basename(program)}", "generate", "--example", "ubuntu-azure-cni"]
            works = subprocess.run(["chroot", directory, *inside], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
            row("runs in an empty root", "yes" if works else "no", "")
        processes(program, directory)
        batches(program, directory)
        on_a_node(program, directory)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
