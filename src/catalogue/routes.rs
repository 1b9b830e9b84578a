//! The routes: how CustomData and CSE make a node of a VM.
//!
//! To add a route: a row here, and a file in `delivery`.

use super::operating_systems::FirstBoot;

/// A route.
#[derive(Debug, PartialEq, Eq)]
pub struct Route {
    /// The value of `--route`.
    pub name: &'static str,
    /// What CustomData and the CSE contain, for the help text.
    pub meaning: &'static str,
    /// The programs that can read its `CustomData` at first boot.
    pub first_boots: &'static [FirstBoot],
    /// Whether it has a CSE command as well as `CustomData`.
    pub has_cse: bool,
}

/// The first is the default.
pub static ROUTES: [Route; 3] = [
    Route {
        name: "node-bootstrap-variables",
        meaning: "CustomData is a script that sets all variables; there is no CSE, and the image needs no controller",
        first_boots: &[FirstBoot::CloudInit],
        has_cse: false,
    },
    Route {
        name: "scriptless",
        meaning: "CustomData contains the Configuration for the controller on the image; the CSE waits for it",
        first_boots: &[FirstBoot::CloudInit, FirstBoot::Ignition],
        has_cse: true,
    },
    Route {
        name: "scripted",
        meaning: "CustomData contains the scripts; the CSE sets the variables and starts the scripts",
        first_boots: &[FirstBoot::CloudInit, FirstBoot::Ignition],
        has_cse: true,
    },
];

/// Returns the names of the routes whose `CustomData` a program can read at first boot.
pub fn routes_for(first_boot: FirstBoot) -> impl Iterator<Item = &'static str> {
    ROUTES.iter().filter(move |route| route.first_boots.contains(&first_boot)).map(|route| route.name)
}
