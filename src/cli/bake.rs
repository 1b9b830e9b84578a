//! `bake`: writes the files that a node needs to an image.

use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde_json::json;

use super::image::{facts_below, write_facts};
use super::output::{self, Format, InClear, Layout};
use super::progress::Progress;
use super::style::{self, paint};
use super::table::Table;
use super::{Failure, Outcome};
use crate::catalogue::node_distros::Family;
use crate::catalogue::node_files::{Content, image_files};
use crate::catalogue::operating_systems::{IMAGE_SYSTEMS, ImageSystem, image_system};
use crate::image_facts::{Facts, gather, lacks};
use crate::node::{self, Change};

/// Install the files that a node needs on an image
#[derive(clap::Args)]
#[command(after_help = "Examples:
  aks-node-controller bake --root /mnt/image --os ubuntu
  aks-node-controller bake --root /mnt/image --os ubuntu --facts facts.json
  aks-node-controller bake --list --format json

Each file is written atomically, with its owner and mode; current files are not changed. The result, the markers and the inputs \
of an earlier run are removed: with them, a new node would count as provisioned, or start with the input of another node.")]
pub(super) struct Bake {
    /// Root file system of the image
    #[arg(long, value_name = "DIR", required_unless_present = "list")]
    root: Option<PathBuf>,
    /// Family of the image
    #[arg(long, value_name = "OS", value_parser = system_names(), required_unless_present = "list")]
    os: Option<&'static ImageSystem>,
    /// Write the facts of the image to this file, for `--image` of other commands
    #[arg(long, value_name = "FILE", conflicts_with = "list")]
    facts: Option<PathBuf>,
    /// Print the files and write nothing
    #[arg(long)]
    list: bool,
    /// Format of the result
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

fn system_names() -> impl TypedValueParser<Value = &'static ImageSystem> {
    let names = IMAGE_SYSTEMS.iter().map(|system| PossibleValue::new(system.name).help(system.title));
    PossibleValuesParser::new(names).map(|name| image_system(&name).expect("the parser accepts only these names"))
}

impl Bake {
    /// Fails before anything is written if os-release names a system of another family.
    fn check_release(&self, root: &Path, family: Family) -> Result<(), Failure> {
        // `bake` creates a root that does not exist.
        let Ok(Facts { os, .. }) = gather(root) else { return Ok(()) };
        let found = os.name.as_deref().and_then(image_system);
        let chosen = self.os.map_or("", |system| system.name);
        match found {
            Some(found) if found.family != family => Err(Failure::Input(format!(
                "{}: os-release says `{}`, so the image is for `{}`, not for `{chosen}`",
                output::printable(&root.display().to_string()),
                output::printable(&os.id),
                found.name
            ))),
            Some(found) if found.name != chosen => {
                output::note(&format!("note: os-release says `{}`; `--os {chosen}` has the same files", found.name));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    pub fn run(self) -> Outcome {
        let family = self.os.unwrap_or(&IMAGE_SYSTEMS[0]).family;
        let mut changes = Vec::new();
        if let (false, Some(root)) = (self.list, &self.root) {
            self.check_release(root, family)?;
            let mut progress = Progress::start();
            let show = |done, count| progress.show(|_| format!("{done} of {count} files"));
            changes = node::bake(root, family, show).map_err(|error| Failure::Input(error.to_string()))?;
            drop(progress);
            if cfg!(not(target_feature = "crt-static")) {
                output::note(
                    "warning: this program is linked dynamically and may not run on the image; use the static build",
                );
            }
            let facts = facts_below(root)?;
            for lacking in lacks(&facts) {
                output::note(&format!("the image lacks {lacking}"));
            }
            if let Some(file) = &self.facts {
                write_facts(file, &facts)?;
            }
        }
        let change_of =
            |path: &str| changes.iter().find(|(changed, _)| *changed == path).map(|(_, change)| change.name());
        let removed = changes.iter().filter(|(_, change)| *change == Change::Removed).map(|(path, _)| *path);
        match self.format {
            Format::Json => {
                let files = image_files(family).map(|file| {
                    let mut row = json!({
                        "path": file.path,
                        "mode": format!("{:04o}", file.mode),
                        "owner": "root:root",
                        "purpose": file.purpose,
                    });
                    if let Content::Link(target) = file.content {
                        row["link"] = target.into();
                    }
                    if let Some(change) = change_of(file.path) {
                        row["change"] = change.into();
                    }
                    row
                });
                let list = json!({
                    "os": self.os.map(|os| os.name),
                    "files": files.collect::<Vec<_>>(),
                    "removed": removed.collect::<Vec<_>>(),
                });
                output::json(&InClear(&list), Layout::Pretty)
            }
            Format::Text => {
                // Purposes are for people only: the lines in a pipe stay as they are.
                let width = output::width(&io::stdout());
                let mut list = Table::default();
                for file in image_files(family) {
                    let target = match file.content {
                        Content::Link(target) => format!("-> {target}"),
                        _ => String::new(),
                    };
                    let change = change_of(file.path).map(|change| format!("{change:9}"));
                    let (path, purpose) = match width {
                        Some(_) => (file.path.to_owned(), Some(format!("{target} {}", file.purpose))),
                        None => (format!("{} {target}", file.path), None),
                    };
                    let purpose = purpose.map(|purpose| paint(style::DETAIL, purpose.trim_start()));
                    let cells = [format!("{:04o}", file.mode), "root:root".to_owned(), path.trim_end().to_owned()];
                    list.row(change.into_iter().chain(cells).chain(purpose));
                }
                let mut text = list.text(width);
                for path in removed {
                    let _ = writeln!(text, "removed                     {path}");
                }
                output::text(&InClear(&text))
            }
        }
    }
}
