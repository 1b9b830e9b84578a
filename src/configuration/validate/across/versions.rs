//! Checks that images and downloads fit the version of Kubernetes.

use super::super::fields::{Context, at, field};
use crate::catalogue::node_images::KUBERNETES_MINORS;
use crate::catalogue::rules;
use crate::configuration::{FieldPath, Version};
use crate::document::{DocPath, Finding};

/// Returns a finding for a version of Kubernetes without an AKS image.
pub(crate) fn without_image(version: &Version<'_>, path: DocPath) -> Option<Finding> {
    let has_image = version.major() == 1 && KUBERNETES_MINORS.contains(&version.minor());
    let (first, last) = (KUBERNETES_MINORS.start(), KUBERNETES_MINORS.end());
    (!has_image).then(|| {
        let problem =
            format!("is a version of Kubernetes without a supported image: images exist for 1.{first} to 1.{last}");
        Finding::violation(&rules::KUBERNETES_IMAGE, path, problem)
    })
}

pub(super) fn image(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let text = context.text(field!("kubernetes_version"));
    let version = text.and_then(|text| Version::parse_full(text.value));
    findings.extend(version.and_then(|version| without_image(&version, at(field!("kubernetes_version")))));
}

/// Downloads that name a version of Kubernetes, and whether the patch must match too. Custom builds have their own
/// patch numbers, and the credential provider has releases of its own.
const DOWNLOADS: [(&FieldPath, bool); 4] = [
    (field!("kube_binary_config.kube_binary_url"), true),
    (field!("kube_binary_config.custom_kube_binary_url"), false),
    (field!("kube_binary_config.private_kube_binary_url"), false),
    (field!("kube_binary_config.linux_credential_provider_url"), false),
];

pub(super) fn downloads(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(version) = &context.kubernetes else { return };
    let numbers = |version: &Version<'_>| (version.major(), version.minor(), version.patch());
    let (major, minor, patch) = numbers(version);
    for (path, patch_counts) in DOWNLOADS {
        for url in context.texts(path) {
            let Some(found) = named_version(url.value) else { continue };
            let (other_major, other_minor, other_patch) = numbers(&found);
            if (other_major, other_minor) != (major, minor) || patch_counts && other_patch != patch {
                let problem = format!(
                    "names version {other_major}.{other_minor}.{other_patch}, but `kubernetes_version` is \
                     {major}.{minor}.{patch}"
                );
                findings.push(Finding::violation(&rules::VERSION_IN_URL, url.path(), problem));
            }
        }
    }
}

/// Returns the first version in a URL or an image reference: three numbers after `v` or, in a tag, after `:`.
fn named_version(url: &str) -> Option<Version<'_>> {
    let starts = url.match_indices(['v', ':']).filter(|(at, found)| {
        let before = url[..*at].bytes().last();
        *found == ":" || !before.is_some_and(|byte| byte.is_ascii_alphanumeric())
    });
    starts.map(|(at, _)| &url[at + 1..]).find_map(|rest| {
        let end = rest.find(|character: char| !character.is_ascii_digit() && character != '.').unwrap_or(rest.len());
        let numbers = rest[..end].trim_end_matches('.');
        Version::parse_full(numbers).filter(|version| version.major() > 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_urls_and_image_references() {
        for (url, expected) in [
            ("https://a.example/kubernetes/v1.33.5/binaries/kubernetes-node-linux-amd64.tar.gz", Some((1, 33, 5))),
            ("https://a.example/x/azure-acr-credential-provider-linux-amd64-v1.32.0.tar.gz", Some((1, 32, 0))),
            ("mirror.azurecr.io/kubernetes:v1.33.2", Some((1, 33, 2))),
            ("mirror.azurecr.io:5000/kubernetes:1.33.2-build.1", Some((1, 33, 2))),
            ("https://a.example/v1.34.0-beta.1/node.tgz", Some((1, 34, 0))),
            ("http://10.1.2.3:8080/node.tgz", None),
            ("https://dev1.2.3.example/node.tgz", None),
            ("https://a.example/v1.33/node.tgz", None),
            ("", None),
        ] {
            let found = named_version(url).map(|version| (version.major(), version.minor(), version.patch()));
            assert_eq!(found, expected, "{url}");
        }
    }
}
