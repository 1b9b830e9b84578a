//! What `bake` puts on an image: every file with its owner and mode, and what is enabled.
//!
//! To add a file: one row here, its content under `parts/`.

use super::paths;

/// Where the content of a file comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// This program.
    Program,
    /// A file under `parts/`.
    Part(&'static str),
    /// Nothing: a link to this path.
    Link(&'static str),
}

/// One file of an image. All belong to root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageFile {
    /// Where it goes.
    pub path: &'static str,
    /// Its mode. Links have none of their own.
    pub mode: u32,
    /// What is in it.
    pub content: Content,
    /// What it is for.
    pub purpose: &'static str,
}

/// A file of the table, by its path, mode and purpose; the content is named last.
const fn file(path: &'static str, mode: u32, purpose: &'static str, content: Content) -> ImageFile {
    ImageFile { path, mode, content, purpose }
}

/// Everything that an image needs, on every family.
pub static IMAGE_FILES: [ImageFile; 7] = [
    file(paths::CONTROLLER, 0o755, "this program", Content::Program),
    file(
        paths::LAUNCHER,
        0o755,
        "starts the program; called by the boothook and by the unit",
        Content::Part(include_str!("../../parts/controller/aks-node-controller-launcher.sh")),
    ),
    file(
        paths::PRELOAD,
        0o744,
        "warms the page cache; called by the boothook",
        Content::Part(include_str!("../../parts/controller/provision_preload.sh")),
    ),
    file(
        "/etc/systemd/system/aks-node-controller.service",
        0o644,
        "starts the launcher for documents that no boothook brings",
        Content::Part(include_str!("../../parts/controller/aks-node-controller.service")),
    ),
    file(
        "/etc/systemd/system/aks-node-controller.path",
        0o644,
        "starts the unit when a document arrives late",
        Content::Part(include_str!("../../parts/controller/aks-node-controller.path")),
    ),
    file(
        "/etc/systemd/system/basic.target.wants/aks-node-controller.service",
        0o777,
        "the unit is enabled",
        Content::Link("/etc/systemd/system/aks-node-controller.service"),
    ),
    file(
        "/etc/systemd/system/basic.target.wants/aks-node-controller.path",
        0o777,
        "the path unit is enabled",
        Content::Link("/etc/systemd/system/aks-node-controller.path"),
    ),
];

/// What an earlier run may have left, and no image may carry: a node that is made from it would count as made.
pub static LEFTOVERS: [&str; 4] =
    [paths::PROVISION_COMPLETE, paths::BASE_PREP_COMPLETE, paths::RESULT, "/var/log/azure/aks/provision.json.previous"];
