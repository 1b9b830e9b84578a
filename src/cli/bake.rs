//! `bake`: writes the files that a node needs to an image.

use std::fmt::Write;
use std::io;
use std::path::PathBuf;

use serde_json::json;

use super::generate::os_names;
use super::output::{self, Format, InClear, Layout};
use super::progress::Progress;
use super::style::{self, paint};
use super::table::Table;
use super::{Failure, Outcome};
use crate::catalogue::node_files::{Content, image_files};
use crate::catalogue::operating_systems::{OPERATING_SYSTEMS, OperatingSystem};
use crate::node::{self, Change};

/// Write the files that a node needs to an image
#[derive(clap::Args)]
#[command(after_help = "Examples:
  aks-node-controller bake --root /mnt/image --os ubuntu
  aks-node-controller bake --list --format json

Each file is written atomically, with its owner and mode; a file that already has this content is not changed. The \
result, the markers and the inputs of an earlier run are removed, because a new node would count as provisioned, or start with the input of \
another one.")]
pub(super) struct Bake {
    /// Root file system of the image
    #[arg(long, value_name = "DIR", required_unless_present = "list")]
    root: Option<PathBuf>,
    /// Family of the image
    #[arg(long, value_name = "OS", value_parser = os_names(), required_unless_present = "list")]
    os: Option<&'static OperatingSystem>,
    /// Print the files and write nothing
    #[arg(long)]
    list: bool,
    /// Format of the result
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

impl Bake {
    pub fn run(self) -> Outcome {
        let family = self.os.unwrap_or(&OPERATING_SYSTEMS[0]).family;
        let mut changes = Vec::new();
        if let (false, Some(root)) = (self.list, &self.root) {
            let mut progress = Progress::start();
            let show = |done, count| progress.show(|_| format!("{done} of {count} files"));
            changes = node::bake(root, family, show).map_err(|error| Failure::Input(error.to_string()))?;
            drop(progress);
            if cfg!(not(target_feature = "crt-static")) {
                output::note(
                    "warning: this program is linked dynamically and may not run on the image; use the static build",
                );
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
