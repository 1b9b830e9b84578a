//! Warnings about a user's document that would break provisioning, or the node.
//!
//! To add one: a row in a table, or a branch in the function of its place. Only the programs and the arguments of simple commands are
//! looked at, so a text that names one of them is not mistaken for it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{CLOUD_CONFIG, UserPart};
use crate::catalogue::paths;
use crate::document::{is_misspelled, nearest};
use crate::inspection::cloud_config::{Node, parsed};

/// Keys of a cloud-config that break provisioning or are ignored, and why.
const BREAKING: [(&str, &str); 6] = [
    ("power_state", "turns the machine off or restarts it, possibly during provisioning"),
    ("cloud_init_modules", "replaces the list of modules of the image, which writes files and sets up disks"),
    ("cloud_config_modules", "replaces the list of modules of the image"),
    ("cloud_final_modules", "replaces the list of modules of the image, which runs scripts"),
    ("autoinstall", "is for an installer, which no image of a node has"),
    // <https://cloudinit.readthedocs.io/en/latest/reference/network-config.html>
    ("network", "has no effect: cloud-init takes the network of a machine from Azure, not from user data"),
];

/// The keys of a cloud-config. cloud-init ignores others without an error.
/// <https://cloudinit.readthedocs.io/en/latest/reference/modules.html>
const KEYS: &str = "allow_public_ssh_keys ansible apk_repos apt apt_pipelining apt_reboot_if_required apt_update apt_upgrade \
    authkey_hash autoinstall bootcmd byobu_by_default ca-certs ca_certs chef chpasswd cloud_config_modules cloud_final_modules \
    cloud_init_modules create_hostname_file datasource datasource_list device_aliases disable_ec2_metadata disable_root \
    disable_root_opts disk_setup drivers fan final_message fqdn fs_setup groups growpart grub-dpkg grub_dpkg hostname keyboard \
    landscape launch-index locale locale_configfile lxd manage_etc_hosts manage_resolv_conf mcollective merge_how merge_type \
    migrate mount_default_fields mounts network no_ssh_fingerprints ntp output package_reboot_if_required package_update \
    package_upgrade packages password phone_home power_state prefer_fqdn_over_hostname preserve_hostname puppet random_seed \
    reporting resize_rootfs resolv_conf rh_subscription rsyslog runcmd salt_minion snap spacewalk ssh ssh_authorized_keys \
    ssh_deletekeys ssh_fp_console_blacklist ssh_genkeytypes ssh_import_id ssh_key_console_blacklist ssh_keys \
    ssh_publish_hostkeys ssh_pwauth ssh_quiet_keygen swap system_info timezone ubuntu_advantage ubuntu_pro updates user users \
    vendor_data version wireguard write_files yum_repo_dir yum_repos zypper";

/// The keys of an element of `write_files`.
const KEYS_OF_FILES: &str = "append content defer encoding owner path permissions source";

/// The stable versions of documents that Ignition reads. Which experimental one it reads depends on its own version.
/// <https://coreos.github.io/ignition/specs/>
const IGNITION: [&str; 7] = ["3.0.0", "3.1.0", "3.2.0", "3.3.0", "3.4.0", "3.5.0", "3.6.0"];

const RENAMES: &str =
    "changes the name of the machine, which is that of the node: the cloud provider does not find its VM";
const SWAPS: &str = "adds swap, with which the kubelet does not start unless its `--fail-swap-on` is `false`";

/// Units without which a machine is no node, or Azure cannot reach it.
const UNITS: [&str; 9] = [
    "aks-node-controller",
    "cloud-config",
    "cloud-final",
    "containerd",
    "kubelet",
    "systemd-networkd",
    "systemd-resolved",
    "waagent",
    "walinuxagent",
];

/// Programs that end what runs.
const ENDS: [&str; 4] = ["reboot", "poweroff", "halt", "shutdown"];

/// The directory of the node's own scripts and inputs.
const OWN: &str = "/opt/azure/containers/";

/// Files that provisioning writes or that the image has for it.
const FILES: [&str; 15] = [
    paths::AZURE_JSON,
    paths::BOOTSTRAP_KUBECONFIG,
    paths::COMPONENTS,
    paths::KUBECONFIG,
    paths::KUBELET_DEFAULTS,
    "/etc/containerd/config.toml",
    "/etc/default/kubeletconfig.json",
    "/etc/hostname",
    "/etc/kubernetes/certs/ca.crt",
    "/etc/resolv.conf",
    "/etc/systemd/system/containerd.service",
    "/etc/systemd/system/kubelet.service",
    "/etc/waagent.conf",
    "/opt/bin/kubelet",
    "/var/lib/kubelet/credential-provider-config.yaml",
];

/// Directories in which a node has what it needs.
const DIRECTORIES: [&str; 10] = [
    "/etc/cni",
    "/etc/containerd",
    "/etc/kubernetes",
    "/opt/azure",
    "/opt/azure/containers",
    "/opt/bin",
    "/opt/cni",
    "/var/lib/containerd",
    "/var/lib/kubelet",
    paths::AGENT_DIRECTORY,
];

/// Packages that a node has. Another build of one of them replaces it.
const PACKAGES: [&str; 8] =
    ["cloud-init", "containerd", "kubelet", "moby-containerd", "moby-runc", "runc", "waagent", "walinuxagent"];

/// Packages that replace the container runtime or the kubelet of a node.
const REPLACING: [&str; 8] =
    ["containerd", "containerd.io", "docker-ce", "docker.io", "kubeadm", "kubelet", "moby-engine", "runc"];

/// Programs that install and remove packages.
const MANAGERS: [&str; 8] = ["apt", "apt-get", "aptitude", "dnf", "dpkg", "rpm", "tdnf", "yum"];

/// Returns what would break provisioning in parts for cloud-init, beside the files that the node's own parts write.
pub(super) fn warnings_of_parts(own: &BTreeSet<String>, parts: &[UserPart]) -> Vec<String> {
    let mut found = Vec::new();
    for part in parts {
        if part.content_type == CLOUD_CONFIG {
            warnings_of_cloud_config(own, &part.body, &mut found);
        } else {
            found.extend(warnings_of_commands(&part.body, "a script"));
        }
    }
    let mut seen = BTreeSet::new();
    found.retain(|warning| seen.insert(warning.clone()));
    found
}

/// Returns the keys of a map that are one typing error away from a known one, each with that one.
fn misspelled<'n>(node: &'n Node, known: &'static str) -> impl Iterator<Item = (&'n str, &'static str)> {
    let members = if let Node::Map(members) = node { members.as_slice() } else { &[] };
    let is_known = |key: &str| known.split(' ').any(|known| known == key);
    members.iter().map(|(key, _)| key.as_str()).filter(move |key| !is_known(key)).filter_map(|key| {
        let known = known.split(' ').filter(|known| is_misspelled(key, [*known]));
        Some((key, nearest(key, known)?))
    })
}

fn ignored(key: &str, known: &str) -> String {
    format!("`{key}` is no key of a cloud-config, so cloud-init ignores it: did you mean `{known}`?")
}

fn warnings_of_cloud_config(own: &BTreeSet<String>, text: &str, found: &mut Vec<String>) {
    let (root, broken) = parsed(text);
    if let Some(broken) = broken {
        found.push(format!("is not checked completely: {broken}"));
    }
    let is_on = |node: Option<&Node>| node.is_some_and(|value| is_true(&value.text()));
    let items = |name: &str| root.member(name).map(Node::items).unwrap_or_default();
    found.extend(misspelled(&root, KEYS).map(|(key, known)| ignored(key, known)));
    for file in items("write_files") {
        let keys = misspelled(file, KEYS_OF_FILES);
        found.extend(keys.map(|(key, known)| ignored(&format!("write_files[].{key}"), known)));
    }
    let breaking = BREAKING.iter().filter(|(key, _)| root.member(key).is_some());
    found.extend(breaking.map(|(key, reason)| format!("`{key}` {reason}")));
    if is_on(root.member("package_reboot_if_required")) {
        found.push("`package_reboot_if_required` restarts the machine, possibly during provisioning".to_owned());
    }
    if let Some(Node::List(users)) = root.member("users")
        && !users.iter().any(|user| user.text() == "default")
    {
        found.push("`users` has no `default`, so the administrator of the machine gets no account".to_owned());
    }
    let mode = root.member("growpart").and_then(|growpart| growpart.member("mode")).or(root.member("resize_rootfs"));
    if mode.is_some_and(|mode| ["off", "false"].contains(&mode.text().to_ascii_lowercase().as_str())) {
        let key = if root.member("growpart").is_some() { "growpart" } else { "resize_rootfs" };
        found.push(format!("`{key}` is off, so the root filesystem keeps the size of the image"));
    }
    if !is_on(root.member("preserve_hostname")) {
        let keys = ["hostname", "fqdn"].into_iter().filter(|key| root.member(key).is_some());
        found.extend(keys.map(|key| format!("`{key}` {RENAMES}")));
    }
    if root.member("swap").and_then(|swap| swap.member("size")).is_some_and(|size| size.text() != "0") {
        found.push(format!("`swap` {SWAPS}"));
    }
    for key in ["ca_certs", "ca-certs"] {
        let settings = root.member(key);
        let removes = |name: &str| is_on(settings.and_then(|settings| settings.member(name)));
        if removes("remove_defaults") || removes("remove-defaults") {
            found.push(format!("`{key}` removes the CAs of the image, without which no download works"));
        }
    }
    if is_on(root.member("disable_ec2_metadata")) {
        let reason = "blocks the instance metadata of Azure, which the node reads";
        found.push(format!("`disable_ec2_metadata` {reason}"));
    }
    for mount in items("mounts") {
        let part = |at: usize| mount.items().get(at).map(Node::text).unwrap_or_default();
        if part(2) == "swap" || part(1) == "swap" {
            found.push(format!("`mounts` {SWAPS}"));
        } else if hides(&part(1)) {
            found.push(format!("`mounts` has {}, which hides what the node has below it", part(1)));
        }
    }
    for package in items("packages") {
        let name = package.items().first().unwrap_or(package).text();
        if REPLACING.contains(&package_name(&name)) {
            found.push(format!("`packages` has {name}, which replaces a program of the node"));
        }
    }
    for file in items("write_files") {
        let path = file.member("path").map(Node::text).unwrap_or_default();
        if belongs_to_node(&path) || own.contains(&path) {
            found.push(format!("`write_files` has {path}, which belongs to the node"));
        }
    }
    for list in ["bootcmd", "runcmd"] {
        for command in items(list) {
            found.extend(warnings_of_commands(&command.text(), &format!("`{list}`")));
        }
    }
}

/// Returns what would break the node in an Ignition document.
pub(super) fn warnings_of_ignition(value: &Value) -> Vec<String> {
    let list = |pointer: &str| value.pointer(pointer).and_then(Value::as_array).into_iter().flatten();
    let text = |item: &Value, name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut found = Vec::new();
    let version = value.pointer("/ignition/version").and_then(Value::as_str).unwrap_or_default();
    if !IGNITION.contains(&version) && !version.ends_with("-experimental") {
        found.push(format!("has the version `{version}`, which Ignition does not read: the machine does not boot"));
    }
    for unit in list("/systemd/units") {
        let name = text(unit, "name");
        let is = |name: &str, wanted: bool| unit.get(name).and_then(Value::as_bool) == Some(wanted);
        let what = if is("mask", true) {
            "masks"
        } else if is("enabled", false) {
            "disables"
        } else if unit.get("contents").is_some_and(|contents| !contents.is_null()) {
            "replaces"
        } else {
            continue;
        };
        if is_needed(&name) {
            found.push(format!("{what} {name}, which a node needs"));
        }
    }
    for path in list("/storage/files").chain(list("/storage/links")).map(|file| text(file, "path")) {
        if belongs_to_node(&path) {
            found.push(format!("has {path}, which belongs to the node"));
        }
    }
    for path in list("/storage/filesystems").map(|file| text(file, "path")).filter(|path| hides(path)) {
        found.push(format!("mounts a filesystem at {path}, which hides what the node has below it"));
    }
    found
}

fn is_true(text: &str) -> bool {
    ["true", "yes", "on"].contains(&text.to_ascii_lowercase().as_str())
}

fn is_needed(unit: &str) -> bool {
    UNITS.contains(&unit.trim_end_matches(".service"))
}

/// Reports whether a unit is the firewall of Azure Linux, which rejects connections to the kubelet and to pods.
fn is_firewall(unit: &str) -> bool {
    unit.trim_end_matches(".service") == "firewalld"
}

fn belongs_to_node(path: &str) -> bool {
    path.starts_with(OWN) || FILES.contains(&path)
}

/// Reports whether a directory is one that a node needs, or has one below it.
fn hides(path: &str) -> bool {
    let Some(path) = path.strip_prefix('/').map(|_| path.trim_end_matches('/')) else { return false };
    let is_below =
        |directory: &&str| directory.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    DIRECTORIES.iter().any(is_below)
}

/// Returns the name of a package without its version and architecture.
fn package_name(package: &str) -> &str {
    package.split(['=', ':']).next().unwrap_or_default()
}

/// Returns what simple commands do that a node does not survive.
fn warnings_of_commands(text: &str, place: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines().filter(|line| !line.trim_start().starts_with('#')) {
        for command in line.split([';', '&', '|', '(', ')', '{', '}']) {
            let words = simple(command);
            let Some((program, words)) = words.split_first() else { continue };
            let program = program.rsplit('/').next().unwrap_or_default();
            found.extend(warning_of_command(program, words).into_iter().map(|what| format!("{place} {what}")));
        }
    }
    found
}

/// Returns the words of a command without what runs it: `sudo`, variables, or a shell with `-c`.
fn simple(command: &str) -> Vec<&str> {
    const BEFORE: [&str; 8] = ["sudo", "exec", "nohup", "then", "do", "else", "time", "env"];
    const SHELLS: [&str; 3] = ["sh", "bash", "dash"];
    let mut words = command.split_whitespace().peekable();
    let mut is_quoted = false;
    while let Some(word) = words.peek().copied() {
        let is_assignment = word.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        });
        if BEFORE.contains(&word) || is_assignment {
            words.next();
            // Their options, such as `sudo -n`.
            while words.peek().is_some_and(|word| word.starts_with('-')) {
                words.next();
            }
            continue;
        }
        let mut after = words.clone();
        after.next();
        let runs_text = after.next().is_some_and(|option| option.starts_with('-') && option.ends_with('c'));
        if !runs_text || !SHELLS.contains(&word.rsplit('/').next().unwrap_or_default()) {
            break;
        }
        words = after;
        is_quoted = true;
    }
    let mut words: Vec<_> = words.collect();
    if is_quoted {
        for word in &mut words {
            *word = word.trim_matches(['"', '\'']);
        }
    }
    words
}

/// Returns what a program does with these words.
fn warning_of_command(program: &str, words: &[&str]) -> Vec<String> {
    let arguments: Vec<&str> = words.iter().copied().filter(|word| !word.starts_with('-')).collect();
    let verb = arguments.first().copied().unwrap_or_default();
    let rest = arguments.get(1..).unwrap_or_default();
    let has = |options: &[&str]| words.iter().any(|word| options.contains(word));
    let ends = match program {
        "systemctl" => {
            ENDS.contains(&verb)
                || verb == "isolate" && rest.iter().any(|unit| ENDS.contains(&unit.trim_end_matches(".target")))
        }
        "init" | "telinit" => ["0", "6"].contains(&verb),
        "cloud-init" => verb == "clean" && has(&["--reboot", "-r"]),
        _ => ENDS.contains(&program),
    };
    if ends {
        return vec!["turns the machine off or restarts it, possibly during provisioning".to_owned()];
    }
    match program {
        "systemctl" if ["stop", "disable", "mask", "kill"].contains(&verb) => {
            let units = rest.iter().filter(|unit| is_needed(unit));
            units.map(|unit| format!("has `systemctl {verb} {unit}`, but a node needs {unit}")).collect()
        }
        "systemctl" if ["enable", "start", "restart"].contains(&verb) && rest.iter().any(|unit| is_firewall(unit)) => {
            vec![format!("has `systemctl {verb} firewalld`, after which nothing reaches the kubelet")]
        }
        "service" if rest.contains(&"stop") && is_needed(verb) => {
            vec![format!("has `service {verb} stop`, but a node needs {verb}")]
        }
        "hostnamectl" if ["set-hostname", "hostname"].contains(&verb) && !rest.is_empty() => vec![RENAMES.to_owned()],
        "hostname" if !arguments.is_empty() => vec![RENAMES.to_owned()],
        "swapon" => vec![SWAPS.to_owned()],
        "ufw" if verb == "enable" => {
            vec!["has `ufw enable`, after which nothing reaches the kubelet and the pods".to_owned()]
        }
        "iptables" | "ip6tables" if has(&["-P", "--policy"]) && has(&["DROP"]) => {
            vec![format!("has `{program}` with the policy `DROP`, after which nothing reaches the kubelet or the pods")]
        }
        "waagent" if words.iter().any(|word| word.contains("deprovision")) => {
            vec!["has `waagent -deprovision`, which removes what Azure's agent needs".to_owned()]
        }
        "kubeadm" if ["init", "join", "reset"].contains(&verb) => {
            vec![format!("has `kubeadm {verb}`, which replaces or removes the configuration of the node")]
        }
        "rm" | "rmdir" | "unlink" => {
            let paths = arguments.iter().map(|path| path.trim_end_matches("/*"));
            let needed = paths.filter(|path| path.starts_with('/') && (hides(path) || belongs_to_node(path)));
            needed.map(|path| format!("removes {path}, which a node needs")).collect()
        }
        _ if MANAGERS.contains(&program) => warnings_of_packages(words, &arguments),
        _ => Vec::new(),
    }
}

/// Returns the packages whose removal or installation breaks a node.
fn warnings_of_packages(words: &[&str], arguments: &[&str]) -> Vec<String> {
    const REMOVES: [&str; 9] = ["remove", "purge", "autoremove", "erase", "-r", "-P", "-e", "--remove", "--purge"];
    let removes = words.iter().any(|word| REMOVES.contains(word));
    let installs = arguments.first() == Some(&"install");
    let is_one_of = |list: &[&str], name: &str| list.iter().any(|known| known.eq_ignore_ascii_case(name));
    let names = arguments.iter().map(|word| package_name(word));
    if installs {
        let found = names.filter(|name| is_one_of(&REPLACING, name));
        return found.map(|name| format!("installs {name}, which replaces a program of the node")).collect();
    }
    let found = names.filter(|name| removes && is_one_of(&PACKAGES, name));
    found.map(|name| format!("removes {name}, which a node needs")).collect()
}
