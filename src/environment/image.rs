//! The contents of the VM image.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::catalogue::gpu;

/// The contents of the VM image, which are not part of the Configuration. They are read once: on the node from its
/// files, elsewhere from tables or the command line.
#[derive(Clone, Debug, Default)]
pub struct ImageContents {
    /// The version of the installed containerd: three numbers. Empty if it is not installed or unknown.
    pub containerd_version: String,
    /// The component list of the image.
    pub components: Components,
    /// How containerd starts Kata containers, on images that have them.
    pub kata_runtimes: KataRuntimes,
}

/// The runtimes for Kata containers in the configuration of containerd 1, in which AgentBaker and the reference's node
/// controller differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum KataRuntimes {
    /// `kata` without options, and `katacli`: from a Configuration, on the node.
    #[default]
    WithCli,
    /// `kata` with the path of its configuration, and no `katacli`: from a NodeBootstrappingConfiguration.
    WithConfigurationPath,
}

impl ImageContents {
    /// Returns the version in the output of `containerd --version`: the third word without its `v` and its suffix.
    /// Empty if this is not three numbers.
    #[must_use]
    pub fn containerd_version(output: &str) -> &str {
        let word = output.split_whitespace().nth(2).unwrap_or_default();
        let word = word.strip_prefix('v').unwrap_or(word);
        let version = match word.find('-') {
            Some(at @ 1..) => &word[..at],
            _ => word,
        };
        let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if version.split('.').count() == 3 && version.split('.').all(number) { version } else { "" }
    }
}

/// Versions and suffixes of the GPU driver images, by repository. The default is [`gpu::DRIVER_IMAGES`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Components(Option<BTreeMap<String, (String, String)>>);

impl Components {
    /// Reads the component list of an image, `/opt/azure/components.json`.
    ///
    /// # Errors
    /// Fails if the text is not JSON, or not a component list.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "PascalCase")]
        struct List {
            #[serde(default, rename = "GPUContainerImages")]
            images: Option<Vec<Entry>>,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Entry {
            #[serde(default, rename = "downloadURL")]
            download_url: Option<String>,
            #[serde(default)]
            gpu_version: Option<Tag>,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Tag {
            #[serde(default)]
            latest_version: Option<String>,
        }

        let list: List = serde_json::from_str(text)?;
        let mut components = BTreeMap::new();
        for entry in list.images.unwrap_or_default() {
            let url = entry.download_url.unwrap_or_default();
            let repository = url.rsplit('/').next().unwrap_or_default().split(':').next().unwrap_or_default();
            let tag = entry.gpu_version.and_then(|tag| tag.latest_version).unwrap_or_default();
            if let Some((version, suffix)) = tag.split_once('-')
                && !suffix.contains('-')
            {
                components.insert(repository.to_owned(), (version.to_owned(), suffix.to_owned()));
            }
        }
        Ok(Self(Some(components)))
    }

    /// Returns the driver images with their tags; `None` if there is no list.
    #[cfg(all(node, feature = "cli"))]
    pub(crate) fn images(&self) -> Option<BTreeMap<String, String>> {
        let images = self.0.as_ref()?.iter();
        Some(
            images.map(|(repository, (version, suffix))| (repository.clone(), format!("{version}-{suffix}"))).collect(),
        )
    }

    /// Returns the list of driver images with these tags.
    #[cfg(feature = "cli")]
    pub(crate) fn of_images(images: &BTreeMap<String, String>) -> Self {
        let parts = |(repository, tag): (&String, &String)| {
            let (version, suffix) = tag.split_once('-')?;
            Some((repository.clone(), (version.to_owned(), suffix.to_owned())))
        };
        Self(Some(images.iter().filter_map(parts).collect()))
    }

    /// Returns the version and the suffix of a driver image. Empty if the list does not contain it.
    #[must_use]
    pub fn image(&self, repository: &str) -> (&str, &str) {
        let Some(components) = &self.0 else {
            let image = gpu::DRIVER_IMAGES.iter().find(|image| image.repository == repository);
            return image.map_or(("", ""), |image| (image.version, image.suffix));
        };
        components.get(repository).map_or(("", ""), |(version, suffix)| (version, suffix))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_the_third_word_if_it_is_three_numbers() {
        for (output, expected) in [
            ("containerd containerd.io 1.7.22 abc", "1.7.22"),
            ("containerd github.com/containerd/containerd/v2 v2.1.4-6.azl3 abc", "2.1.4"),
            ("containerd containerd.io 2.0.0-beta.1 x", "2.0.0"),
            ("containerd containerd.io 1.6.24-11-ubuntu1~24.04.1 x", "1.6.24"),
            ("a b 2.0", ""),
            ("a b 2.0.0.0", ""),
            ("a b 2.0.x", ""),
            ("a b 2..0", ""),
            ("a b 2.0.0+azure", ""),
            ("a b -2.0.0", ""),
            ("a b vv2.0.0", ""),
            ("containerd 1.7.22", ""),
            ("", ""),
        ] {
            assert_eq!(ImageContents::containerd_version(output), expected, "{output:?}");
        }
    }

    #[test]
    fn a_driver_image_is_used_if_its_tag_has_one_hyphen() {
        let list = r#"{"GPUContainerImages": [
            {"downloadURL": "host/path/one:*", "gpuVersion": {"latestVersion": "1.0-a"}},
            {"downloadURL": "host/path/two:*", "gpuVersion": {"latestVersion": "1.0-a-b"}},
            {"downloadURL": "host/path/one:*", "gpuVersion": {"latestVersion": "2.0-b"}},
            {"gpuVersion": null}
        ], "Other": 5}"#;
        let components = Components::parse(list).expect("a list");
        assert_eq!(components.image("one"), ("2.0", "b"));
        assert_eq!(components.image("two"), ("", ""));
        assert!(Components::parse("[").is_err());
    }
}
