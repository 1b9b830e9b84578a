//! The routes: the ways in which `CustomData` and the CSE command turn a VM into a node.
//!
//! To add a route: see CONTRIBUTING.md.

use crate::catalogue::operating_systems::FirstBoot;
use crate::inputs::NodeInput;

/// How a node receives its configuration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Route {
    /// One script with all variables.
    #[default]
    NodeBootstrapVariables,
    /// The Configuration itself.
    Scriptless,
    /// The scripts, and a command with all variables.
    Scripted,
}

/// The properties of a route.
struct Row {
    route: Route,
    name: &'static str,
    meaning: &'static str,
    /// The programs that can read its `CustomData` at the first boot.
    first_boots: &'static [FirstBoot],
    /// Whether it renders only inputs that have a Configuration.
    needs_configuration: bool,
}

/// The first is the default.
static ROUTES: [Row; 3] = [
    Row {
        route: Route::NodeBootstrapVariables,
        name: "node-bootstrap-variables",
        meaning: "CustomData is a script that sets all variables; there is no CSE, and the image needs no controller",
        first_boots: &[FirstBoot::CloudInit],
        needs_configuration: false,
    },
    Row {
        route: Route::Scriptless,
        name: "scriptless",
        meaning: "CustomData contains the input of the controller on the image, the Configuration or the command line of a \
            NodeBootstrappingConfiguration; the CSE waits for it",
        first_boots: &[FirstBoot::CloudInit, FirstBoot::Ignition],
        needs_configuration: true,
    },
    Row {
        route: Route::Scripted,
        name: "scripted",
        meaning: "CustomData contains the scripts; the CSE sets the variables and starts the scripts",
        first_boots: &[FirstBoot::CloudInit, FirstBoot::Ignition],
        needs_configuration: true,
    },
];

impl Route {
    /// Every route, in the order in which help texts list them.
    pub const ALL: [Self; 3] = [Self::NodeBootstrapVariables, Self::Scriptless, Self::Scripted];

    fn row(self) -> &'static Row {
        ROUTES.iter().find(|row| row.route == self).expect("every route has a row")
    }

    /// Returns the name, as `--route` accepts it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the route with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|route| route.name() == name)
    }

    /// Returns the contents of `CustomData` and the CSE command, for help texts.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        self.row().meaning
    }

    /// Reports whether the route renders an input.
    pub(super) fn accepts(self, input: &dyn NodeInput) -> bool {
        !self.row().needs_configuration || input.configuration().is_some()
    }

    /// Reports whether a program can read the route's `CustomData` at the first boot.
    pub(super) fn is_read_by(self, first_boot: FirstBoot) -> bool {
        self.row().first_boots.contains(&first_boot)
    }
}
