//! The ways in which a node gets what it needs.

use super::operating_systems::FirstBoot;

/// One way.
#[derive(Debug, PartialEq, Eq)]
pub struct Route {
    /// As `--route` names it.
    pub name: &'static str,
    /// What travels, in a sentence.
    pub meaning: &'static str,
    /// What has to read `CustomData` at first boot.
    pub first_boots: &'static [FirstBoot],
    /// Whether there is a CSE command beside `CustomData`.
    pub has_cse: bool,
}

/// The first is the default.
pub static ROUTES: [Route; 3] = [
    Route {
        name: "node-bootstrap-variables",
        meaning: "one self-contained script with all variables in it, no CSE; needs no controller on the image",
        first_boots: &[FirstBoot::CloudInit],
        has_cse: false,
    },
    Route {
        name: "scriptless",
        meaning: "the Configuration travels, the node's controller does the rest, the CSE waits for it",
        first_boots: &[FirstBoot::CloudInit, FirstBoot::Ignition],
        has_cse: true,
    },
    Route {
        name: "scripted",
        meaning: "CustomData drops the scripts, the CSE passes the variables and starts them",
        first_boots: &[FirstBoot::CloudInit, FirstBoot::Ignition],
        has_cse: true,
    },
];

/// Names of the routes that work with what reads `CustomData` at first boot.
pub fn routes_for(first_boot: FirstBoot) -> impl Iterator<Item = &'static str> {
    ROUTES.iter().filter(move |route| route.first_boots.contains(&first_boot)).map(|route| route.name)
}
