//! Checks that downloads are where AKS has them: a host, file or image that is a typing error away from its own does not exist.
//!
//! To add a host or a file: a row in `HOSTS` or `FILES`.

use std::iter;

use super::fields::{Context, Text, field};
use super::network::downloads;
use super::syntax::is_url;
use crate::catalogue::clouds::{PUBLIC_REGISTRY, REGISTRY_SUFFIXES};
use crate::catalogue::{rules, vm_sizes};
use crate::document::{Finding, Severity, is_misspelled, nearest};

/// The hosts that have all downloads in [`FILES`].
const HOSTS_OF_AKS: [&str; 2] = ["packages.aks.azure.com", "acs-mirror.azureedge.net"];

/// The registries of Microsoft, in the public cloud and in China.
const REGISTRIES: [&str; 3] = [PUBLIC_REGISTRY, "mcr.azure.cn", "mcr.azk8s.cn"];

/// Other hosts from which nodes download.
const OTHER_HOSTS: [&str; 1] = ["packages.microsoft.com"];

/// The directories of the hosts, and the name of the file in each: `/DIRECTORY/vVERSION/binaries/NAME`.
const FILES: [(&str, &str); 4] = [
    ("kubernetes", "kubernetes-node-linux-{arch}.tar.gz"),
    ("cloud-provider-azure", "azure-acr-credential-provider-linux-{arch}-v{version}.tar.gz"),
    ("azure-cni", "azure-vnet-cni-linux-{arch}-v{version}.tgz"),
    ("cni-plugins", "cni-plugins-linux-{arch}-v{version}.tgz"),
];

/// The ends of the names of the files.
const ARCHIVES: [&str; 2] = [".tar.gz", ".tgz"];

/// The architectures in the names of the files.
const ARCHITECTURES: [&str; 2] = ["amd64", "arm64"];

/// The repositories of the pause image in the registries of Microsoft.
const PAUSE: [&str; 2] = ["oss/kubernetes/pause", "oss/v2/kubernetes/pause"];

/// Options of curl that checks of the outbound access have. None is a typing error away from another option.
const CURL_OPTIONS: [&str; 14] = [
    "--cacert",
    "--connect-timeout",
    "--fail",
    "--head",
    "--insecure",
    "--location",
    "--max-time",
    "--output",
    "--proxy-insecure",
    "--retry",
    "--retry-delay",
    "--show-error",
    "--silent",
    "--verbose",
];

pub(super) fn places(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let size = context.text(field!("vm_size"));
    let architecture = size.and_then(|size| vm_sizes::architecture(size.value)).unwrap_or("amd64");
    for text in downloads(context).filter(|text| is_url(text.value)) {
        let Some((scheme, rest)) = text.value.split_once("://") else { continue };
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        let host = authority.split(':').next().unwrap_or_default();
        let known = HOSTS_OF_AKS.iter().chain(&REGISTRIES).chain(&OTHER_HOSTS).copied();
        if let Some(meant) = misspelled(host, known) {
            findings.push(unknown_host(&text, host, meant));
        } else if HOSTS_OF_AKS.iter().any(|known| known.eq_ignore_ascii_case(host))
            && let Some(meant) = misspelled_path(path, architecture)
        {
            let problem = format!("has a path that `{host}` does not have");
            findings.push(warning(&text, problem).hint(format!("did you mean `{scheme}://{authority}/{meant}`?")));
        }
    }
    for text in context.texts(field!("kube_binary_config.pod_infra_container_image_url")) {
        findings.extend(pause_image(&text));
    }
    for text in context.texts(field!("bootstrap_profile_container_registry_server")) {
        let host = text.value.split(['/', ':']).next().unwrap_or_default().to_ascii_lowercase();
        let suffix = host.rmatch_indices('.').nth(1).map(|(at, _)| &host[at + 1..]);
        if let Some(suffix) = suffix
            && let Some(meant) = misspelled(suffix, REGISTRY_SUFFIXES.iter().copied())
        {
            let name = host.strip_suffix(suffix).unwrap_or_default();
            findings.push(unknown_host(&text, &host, &format!("{name}{meant}")));
        }
    }
}

pub(super) fn outbound_check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for text in context.texts(field!("outbound_command")) {
        let mut words = text.value.split_ascii_whitespace();
        if words.next() != Some("curl") {
            continue;
        }
        let options = words.map(|word| word.split('=').next().unwrap_or_default());
        // Many versions of curl accept the beginning of a name.
        let is_beginning = |option: &str| CURL_OPTIONS.iter().any(|known| known.starts_with(option));
        for option in options.filter(|word| word.starts_with("--") && !is_beginning(word)) {
            if let Some(meant) = misspelled(option, CURL_OPTIONS.iter().copied()) {
                let problem = format!("has the option `{option}`, which curl does not know");
                let finding = Finding::violation(&rules::OUTBOUND_COMMAND, text.path(), problem);
                findings.push(finding.hint(format!("did you mean `{meant}`?")));
            }
        }
    }
}

fn warning(text: &Text<'_>, problem: String) -> Finding {
    Finding::violation(&rules::MISSPELLED_DOWNLOAD, text.path(), problem).severity(Severity::Warning)
}

fn unknown_host(text: &Text<'_>, host: &str, meant: &str) -> Finding {
    let problem = format!("is on the host `{host}`, a typing error away from one of AKS");
    warning(text, problem).hint(format!("did you mean `{meant}`?"))
}

/// Returns the known name that an unknown one is a typing error away from. Letter case makes no difference.
fn misspelled<'k>(name: &str, known: impl Iterator<Item = &'k str> + Clone) -> Option<&'k str> {
    if known.clone().any(|known| known.eq_ignore_ascii_case(name)) || !is_misspelled(name, known.clone()) {
        return None;
    }
    nearest(name, known)
}

/// Returns the path that a path on a host of AKS is most likely meant to be, unless it is as it must be, or of another download. A name
/// without an architecture is meant to have that of the node.
fn misspelled_path(path: &str, architecture: &str) -> Option<String> {
    let parts: Vec<_> = path.split('/').collect();
    let [directory, version, binaries, file] = parts[..] else { return None };
    let number =
        version.strip_prefix(['v', 'V']).filter(|number| number.starts_with(|first: char| first.is_ascii_digit()))?;
    let named = |pattern: &str, arch: &str, number: &str| pattern.replace("{arch}", arch).replace("{version}", number);
    // Nearly all are right, and comparing with what is near takes most of the time.
    let is_right = |(known, pattern): &(&str, &str)| {
        directory == *known
            && binaries == "binaries"
            && ARCHITECTURES.iter().any(|arch| file == named(pattern, arch, number))
    };
    if FILES.iter().any(is_right) {
        return None;
    }
    let is_near = |found: &str, expected: &str| found == expected || is_misspelled(found, [expected]);
    let (_, version_of_file) = file.rsplit_once("-v").unwrap_or_default();
    FILES.iter().filter(|(known, _)| is_near(directory, known)).find_map(|(known, pattern)| {
        let without_architecture = pattern.replace("-{arch}", "").replace("{version}", number);
        iter::once(&architecture).chain(&ARCHITECTURES).find_map(|arch| {
            let name = named(pattern, arch, number);
            // Another version in the name than in the directory is an error too, although it is no typing error.
            let other = stem(version_of_file);
            let with_other = other.map(|other| named(pattern, arch, other));
            let is_meant = is_near(file, &name)
                || (stem(file).is_some() && stem(file) == stem(&name))
                || with_other.is_some_and(|name| name == file)
                || file == without_architecture;
            let meant = format!("{known}/v{number}/binaries/{name}");
            (is_near(binaries, "binaries") && is_meant && meant != path).then_some(meant)
        })
    })
}

/// Returns the name of an archive without its end.
fn stem(file: &str) -> Option<&str> {
    ARCHIVES.iter().find_map(|end| file.strip_suffix(end))
}

/// Returns a finding for a pause image that a registry of Microsoft does not have.
fn pause_image(text: &Text<'_>) -> Option<Finding> {
    let (registry, rest) = text.value.split_once('/')?;
    if let Some(meant) = misspelled(registry, REGISTRIES.iter().copied()) {
        return Some(unknown_host(text, registry, meant));
    }
    if !REGISTRIES.contains(&registry) {
        return None;
    }
    let name = rest.split('@').next().unwrap_or_default();
    let (repository, tag) = name.split_once(':').map_or((name, None), |(name, tag)| (name, Some(tag)));
    if let Some(meant) = misspelled(repository, PAUSE.iter().copied()) {
        let problem = format!("is the image `{repository}`, a typing error away from the pause image of `{registry}`");
        return Some(warning(text, problem).hint(format!("did you mean `{meant}`?")));
    }
    let tag = tag.filter(|_| PAUSE.contains(&repository))?;
    // `3.6`, `3.10.1`, and `3.6-hotfix.20221109`.
    let version = tag.split('-').next().unwrap_or_default();
    let is_version = version.split('.').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    let is_wrong = tag.starts_with(|first: char| first.is_ascii_digit()) && !is_version;
    is_wrong.then(|| warning(text, format!("has the tag `{tag}`, which is no version of the pause image")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_a_typing_error_is_told_from_another_download() {
        let kubernetes = "kubernetes/v1.33.5/binaries/kubernetes-node-linux-amd64.tar.gz";
        let cni = "azure-cni/v1.6.26/binaries/azure-vnet-cni-linux-arm64-v1.6.26.tgz";
        for (path, expected) in [
            (kubernetes, None),
            (cni, None),
            ("kubernetes/v1.33.5/binaries/kubernetes-node-linx-amd64.tar.gz", Some(kubernetes)),
            ("kubernetes/v1.33.5/binaries/kubernetes-node-linux-amd64.tar.gzx", Some(kubernetes)),
            ("KUBERNETES/V1.33.5/BINARIES/KUBERNETES-NODE-LINUX-AMD64.TAR.GZ", Some(kubernetes)),
            ("kubernets/v1.33.5/binaries/kubernetes-node-linux-amd64.tar.gz", Some(kubernetes)),
            ("azure-cni/v1.6.26/binaries/azure-vnet-cni-linux-arm64-v1.6.25.tgz", Some(cni)),
            ("azure-cni/v1.6.26/binaires/azure-vnet-cni-linux-arm64-v1.6.26.tgz", Some(cni)),
            ("azure-cni/v1.6.26/binaries/azure-vnet-cni-swift-linux-arm64-v1.6.26.tgz", None),
            ("cni/cni-plugins-amd64-v0.7.6.tgz", None),
            ("kubernetes/v1.33.5-hotfix.20240101/binaries/kubernetes-node-linux-amd64.tar.gz", None),
            ("", None),
        ] {
            assert_eq!(misspelled_path(path, "amd64").as_deref(), expected, "{path}");
        }
        let without = "azure-cni/v1.6.26/binaries/azure-vnet-cni-linux-v1.6.26.tgz";
        assert_eq!(misspelled_path(without, "arm64").as_deref(), Some(cni));
        let without = "kubernetes/v1.33.5/binaries/kubernetes-node-linux.tar.gz";
        assert_eq!(misspelled_path(without, "amd64").as_deref(), Some(kubernetes));
    }
}
