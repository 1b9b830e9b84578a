#!/usr/bin/python3
"""Reads what provisioning has written as its reader would, on the machine itself.

Call: readers.py TABLES VERSION STAMP [EXCEPT...]. TABLES is a directory with azure-json.json and kubelet-fields, VERSION the
version of Kubernetes, STAMP a file: what is newer was written by the run. EXCEPT are files that a scenario has spoilt. Prints
one line for each complaint. A file without a reader is a complaint: name it in READERS, or in NO_READER with the reason.
Or: readers.py --only READER FILE, which ends with 1 if the reader does not take the file.
"""

import configparser
import fnmatch
import glob
import ipaddress
import json
import os
import re
import stat
import subprocess
import sys
import tomllib

import yaml

TABLES, VERSION, STAMP = sys.argv[1:4] if sys.argv[1] != "--only" else ("", "1.0", "")
SPOILT = sys.argv[4:]
MINOR = int(VERSION.split(".")[1])


class Wrong(Exception):
    pass


def demand(holds, why):
    if not holds:
        raise Wrong(why)


def run(*command, limit=60, **more):
    """The output of a program that has to accept a file."""
    ended = subprocess.run(command, capture_output=True, text=True, timeout=limit, **more)
    demand(ended.returncode == 0, f"{command[0]} ends with {ended.returncode}: {(ended.stderr + ended.stdout).strip()[-600:]}")
    return ended


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def no_duplicates(pairs):
    names = [name for name, _ in pairs]
    demand(len(names) == len(set(names)), f"a member is there twice: {names}")
    return dict(pairs)


def json_of(path):
    value = json.loads(text_of(path), object_pairs_hook=no_duplicates)
    demand(isinstance(value, dict), "it is no object")
    return value


def typed(value, fields, place=""):
    """Checks an object against its fields: name → type, [type] for a list, {...} for an object, "map" for a map of strings."""
    demand(isinstance(value, dict), f"{place or 'the document'} is no object")
    for name, member in value.items():
        demand(name in fields, f"{place}{name} is unknown")
        check(member, fields[name], place + name)


def check(value, kind, place):
    if isinstance(kind, dict):
        return typed(value, kind, place + ".")
    if isinstance(kind, list):
        demand(isinstance(value, list), f"{place} is no list: {value!r}")
        return [check(element, kind[0], f"{place}[]") for element in value] and None
    if kind == "map":
        holds = isinstance(value, dict) and all(isinstance(member, str) for member in value.values())
    else:
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        holds = {
            "string": isinstance(value, str),
            "bool": isinstance(value, bool),
            "int": isinstance(value, int) and number,
            "float": number,
            "any": True,
        }[kind]
    demand(holds, f"{place} is no {kind}: {value!r}")


## Of the cluster

def azure_json(path):
    typed(json_of(path), json_of(os.path.join(TABLES, "azure-json.json"))["fields"])


# https://go.dev/pkg/time/#ParseDuration
DURATION = re.compile(r"^[-+]?(\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)((\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h))*$|^0$")


def kubelet_configuration(path):
    """Every field is one of KubeletConfiguration in this version of Kubernetes, with its type."""
    rows = [row.split("|") for row in text_of(os.path.join(TABLES, "kubelet-fields")).splitlines()]
    fields = {name: kind for name, kind, first, end in rows if int(first or 0) <= MINOR < int(end or 99)}
    demand(len(fields) > 100, "the table is not complete")

    def value(member, kind, place):
        if kind.startswith("list of "):
            demand(isinstance(member, list), f"{place} is no list")
            for element in member:
                value(element, kind.removeprefix("list of "), place + "[]")
        elif kind.startswith("map of "):
            demand(isinstance(member, dict), f"{place} is no map")
            for element in member.values():
                value(element, kind.removeprefix("map of "), place + "{}")
        elif kind == "message":
            demand(isinstance(member, dict), f"{place} is no object")
            for name, inner in member.items():
                of = f"{place}.{name}" if place else name
                demand(of in fields, f"{of} is unknown in {VERSION}")
                value(inner, fields[of], of)
        elif kind == "Duration":
            demand(isinstance(member, str) and DURATION.match(member), f"{place} is no duration: {member!r}")
        elif re.match(r"u?int", kind):
            demand(isinstance(member, int) and not isinstance(member, bool), f"{place} is no number: {member!r}")
        elif kind in ("bool", "string"):
            check(member, kind, place)

    document = json_of(path)
    demand(document.get("kind") == "KubeletConfiguration", "it is of another kind")
    demand(document.get("apiVersion") == "kubelet.config.k8s.io/v1beta1", "it is of another version")
    value(document, "message", "")


# https://kubernetes.io/docs/reference/config-api/kubelet-credentialprovider.v1/
CREDENTIAL_PROVIDERS = {
    "apiVersion": "string", "kind": "string",
    "providers": [{
        "name": "string", "matchImages": ["string"], "defaultCacheDuration": "string", "apiVersion": "string", "args": ["string"],
        "env": [{"name": "string", "value": "string"}],
        "tokenAttributes": {
            "serviceAccountTokenAudience": "string", "cacheType": "string", "requireServiceAccount": "bool",
            "requiredServiceAccountAnnotationKeys": ["string"], "optionalServiceAccountAnnotationKeys": ["string"],
        },
    }],
}


def credential_providers(path):
    document = yaml.safe_load(text_of(path))
    typed(document, CREDENTIAL_PROVIDERS)
    demand(document["kind"] == "CredentialProviderConfig" and document["apiVersion"] == "kubelet.config.k8s.io/v1", "it is of another kind")
    names = [provider["name"] for provider in document["providers"]]
    demand(len(set(names)) == len(names) and all(names), f"names are not distinct: {names}")
    for provider in document["providers"]:
        demand(DURATION.match(provider["defaultCacheDuration"]), "defaultCacheDuration is no duration")
        demand(provider["apiVersion"] == "credentialprovider.kubelet.k8s.io/v1", "the API of the provider is another one")
        # https://pkg.go.dev/k8s.io/kubernetes/pkg/credentialprovider/plugin
        for image in provider["matchImages"]:
            demand(image and "://" not in image and not image.startswith("/"), f"{image!r} matches no image")
        demand("tokenAttributes" not in provider or MINOR >= 33, f"tokenAttributes is unknown in {VERSION}")


# https://kubernetes.io/docs/reference/config-api/kubeconfig.v1/
KUBECONFIG = {
    "apiVersion": "string", "kind": "string", "preferences": "any", "current-context": "string", "extensions": "any",
    "clusters": [{"name": "string", "cluster": {
        "server": "string", "tls-server-name": "string", "insecure-skip-tls-verify": "bool", "certificate-authority": "string",
        "certificate-authority-data": "string", "proxy-url": "string", "disable-compression": "bool", "extensions": "any"}}],
    "users": [{"name": "string", "user": {
        "client-certificate": "string", "client-certificate-data": "string", "client-key": "string", "client-key-data": "string",
        "token": "string", "tokenFile": "string", "username": "string", "password": "string", "exec": "any", "auth-provider": "any",
        "as": "string", "as-uid": "string", "as-groups": ["string"], "extensions": "any"}}],
    "contexts": [{"name": "string", "context": {"cluster": "string", "user": "string", "namespace": "string", "extensions": "any"}}],
}


def kubeconfig(path):
    document = yaml.safe_load(text_of(path))
    typed(document, KUBECONFIG)
    demand(document["kind"] == "Config" and document["apiVersion"] == "v1", "it is of another kind")
    context = {entry["name"]: entry["context"] for entry in document["contexts"]}[document["current-context"]]
    cluster = {entry["name"]: entry["cluster"] for entry in document["clusters"]}[context["cluster"]]
    user = {entry["name"]: entry["user"] for entry in document["users"]}[context["user"]]
    demand(re.match(r"https://[^/\s]+$", cluster["server"]), f"the server is {cluster['server']}")
    for file in (cluster.get("certificate-authority"), user.get("client-certificate"), user.get("client-key")):
        demand(file is None or os.path.isfile(file), f"{file} is not there")


def certificate(path):
    run("openssl", "x509", "-noout", "-in", path)


def key(path):
    run("openssl", "pkey", "-noout", "-in", path)


## containerd and the network plugins

# What containerd 1.6 passes over. https://github.com/containerd/containerd/blob/release/1.7/docs/cri/config.md
SINCE_1_7 = {"enable_cdi"}


def containerd(path):
    dumped = tomllib.loads(run("containerd", "--config", path, "config", "dump").stdout)

    # `config dump` drops what the daemon itself does not know; what plugins read stands in their sections.
    def kept(given, have, place):
        for name, value in given.items():
            if name in SINCE_1_7:
                continue
            demand(name in have, f"containerd has not taken {place}{name}")
            if isinstance(value, dict):
                kept(value, have[name], f"{place}{name}.")
            elif value != have[name] and name not in ("imports", "version"):
                raise Wrong(f"containerd has taken {have[name]!r} for {place}{name}, which is {value!r}")

    kept(tomllib.loads(text_of(path)), dumped, "")


# https://github.com/containerd/containerd/blob/main/docs/hosts.md
HOST = {"capabilities": ["string"], "ca": "any", "client": "any", "skip_verify": "bool", "header": "any", "override_path": "bool", "dial_timeout": "string"}


def registry_hosts(path):
    document = tomllib.loads(text_of(path))
    typed({name: value for name, value in document.items() if name != "host"}, {"server": "string", **HOST})
    for url, host in document.get("host", {}).items():
        demand(re.match(r"https?://[^/\s]+(/\S*)?$", url), f"{url} is no address of a registry")
        typed(host, HOST, f"{url} ")
        demand(set(host["capabilities"]) <= {"pull", "resolve", "push"}, f"{url} has unknown capabilities")


def conflist(path):
    """https://www.cni.dev/docs/spec/#section-1-network-configuration-format"""
    document = json_of(path)
    demand(isinstance(document.get("cniVersion"), str) and isinstance(document.get("name"), str), "cniVersion or name is missing")
    demand(document.get("plugins") and all(isinstance(plugin.get("type"), str) for plugin in document["plugins"]), "a plugin has no type")


## The system

def units():
    """Every unit and drop-in below /etc/systemd/system, which systemd loads with what belongs to it."""
    directory = "/etc/systemd/system"
    names = set()
    for path in glob.glob(f"{directory}/*"):
        name = os.path.basename(path).removesuffix(".d")
        if re.search(r"\.(service|socket|timer|path|mount|slice|target)$", name) and not os.path.islink(path):
            names.add(re.sub(r"@\.", "@x.", name))
    loadable = [name for name in sorted(names) if not run_quietly("systemctl", "cat", re.sub("@x", "@x", name))]
    # Of the units that the run has written nothing for, only those of the project are here.
    ended = subprocess.run(["systemd-analyze", "verify", "--man=no", *loadable], capture_output=True, text=True, timeout=120)
    said = [line for line in ended.stderr.splitlines() if directory in line or line.split(":")[0] in names]
    for path in SPOILT:
        said = [line for line in said if os.path.basename(path) not in line]
    # What a machine of a test does not have.
    return [line for line in said if not re.search(r"is not executable: No such file or directory|Unit [\w@.\\-]+ not found|masked", line)]


def run_quietly(*command):
    return subprocess.run(command, capture_output=True, timeout=60).returncode


def unit_file(path):
    """What systemd says about it, units() asks. Here: every line belongs to a section."""
    for line in re.sub(r"\\\n", " ", text_of(path)).splitlines():
        demand(not line.strip() or re.match(r"\[[A-Za-z-]+\]$|[A-Za-z0-9-]+\s*=|[#;]", line), f"{line!r} is no line of a unit")


def networkd(path):
    """systemd-networkd says what it cannot read."""
    if "networkd" in run.__dict__:
        return
    run.__dict__["networkd"] = True
    script = "mkdir -p /run/systemd/netif; exec timeout 2 /lib/systemd/systemd-networkd"
    ended = subprocess.run(["unshare", "--net", "--mount", "sh", "-c", script], capture_output=True, text=True, timeout=60,
                           env={"SYSTEMD_LOG_TARGET": "console", "SYSTEMD_LOG_LEVEL": "warning", "PATH": os.environ["PATH"]})
    # Azure Linux has this setting of systemd 256 in its systemd 255.
    known = re.compile(r"Unknown key '?UseDomains'? in section '?\[?DHCPv[46]\]?'?")
    said = [line for line in ended.stderr.splitlines() if "/etc/systemd/network" in line and not known.search(line)]
    demand(not said, "; ".join(said))


def sshd(path):
    run("sh", "-c", 'mkdir -p /run/sshd; exec /usr/sbin/sshd -t -f "$1"', "sh", path)


def settings(path):
    """sysctl takes it: every key exists, and every value has the form of the value that is there."""
    for line in text_of(path).splitlines():
        if not line.strip() or line.lstrip()[0] in "#;":
            continue
        name, equals, value = line.partition("=")
        demand(equals and re.match(r"^-?[\w./*-]+$", name.strip()), f"{line!r} is no setting")
        file = "/proc/sys/" + name.strip().lstrip("-").replace(".", "/")
        if os.path.exists(file) and os.access(file, os.R_OK):
            try:
                demand(len(text_of(file).split()) == len(value.split()), f"{line!r} has another number of values")
            except OSError:
                pass


def environment(path):
    """https://www.freedesktop.org/software/systemd/man/latest/systemd.exec.html#EnvironmentFile="""
    for line in text_of(path).splitlines():
        demand(not line or re.match(r"^(#|[A-Za-z_][A-Za-z0-9_]*=)", line), f"{line!r} is no assignment")


def shell(path):
    first = text_of(path).partition("\n")[0]
    if "python" in first:
        return compile(text_of(path), path, "exec") and None
    run("bash" if "bash" in first else "sh", "-n", path)


def modules(path):
    for line in text_of(path).splitlines():
        demand(re.match(r"^(#.*|[\w-]*)$", line), f"{line!r} is no name of a module")


def modprobe(path):
    said = subprocess.run(["/usr/sbin/modprobe", "--config", path, "--showconfig"], capture_output=True, text=True, timeout=60).stderr
    demand(not re.search("bad line|ERROR", said), said)
    for line in text_of(path).splitlines():
        demand(re.match(r"^\s*(#|$|(alias|blacklist|install|options|remove|softdep)\s)", line), f"{line!r} is unknown to modprobe")


def apt_settings(path):
    run("apt-config", "dump", env={"APT_CONFIG": path, "PATH": os.environ["PATH"]})


def apt_sources(path):
    run("apt-get", "indextargets", "-o", f"Dir::Etc::SourceList={path}", "-o", "Dir::Etc::SourceParts=-")


def mounts(path):
    for line in text_of(path).splitlines():
        fields = line.split()
        if fields and not fields[0].startswith("#"):
            demand(4 <= len(fields) <= 6, f"{line!r} has {len(fields)} fields")
    said = subprocess.run(["findmnt", "--verify", "--tab-file", path], capture_output=True, text=True, timeout=60).stdout
    demand("parse error" not in said, said)


def interfaces(path):
    """https://manpages.debian.org/stable/ifupdown/interfaces.5.en.html: an option belongs to the interface before it."""
    of = None
    for line in text_of(path).splitlines():
        words = line.split("#")[0].split()
        if words and re.match(r"(auto|allow-\w+|source|mapping|no-auto-down|rename)", words[0]):
            of = None
        elif words and words[0] == "iface":
            demand(len(words) == 4, f"{line!r} names no method")
            of = words[1]
        else:
            demand(not words or of, f"{line!r} belongs to no interface")


def hosts(path):
    for line in text_of(path).splitlines():
        demand(re.match(r"^\s*(#.*)?$|^[0-9a-fA-F:.]+(\s+[\w.-]+)+\s*(#.*)?$", line), f"{line!r} is no line of a hosts file")


def ini(path):
    parser = configparser.ConfigParser(interpolation=None, strict=False, allow_no_value=True)
    parser.read_string(text_of(path))
    demand(parser.sections(), "it has no section")


def yaml_file(path):
    yaml.safe_load(text_of(path))


def addresses(path):
    for line in text_of(path).splitlines():
        ipaddress.ip_address(line)


def udev_rules(path):
    """https://www.freedesktop.org/software/systemd/man/latest/udev.html: keys, operators and quoted values, with commas."""
    pair = r'[A-Z_]+(\{[^}]+\})?\s*(==|!=|=|\+=|-=|:=)\s*e?"([^"\\]|\\.)*"'
    for line in text_of(path).replace("\\\n", "").splitlines():
        demand(re.match(rf"^\s*(#.*)?$|^\s*{pair}(\s*,\s*{pair})*\s*,?\s*$", line), f"{line!r} is no rule")


def json_file(path):
    json_of(path)


def netplan(path):
    if os.path.exists("/usr/sbin/netplan"):
        script = 'r=$(mktemp -d) && mkdir -p $r/etc/netplan && cp "$1" $r/etc/netplan/ && netplan generate --root-dir $r'
        run("sh", "-c", script, "sh", path)
    document = yaml.safe_load(text_of(path))
    demand(document["network"]["version"] == 2, "its version is not 2")


def sysfs(path):
    for line in text_of(path).splitlines():
        demand(re.match(r"^\s*(#.*)?$|^[\w/.-]+\s*=\s*\S+$", line), f"{line!r} is no line of sysfs.conf")


def logrotate(path):
    if os.path.exists("/usr/sbin/logrotate"):
        said = run("/usr/sbin/logrotate", "--debug", path).stderr
        demand("error:" not in said, said)


def text(path):
    text_of(path)


def empty(path):
    demand(os.path.getsize(path) == 0, "it is not empty")


# Patterns of fnmatch, whose * matches a slash too. The first that matches counts.
READERS = [
    ("/etc/kubernetes/azure.json", azure_json),
    ("/etc/kubernetes/*.json", json_file),
    ("/etc/kubernetes/certs/*.crt", certificate),
    ("/etc/kubernetes/certs/*.key", key),
    ("/etc/default/kubeletconfig.json", kubelet_configuration),
    ("/etc/default/*", environment),
    ("/etc/localdns/environment", environment),
    ("/etc/localdns/hosts", hosts),
    ("/etc/localdns/upstream-dns", addresses),
    ("/etc/environment", environment),
    ("/etc/udev/rules.d/*.rules", udev_rules),
    ("/var/lib/kubelet/bootstrap-kubeconfig", kubeconfig),
    ("/var/lib/kubelet/kubeconfig", kubeconfig),
    ("/var/lib/kubelet/credential-provider-config.yaml", credential_providers),
    ("/etc/containerd/config.toml", containerd),
    ("/etc/containerd/certs.d/*/hosts.toml", registry_hosts),
    ("/etc/cni/net.d/*.conflist", conflist),
    ("/etc/systemd/system/*", unit_file),
    ("/etc/systemd/network*", networkd),
    ("/etc/systemd/*.conf", unit_file),
    ("/etc/ssh/sshd_config", sshd),
    ("/etc/sysctl.d/*.conf", settings),
    ("/etc/sysfs.conf", sysfs),
    ("/etc/sysfs.d/*.conf", sysfs),
    ("/etc/modules-load.d/*.conf", modules),
    ("/etc/modprobe.d/*.conf", modprobe),
    ("/etc/apt/apt.conf.d/*", apt_settings),
    ("/etc/apt/sources.list*", apt_sources),
    ("/etc/fstab", mounts),
    ("/etc/hosts", hosts),
    ("/etc/network/interfaces*", interfaces),
    ("/etc/netplan/*.yaml", netplan),
    ("/etc/logrotate.d/*", logrotate),
    ("/etc/crictl.yaml", yaml_file),
    ("/etc/dnf/*.conf", ini),
    ("/etc/yum.repos.d/*.repo", ini),
    ("/etc/profile.d/*.sh", shell),
    ("/etc/update-motd.d/*", shell),
    ("/etc/motd", text),
    ("/usr/local/share/ca-certificates/*.crt", certificate),
    ("/usr/share/pki/ca-trust-source/anchors/*", certificate),
    ("/etc/pki/ca-trust/source/anchors/*", certificate),
    ("/opt/certs/*", certificate),
    ("/opt/azure/*.sh", shell),
    ("/opt/azure/*.json", json_file),
]

# What no reader of this list reads.
NO_READER = [
    ("/etc/containerd/kubenet_template.conf", "a template of Go; the network plugin of containerd fills it"),
    ("/opt/azure/manifest.json", "Karpenter's text has appended a line that is no JSON"),
    ("/etc/oras/*", "oras itself has written it"),
    ("/etc/ssl/*", "update-ca-certificates has written it"),
    ("/etc/ca-certificates*", "update-ca-certificates has written it"),
    ("/etc/shadow*", "chage has written it"),
    ("/etc/passwd*", "programs of the system"),
    ("/etc/group*", "programs of the system"),
    ("/etc/gshadow*", "programs of the system"),
    ("/etc/subuid*", "programs of the system"),
    ("/etc/subgid*", "programs of the system"),
    ("/etc/.pwd.lock", "programs of the system"),
    ("/etc/machine-id", "systemd has written it"),
    ("/etc/ld.so.cache", "ldconfig has written it"),
    ("/etc/apt/trusted.gpg.d/*", "a key, which apt checks"),
    ("/etc/apt/keyrings/*", "a key, which apt checks"),
]
# Where every file that the run has written needs a reader.
WRITTEN = ["/etc", "/usr/local/share", "/usr/share/pki", "/opt/certs", "/opt/azure"]


def written():
    since = os.stat(STAMP).st_mtime_ns
    for top in WRITTEN:
        for directory, _, names in os.walk(top):
            for name in names:
                path = os.path.join(directory, name)
                found = os.lstat(path)
                if stat.S_ISREG(found.st_mode) and found.st_mtime_ns > since:
                    yield path
    yield from glob.glob("/var/lib/kubelet/*kubeconfig")
    yield from glob.glob("/var/lib/kubelet/*.yaml")


def main():
    complaints = [f"units: {line}" for line in units()]
    for path in sorted(set(written())):
        if any(fnmatch.fnmatch(path, pattern) for pattern in SPOILT + [pattern for pattern, _ in NO_READER]):
            continue
        reader = next((reader for pattern, reader in READERS if fnmatch.fnmatch(path, pattern)), None)
        if reader is None:
            if path.startswith("/etc/"):
                complaints.append(f"{path}: no reader")
            continue
        try:
            reader(path)
        except Wrong as wrong:
            complaints.append(f"{path}: {wrong}")
        except Exception as error:
            complaints.append(f"{path}: {type(error).__name__}: {error}")
    print("\n".join(complaints))


if sys.argv[1] == "--only":
    try:
        globals()[sys.argv[2]](sys.argv[3])
    except Wrong as wrong:
        sys.exit(f"{sys.argv[3]}: {wrong}")
else:
    main()
