#!/usr/bin/env python3
"""Hostile texts: twice the text costs at most 2.3 times the instructions, and no text more than 256 MiB of memory.

    tests/growth/run.py PROGRAM [FILTER]

The families of answers of the host, `host`, need the fuzz targets (`cargo build --release --bins` in `fuzz`).

Instructions are counted by valgrind, so that the result does not depend on what else the machine does. The constant part of a
run, that of an empty text, is subtracted. Exit status 1 if a family grows faster, or needs more memory.
"""

import base64
import concurrent.futures
import functools
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FUZZ_TARGETS = ROOT / "fuzz/target/x86_64-unknown-linux-gnu/release"
# Bytes of the shorter text; CI takes shorter ones.
SIZE = int(os.environ.get("GROWTH_SIZE", "24000"))
MOST_GROWTH = 2.3
# A part below this many instructions is not measured: it may be one more page of a table.
LEAST = 2_000_000
MOST_MEMORY = 256 << 10  # KiB
# Seconds after which a program hardly ends: most need one.
LONGEST = 600

PIECES = [
    "=", "eyJ", "eyJ.", "token=", "x;token;", "token:token:", ": ", "{", "[", '"', "\\", "\\\\", '\\"', "%41", "%25", "&amp;", "://", "http://u:p", "a@",
    "a:b@c.d ", "-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "error 52: ", "ERR_", "exit status=", "AKS.CSE.",
    "\n", " ", "abcdef.", '{"a":', "[stdout]", "A=", "A=1 ", "V_TOKEN=x ", "cat >/f <<E\n", "$(", "`", "'", "echo QUJD | base64 -d >/f\n",
    "chmod 0600 /f\n", "Content-Type: a\n", "- ", "a: &x [*x]\n", "Authorization: Basic ", "QUJDREVGR0hJSktM", "61:62:63:", "MFRGGZDF", "-p x login ",
    "00 ", "0x41,", "0000000 040502 ", "00000000: 4142 ", "   a", "!A0", "a: x\n- b\n",
    "neighbor a password ", "net use \\\\a\\b ", "INSERT INTO t (password) VALUES ('", "['password',\"", "user a on >", "a/password password ", "a {\n",
    '`"', 'password = "a" + ', "--password x ", "a config set password ", "\nusername a secret ", "\nradius server a\n key ", ": PSK ", "vault kv put a=", "(echo a;) | sudo -S ",
    "token <(echo ", '{"kty":"', '{"sensitive_attributes":[[{"value":"a"}],', '"attributes":{"a":"b"},"sensitive', "key-", "LoginModule required user_a=",
    "echo a >/token\n", "echo a | tee token ", "cat <<E >token\n", 'printf "token=%s" a ', "sed s/@TOKEN@/a/ ", "path: /token\n", 'assword: send "', "a -u b -p c ",
    "<a>token</a><b>", "token =\n a\n", "token:\n a: b\n", "(aes) 0a", "token: 'a''", 'auth("a", ', "fly secrets set a=b ", "AUTH a ", "Authorization: A b\n", "a_",
    "echo a |", "echo a | kinit ", "kinit <<<a ", "chpasswd <<E\na:b\nE\n", "<<E ", "mkpasswd -m a ", "A_TOKEN=$(echo a ", 'crypt("a', "\nRoot Token: a\n", "USER a\nPASS b\n",
    '{"secrets":[{"name":"a","value":"b"},', '"passwords":{"a":', "vault.azure.net/secrets/a\n", "\nid: vault.azure.net/secrets/a\nvalue: b\n", 'resource "a_secret" "b" {\nvalue = "c"\n',
    'variable "a" {\ndefault = "b"\nsensitive = true\n}\n', "@secure()\n", "secrets:\n- name: a\n  value: b\n", "secretGenerator:\n- literals:\n  - a=b\n", "kind: Secret\ndata:\n  a: b\n",
    "StringData:map[a:b ", "?key=a", "*A", "AKIA", "-----BEGIN PRIVATE KEY-----\na: b\n", "token = a || ", "${A_TOKEN:-", "token = `a", "- value: a\n  name: token\n", "user a password b ",
    "\nconnect a/b@c", "::add-mask::a", 'jwt.sign(a, "b', "tokens {\n", "{PLAIN}", "secret -> a\n", 'patch secret "data"', '"a".toCharArray()', "Jwt__Key", '{"Jwt":{"Key":"',
    "+ echo a\n+ sudo -S b\n", "Private-Lines: 2\na\n", "token | a\n", "bundle config a.b c:d ", "BUNDLE_A__B=c:d ", ":a:b:c@d:/ ", "user/password: a/b\n", "Failed to start abcdefgh\u2026 ",
    "r=http&e=a&s=b&", '{"recoveryLevel":{', "://a:1 2 ", "''a'' ", "%41+a", "chpasswd list ", "+ A_TOKEN=abcdefg1 ",
    'the token "', "API key a is invalid ", 'token: Invalid value: "a"', "chpasswd </a\n", "cat >/a <<E\na:b\nE\nchpasswd </a\n", "00:00 +(a): echo b\n", '"type":"secureObject","value":{', "secrets = {\n", "::set-output name=token::a",
    'kind: Secret\n{"kind":"Secret","data":{', "Key is a. ", '"> token: a",',
    "<tr><th>password</th><td>a</td></tr>", "password Name\n-------- ----\n", "\u2502 password \u2502 a \u2502\n",
    ".hcp.", "aks-a-1-vmss000001 ", 'pod="a/b" ', "/subscriptions/a/virtualmachines/b ", "Likely cause: ", "Likely causes\n1. ", 'commandToExecute = "a$', "a = '", "commandToExecute = <<A",
]


def repeated(piece, size):
    return (piece * (size // len(piece) + 1))[:size].encode()


def families():
    """Names, arguments of the program and a function from a size to a text."""
    for piece in PIECES:
        name = json.dumps(piece)
        yield f"explain {name}", ["explain", "FILE"], lambda size, piece=piece: b" error 52: " + repeated(piece, size)
        for kind, before in [
            ("script", "#!/bin/bash\n"),
            ("boothook", "#cloud-boothook\n#!/bin/bash\n"),
            ("cloud-config", "#cloud-config\nruncmd:\n- "),
            ("command", "/opt/azure/containers/provision_start.sh "),
            ("MIME", 'Content-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: text/x-shellscript\n\n#!/bin/sh\n'),
        ]:
            yield f"inspect {kind} {name}", ["inspect", "FILE"], lambda size, before=before, piece=piece: before.encode() + repeated(piece, size)
        yield f"diff {name}", ["diff", "FILE", "FILE"], lambda size, piece=piece: b"#!/bin/bash\nB=1\n" + repeated(piece, size)
        yield f"diagnose {name}", ["diagnose", "--root", "DIRECTORY"], lambda size, piece=piece: repeated(piece, size)
        yield f"explain lines {name}", ["explain", "--format", "jsonl", "FILE"], lambda size, piece=piece: repeated(json.dumps(piece * 20) + "\n", size)
        yield f"new {name}", ["new", "FILE"], lambda size, piece=piece: repeated(piece, size)
        yield f"new after a message {name}", ["new", "FILE"], lambda size, piece=piece: b"WARNING: a\n{}\n" + repeated(piece, size)
    for name, arguments, text in foreign():
        yield f"foreign {name}", arguments, text
    for name, target, text in answers():
        yield f"host {target}: {name}", [FUZZ_TARGETS / target, "FILE"], text
    document = json.loads((ROOT / "benches/document.json").read_text())

    def changed(name, value):
        return json.dumps({**document, name: value}).encode()

    packed = base64.b64encode(gzip.compress(b"a" * 2000)).decode()
    yield "validate certificates", ["validate", "FILE"], lambda size: changed("custom_ca_certs", [f"x{at}" for at in range(size // 8)])
    yield "validate unknown fields", ["validate", "FILE"], lambda size: json.dumps({**document, **{f"a{at}": 1 for at in range(size // 12)}}).encode()
    yield "inspect secrets", ["inspect", "FILE"], lambda size: b"#!/bin/bash\n" + b"".join(b"V%d_TOKEN=secret%06d\n" % (at, at) for at in range(size // 22))
    yield "places of secrets", ["inspect", "--secrets", "FILE"], lambda size: b"#!/bin/bash\n" + b"".join(b"V%d_TOKEN=secret%06d\n" % (at, at) for at in range(size // 22))
    yield "places in files", ["inspect", "--secrets", "FILE"], lambda size: b"#!/bin/bash\n" + b"".join(b"V%d_TOKEN=secret%06d\ncat >/f%d <<E\nsecret%06d\nE\n" % (at, at, at, at) for at in range(size // 56))
    yield "inspect unpacking", ["inspect", "FILE"], lambda size: b"#!/bin/bash\n" + b"".join(f"echo {packed} | base64 -d | gunzip >/f{at}\n".encode() for at in range(size // 90))
    yield "inspect files", ["inspect", "FILE"], lambda size: b"#cloud-config\nwrite_files:\n" + b"".join(b"- {path: /f%d, content: a}\n" % at for at in range(size // 30))
    yield "diff of two scripts", ["diff", "FILE", "OTHER"], lambda size: b"#!/bin/bash\n" + b"".join(b"echo line %d\n" % at for at in range(size // 16))
    yield "inspect a model", ["inspect", "FILE"], lambda size: json.dumps({"resources": [{"properties": {"osProfile": {"customData": "I2Nsb3VkLWNvbmZpZwo="}}}] * (size // 80)}).encode()


def foreign():
    """What `az` and `kubectl` print, and what is given beside a document."""
    kept = ROOT / "testdata/karpenter_bundles"
    objects = json.loads((kept / "objects.json").read_text())["items"]
    sizes = json.loads((kept / "skus.json").read_text())
    cluster = {"kubernetesVersion": "1.34.0", "agentPoolProfiles": [{"name": "a", "vmSize": "Standard_D2s_v5"}]}

    def lines(piece, before=b""):
        return lambda size: before + repeated(piece, size)

    def items(item, size):
        return [item] * (size // len(json.dumps(item)))

    # The commands of its answer have a region, a size and a resource group.
    unavailable = b"(SkuNotAvailable) The requested VM size is not available in the location for the AKS cluster.\n"
    yield "names after a failure", ["explain", "FILE"], lines(".hcp.", unavailable)
    # Logs inside each other.
    yield "lines of a collector", ["explain", "FILE"], lines('[pod/a/b] 2026-11-22T05:54:15.123456789Z {"log":"a\\n","stream":"b"}\n')
    yield "elements without a kind", ["validate", "FILE"], lambda size: b"[" + b"{}," * (size // 3) + b"{}]"
    yield "documents of YAML", ["new", "FILE"], lines("---\na: b\n")
    yield "documents of JSON", ["new", "FILE"], lines('{"a": "b"}\n')
    yield "messages", ["new", "FILE"], lines("WARNING: a preview\n", b"{}\n")
    yield "assignments", ["generate", "FILE"], lines("CLUSTER_NAME=a\n")
    yield "clusters", ["new", "FILE"], lambda size: json.dumps(items(cluster, size)).encode()
    yield "pools of a cluster", ["new", "FILE"], lambda size: json.dumps({**cluster, "agentPoolProfiles": items(cluster["agentPoolProfiles"][0], size)}).encode()
    pool = {**cluster["agentPoolProfiles"][0]}
    chosen = lambda member, value: json.dumps({**cluster, "agentPoolProfiles": [{**pool, member: value}]}).encode()
    yield "labels of a pool", ["new", "FILE"], lambda size: chosen("nodeLabels", {f"l{at}": "x" for at in range(size // 12)})
    yield "taints of a pool", ["new", "FILE"], lambda size: chosen("nodeTaints", [f"t{at}=x:NoSchedule" for at in range(size // 24)])
    yield "members of a pool", ["new", "FILE"], lambda size: json.dumps({**pool, "mode": "User", "osType": "Linux", **{f"m{at}": 1 for at in range(size // 12)}}).encode()

    def kubeconfig(size):
        """Each cluster with a context whose user has a name that AKS makes."""
        names = [f"c{at}" for at in range(size // 150)]
        config = {"apiVersion": "v1", "kind": "Config", "current-context": "c0", "users": []}
        config["clusters"] = [{"name": name, "cluster": {"server": f"https://{name}.example"}} for name in names]
        config["contexts"] = [{"name": name, "context": {"cluster": name, "user": f"clusterUser_r_{name}"}} for name in names]
        own = {"id": "/subscriptions/s/resourceGroups/r/providers/Microsoft.ContainerService/managedClusters/c1/agentPools/a"}
        return (json.dumps(config) + json.dumps({**pool, **own, "mode": "User", "osType": "Linux"})).encode()

    yield "clusters of a kubeconfig", ["new", "FILE"], kubeconfig
    yield "contexts of a kubeconfig", ["new", "FILE"], lambda size: b"kind: Config\ncontexts:\n" + repeated("- {name: a, context: {cluster: b, user: c}}\n", size)
    for item in objects:
        yield f"items of {item['kind']}", ["generate", "FILE"], lambda size, item=item: json.dumps({"kind": "List", "items": items(item, size)}).encode()
    yield "sizes", ["generate", "FILE"], lambda size: json.dumps(items(sizes[0], size)).encode()
    yield "a layer", ["convert", str(ROOT / "benches/document.json"), "--layer", "FILE"], lines("- a\n", b"custom_ca_certs:\n")
    yield "facts of an image", ["validate", str(ROOT / "benches/document.json"), "--image", "FILE"], lines("- a\n", b"programs:\n")
    yield "user data", ["generate", "--example", "ubuntu-azure-cni", "--user-data", "FILE"], lines("- a\n", b"#cloud-config\nruncmd:\n")
    yield "files of user data", ["generate", "--example", "ubuntu-azure-cni", "--user-data", "FILE"], lines("- {path: /a, content: b}\n", b"#cloud-config\nwrite_files:\n")


def answers():
    """What a host answers: XML, JSON, CMS and PFX. Fuzz targets read it, because the program asks only on a machine of Azure."""
    goal_state = "<GoalState><Container><ContainerId>a</ContainerId>%s</Container></GoalState>"
    elements = {
        "elements": "<a/>",
        "attributes": "a='b' ",
        "references": "&amp;",
        "characters": "&#65;",
        "comments": "<!-- a -->",
        "CDATA": "<![CDATA[a]]>",
        "text": "a ",
        "configurations": "<RoleInstance><Configuration><ConfigName>a</ConfigName></Configuration></RoleInstance>",
    }
    for name, piece in elements.items():
        inside = "<b %s/>" if name == "attributes" else "%s"
        yield name, "goal_state", lambda size, piece=piece, inside=inside: (goal_state % inside % repeated(piece, size // len(piece) * len(piece)).decode()).encode()
    yield "open elements", "goal_state", lambda size: repeated("<a>", size)

    handler = "name='Microsoft.Azure.Extensions.CustomScript'"
    runtime = json.dumps({"runtimeSettings": [{"handlerSettings": {"protectedSettings": "a", "protectedSettingsCertThumbprint": "A" * 40}}]})

    def plugins(size):
        each = size // 600
        versions = "".join(f"<Plugin {handler} version='{at}' state='enabled'/>" for at in range(each))
        settings = "".join(f"<Plugin {handler} version='{each - at}'><RuntimeSettings seqNo='1'>{runtime}</RuntimeSettings></Plugin>" for at in range(each))
        return f"<Extensions><Plugins>{versions}</Plugins><PluginSettings>{settings}</PluginSettings></Extensions>".encode()

    yield "versions of the extension", "settings", lambda size: plugins(8 * size)
    state = {"name": "Microsoft.Azure.Extensions.CustomScript", "settings": [{"protectedSettings": "a", "protectedSettingsCertThumbprint": "A" * 40}]}
    yield "states of the extension", "settings", lambda size: json.dumps({"extensionGoalStates": [state] * (size // len(json.dumps(state)))}).encode()
    yield "a payload", "settings", lambda size: json.dumps({"commandToExecute": "echo '" + "A\n" * (size // 2) + "' | base64 -d | gzip -d > /opt/azure/containers/boothook.sh"}).encode()

    def der(tag, *contents):
        content = b"".join(contents)
        length = len(content).to_bytes((len(content).bit_length() + 7) // 8 or 1)
        return bytes([tag]) + (length if len(content) < 128 else bytes([0x80 | len(length)]) + length) + content

    def name(*numbers):
        return der(6, bytes(numbers))

    data, enveloped = (name(0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, kind) for kind in (1, 3))
    # Not RSA: its time is the same for any number of recipients, of which four are tried.
    unknown = der(0x30, name(0x2A, 3), der(5))
    aes = der(0x30, name(0x60, 0x86, 0x48, 1, 0x65, 3, 4, 1, 2), der(4, bytes(16)))

    def message(recipients, content=bytes(16)):
        encrypted = der(0x30, data, aes, der(0x80, content))
        return der(0x30, enveloped, der(0xA0, der(0x30, der(2, b"\0"), der(0x31, *recipients), encrypted)))

    def recipient(number):
        key = number.to_bytes(16)
        return der(0x30, der(2, b"\2"), der(0x80, number.to_bytes(4)), unknown, der(4, key))

    # In no order: they are sorted, and what is in order already would hide that.
    yield "recipients", "message", lambda size: message([recipient(at * 7919 % 65_536) for at in range(size // 24)])
    yield "content", "message", lambda size: message([recipient(1)], bytes(size // 16 * 16))
    yield "nesting", "message", lambda size: der(0x30, enveloped, der(0xA0, b"\x30\x80" * (size // 2)))

    def pfx(*parts):
        return der(0x30, der(2, b"\3"), der(0x30, data, der(0xA0, der(4, der(0x30, *parts)))))

    def part(*bags):
        return der(0x30, data, der(0xA0, der(4, der(0x30, *bags))))

    bag = name(0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 0x0C, 0x0A, 1, 3)
    certificate = der(0x30, bag, der(0xA0, der(0x30, name(0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 0x16, 1), der(0xA0, der(4, b"a")))))
    yield "parts", "pfx", lambda size: pfx(*[part()] * (size // len(part())))
    yield "certificates", "pfx", lambda size: pfx(part(*[certificate] * (size // len(certificate))))
    attributes = der(0x31, *[der(0x30, name(1, 2), der(0x31, der(4, bytes([at % 251])))) for at in range(8)])
    named = der(0x30, bag, der(0xA0, der(0x30, name(1, 2), der(0xA0, der(4, b"a")))), attributes)
    yield "attributes", "pfx", lambda size: pfx(part(*[named] * (size // len(named))))
    yield "base64", "pfx", lambda size: repeated("AAAA\n", size)


def large():
    """Small and large texts that unpack to much, or have many parts."""
    bomb = base64.b64encode(gzip.compress(bytes(16 << 20))).decode()
    yield "memory of bombs in a boothook", ["inspect", "FILE"], lambda: "#cloud-boothook\n#!/bin/bash\n".encode() + b"".join(f"echo {bomb} | base64 -d | gunzip >/f{at}\n".encode() for at in range(2500))
    yield "memory of gzip of a GiB", ["inspect", "FILE"], lambda: gzip.compress(bytes(1 << 30))
    yield "memory of gzip of a script", ["inspect", "FILE"], lambda: gzip.compress(b"#!/bin/bash\n" + b"A=1 token=abc def\n" * (64 << 16))
    yield "memory of assignments", ["inspect", "FILE"], lambda: b"#!/bin/bash\n" + b"A=1 token=abc def\n" * (7 << 20)
    yield "memory of numbers in JSON", ["inspect", "FILE"], lambda: b'{"a":[' + b"1," * (60 << 20) + b"1]}"
    yield "memory of files", ["inspect", "FILE"], lambda: b"#cloud-config\nwrite_files:\n" + b"- {path: /a, content: b}\n" * (4 << 20)
    yield "memory of two scripts", ["diff", "FILE", "FILE"], lambda: b"#!/bin/bash\n" + b"A=1 token=abc def\n" * (4 << 20)
    yield "memory of documents", ["new", "FILE"], lambda: b'{"a": "b"}\n' * (8 << 20)
    yield "memory of messages", ["new", "FILE"], lambda: b"WARNING: a preview\n" * (6 << 20)
    yield "memory of a List", ["generate", "FILE"], lambda: b'{"apiVersion":"v1","kind":"List","items":[' + b'{"kind":"NodePool"},' * (6 << 20) + b"{}]}"
    yield "memory of users", ["new", "FILE"], lambda: b'[{"apiVersion":"v1","kind":"Config","users":[' + b'{"name":"a"},' * (1 << 19) + b"{}]}]"
    yield "memory of elements of YAML", ["generate", "FILE"], lambda: b"apiVersion: v1\nkind: List\nitems:\n" + b"- a: b\n" * (1 << 19)
    yield "memory of values", ["new", "FILE"], lambda: b"[" + b"1," * ((2 << 20) - 8) + b"1]"
    sizes = json.dumps(json.loads((ROOT / "testdata/karpenter_bundles/skus.json").read_text()), indent=2)[1:-2].encode() + b","
    yield "memory of sizes", ["new", "FILE"], lambda: b"[" + sizes * ((8 << 20) // len(sizes)) + b"{}]"
    # Each line is answered before the next one is read.
    yield "memory of lines", ["explain", "--format", "jsonl", "FILE"], lambda: b'"error 52 %b"\n' % (b"a " * 58) * (1 << 17), 24 << 10
    yield "memory of dumps", ["explain", "FILE"], lambda: b"00000000: 4142 4344\n" * (6 << 20)
    yield "memory of elements", ["validate", "FILE"], lambda: b"[" + b"{}," * 1300000 + b"{}]"
    yield "memory of variables", ["diff", "--format", "json", "FILE", "FILE"], lambda: b"#!/bin/bash\n" + b"".join(b"A%d=x%d\n" % (at, at) for at in range(400000))
    yield "memory of a document of lists", ["validate", "FILE"], lambda: b"a: [" + b"[]," * ((4 << 20) // 3 - 8) + b"1]"


class Place:
    """Where a program finds a text."""

    def __init__(self, program, directory):
        self.program, self.file, self.log = program, directory / "file", directory / "var/log/azure/cluster-provision.log"
        self.other = directory / "other"
        self.log.parent.mkdir(parents=True)
        self.directory = directory

    def command(self, arguments, text):
        (self.log if "DIRECTORY" in arguments else self.file).write_bytes(text)
        if "OTHER" in arguments:
            self.other.write_bytes(text.replace(b"line", b"another"))
        names = {"FILE": str(self.file), "OTHER": str(self.other), "DIRECTORY": str(self.directory)}
        program, arguments = (arguments[0], arguments[1:]) if isinstance(arguments[0], pathlib.Path) else (self.program, arguments)
        return [program, *(names.get(argument, argument) for argument in arguments)]

    def instructions(self, arguments, text):
        # Most of a run is translation of the program. Blocks that end at each jump are translated once, not once for each way to them.
        valgrind = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", "--vex-guest-chase=no"]
        ended = subprocess.run(
            valgrind + self.command(arguments, text), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False, timeout=LONGEST
        )
        return int(re.search(r"I\s+refs:\s+([\d,]+)", ended.stderr)[1].replace(",", ""))

    def memory(self, arguments, text):
        """The most memory at one time, in KiB. Measured by `time`: for a child of this process the kernel counts what this process has, too."""
        figure = self.directory / "memory"
        subprocess.run(
            ["/usr/bin/time", "--quiet", "--format", "%M", "--output", figure, *self.command(arguments, text)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
            timeout=LONGEST,
        )
        return int(figure.read_text())


@functools.cache
def of_nothing(program, arguments, text):
    """Returns the instructions for the text of size 0, which most families share."""
    with tempfile.TemporaryDirectory() as directory:
        return Place(program, pathlib.Path(directory)).instructions(arguments, text)


def growth(program, name, arguments, text):
    """Returns a family that grows too fast, as a sentence, else nothing."""
    with tempfile.TemporaryDirectory() as directory:
        place = Place(program, pathlib.Path(directory))
        try:
            nothing = of_nothing(program, tuple(arguments), text(0))
            once, twice = (place.instructions(arguments, text(size)) for size in (SIZE, 2 * SIZE))
            if twice - nothing <= max(LEAST, MOST_GROWTH * (once - nothing)):
                return None
            # Some work is done only for short texts, so that nothing costs more than the constant part of a longer one: without it,
            # what the second half costs is compared with what the third and fourth quarter of a text of twice the size cost.
            more = place.instructions(arguments, text(4 * SIZE)) - twice
        except subprocess.TimeoutExpired:
            return f"{name}: does not end"
    times = more / max(twice - once, 1)
    if times <= MOST_GROWTH:
        return None
    return f"{name}: {times:.2f} times the instructions for twice the text ({twice - once:,}, {more:,})"


def too_large(program, name, arguments, text, most=MOST_MEMORY):
    """Returns a text that needs more memory than `most`, in KiB, as a sentence, else nothing."""
    with tempfile.TemporaryDirectory() as directory:
        try:
            memory = Place(program, pathlib.Path(directory)).memory(arguments, text())
        except subprocess.TimeoutExpired:
            return f"{name}: does not end"
    return f"{name}: {memory >> 10} MiB of memory" if memory > most else None


def report(program, wanted):
    # What else the machine does changes no count of instructions or bytes, so each core counts those of a family.
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as cores:
        found = list(cores.map(lambda family: growth(program, *family), (family for family in families() if wanted in family[0])))
        found += cores.map(lambda text: too_large(program, *text), (text for text in large() if wanted in text[0]))
    failed = [sentence for sentence in found if sentence]
    print(*failed, sep="\n", end="\n" if failed else "")
    print(f"{len(found)} families, {len(failed)} fail")
    return 1 if failed or not found else 0


def main():
    with tempfile.TemporaryDirectory() as directory:
        # At each start valgrind reads the symbols beside a program, which takes longer than what is measured.
        program = shutil.copy(sys.argv[1], directory)
        return report(program, sys.argv[2] if len(sys.argv) > 2 else "")


if __name__ == "__main__":
    sys.exit(main())
