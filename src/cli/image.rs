//! The contents of the image: options of several commands, and the file of image facts.

#[cfg(node)]
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::Failure;
#[cfg(node)]
use super::Outcome;
use super::file::{Document, read};
use super::output;
#[cfg(node)]
use crate::atomic_file::{self, Durability, Modes};
use crate::catalogue::operating_systems::{OperatingSystem, image_system};
use crate::configuration::Version;
use crate::environment::{Components, ImageContents};
use crate::image_facts::Facts;
#[cfg(node)]
use crate::image_facts::gather;

/// The contents of the image. A node detects them itself.
#[derive(clap::Args, Debug)]
pub(super) struct ImageArguments {
    /// Version of the image's containerd; empty: not installed [default: depends on --os]
    #[arg(long, value_name = "VERSION")]
    pub containerd_version: Option<String>,
    /// The image's component list (/opt/azure/components.json), for GPU driver versions [default: built in]
    #[arg(long, value_name = "FILE")]
    pub components: Option<PathBuf>,
    /// Facts of the image, as `bake --facts` writes them: version of containerd and components
    #[arg(long, value_name = "FILE")]
    pub image: Option<PathBuf>,
    /// The facts, because a file such as a pipe can be read once only.
    #[clap(skip)]
    read: OnceLock<Option<(String, Facts)>>,
}

/// Reads a file of image facts. Returns its name too.
pub(super) fn facts_in(path: &Path) -> Result<(String, Facts), Failure> {
    let Document { name, bytes } = read(path)?;
    let facts = Facts::parse(&bytes).map_err(|problem| {
        // A problem of the syntax begins with its place.
        let blank = if problem.starts_with(|first: char| first.is_ascii_digit()) { "" } else { " " };
        Failure::Input(format!("{name}:{blank}{problem}"))
    })?;
    Ok((name, facts))
}

impl ImageArguments {
    /// Prints which version of containerd was assumed because none was given.
    pub fn print_default(&self, distro: &OperatingSystem) {
        let is_known = self.facts().is_ok_and(|facts| facts.is_some_and(|(_, facts)| facts.containerd.is_some()));
        if self.containerd_version.is_none() && !is_known {
            output::note(&format!(
                "note: rendered for containerd {}, the default of `{}`; use --containerd-version for another",
                distro.containerd_version, distro.name
            ));
        }
    }

    /// Returns what the file of `--image` says, and its name.
    fn facts(&self) -> Result<Option<&(String, Facts)>, Failure> {
        if self.read.get().is_none() {
            let facts = self.image.as_deref().map(facts_in).transpose()?;
            return Ok(self.read.get_or_init(|| facts).as_ref());
        }
        Ok(self.read.get().and_then(Option::as_ref))
    }

    /// Returns the contents of the image: from the arguments, else the built-in ones.
    pub fn contents(&self, distro: &OperatingSystem) -> Result<ImageContents, Failure> {
        let facts = self.facts()?;
        if let Some((name, facts)) = facts {
            let contradicts = |problem: String| Err(Failure::Usage(format!("{name}: {problem}")));
            let family = facts.os.name.as_deref().and_then(image_system).map(|system| system.family);
            if family.is_some_and(|family| family != distro.family) {
                let found = facts.os.name.as_deref().unwrap_or_default();
                return contradicts(format!("the image is for `{found}`, but the node is for `{}`", distro.name));
            }
            if let (Some(given), Some(found)) = (&self.containerd_version, &facts.containerd)
                && given != found
            {
                return contradicts(format!(
                    "the image has containerd `{found}`, but --containerd-version is `{given}`"
                ));
            }
            if self.components.is_some() && facts.gpu_drivers.is_some() {
                return contradicts("the image has a component list, which --components contradicts".to_owned());
            }
        }
        let facts = facts.map(|(_, facts)| facts);
        let components = match &self.components {
            None => facts.and_then(|facts| facts.gpu_drivers.as_ref()).map(Components::of_images).unwrap_or_default(),
            Some(file) => {
                let document = read(file)?;
                let text = String::from_utf8_lossy(&document.bytes);
                Components::parse(&text)
                    .map_err(|error| Failure::Input(format!("{}: is not a component list: {error}", document.name)))?
            }
        };
        let given = self.containerd_version.as_deref().or(facts.and_then(|facts| facts.containerd.as_deref()));
        let given = given.unwrap_or(distro.containerd_version);
        // Without the suffix that a package adds to the version, as a node reads it.
        let release = given.split(['-', '+', '~']).next().unwrap_or_default();
        if !given.is_empty() && Version::parse(release).is_none() {
            let message = format!(
                "--containerd-version must be a version such as `1.7.28`, or empty if containerd is not installed, \
                 found `{given}`"
            );
            return Err(Failure::Usage(message));
        }
        Ok(ImageContents { containerd_version: release.to_owned(), components, ..ImageContents::default() })
    }
}

/// Writes a file of image facts, which other users can read.
#[cfg(node)]
pub(super) fn write_facts(path: &Path, facts: &Facts) -> Outcome {
    let text = serde_json::to_string_pretty(facts).expect("facts are plain data") + "\n";
    if fs::symlink_metadata(path).is_ok_and(|found| !found.is_file()) {
        return output::raw_file(path, text.as_bytes());
    }
    atomic_file::replace(path, text.as_bytes(), Modes { file: 0o644, directory: 0o755 }, Durability::Synced).map_err(
        |error| Failure::Input(format!("cannot write {}: {error}", output::printable(&path.display().to_string()))),
    )
}

/// Returns the facts of the image below a root.
#[cfg(node)]
pub(super) fn facts_below(root: &Path) -> Result<Facts, Failure> {
    gather(root).map_err(|error| {
        Failure::Input(format!("cannot read {}: {error}", output::printable(&root.display().to_string())))
    })
}
