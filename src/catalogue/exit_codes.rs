//! Exit codes: `ExitCode` of the result, which Azure shows as the status of the extension, with causes and checks for
//! each.
//!
//! Words in capitals in a command stand for names that the reader fills in. Tests compare `ExitCode::ends` and
//! `ExitCode::stage` with scripts, templates and the controller, and paths in commands with scripts and images. To add an
//! exit code: see CONTRIBUTING.md.

mod cause;
mod check;
mod clues;
mod table;

pub use clues::{CLUES, Clue};
pub use table::EXIT_CODES;

/// `ExitCode` if the controller itself failed: `ERR_AKS_NODE_CONTROLLER_ERROR`.
pub const CONTROLLER_FAILED: u8 = 240;

/// `ExitCode` if a node that must be Ready is not: `ERR_NODE_NOT_READY`.
pub const NODE_NOT_READY: u8 = 246;

/// The description of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExitCode {
    /// 1 to 255.
    pub code: u8,
    /// The constant in the scripts, or the name in shells.
    pub name: &'static str,
    /// What happened, as a sentence.
    pub meaning: &'static str,
    /// The parts of this project that can end with it. Empty if only shells, scripts of the reference or image builds
    /// do.
    pub ends: &'static [Ender],
    /// The steps that end with it, after the name of their list, or the program that does. Empty if nothing does any
    /// longer.
    pub stage: &'static str,
    /// Likely causes, the most likely first.
    pub causes: &'static [&'static str],
    /// Causes that are only shown if a line of the output points to them.
    pub rare_causes: &'static [&'static str],
    /// What to check, with commands between backticks.
    pub checks: &'static [&'static str],
    /// Common misreadings of the code, and failures that are often behind it.
    pub misleading: &'static [&'static str],
}

/// A part of this project that can end with a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ender {
    /// A step of the provisioning scripts, which ends provisioning.
    Step,
    /// A script that a unit, a step or the CSE command runs.
    Service,
    /// The script that `CustomData` carries on the route of node-bootstrap variables.
    BootstrapScript,
    /// The controller, or its launcher instead of it.
    Controller,
}

impl Ender {
    /// Returns the name in the documentation.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Step => "step",
            Self::Service => "service",
            Self::BootstrapScript => "bootstrap script",
            Self::Controller => "controller",
        }
    }
}

/// Reports whether a literal code only has its meaning in shells: 0 to 2, 124 (`timeout` ended the command), 126 and
/// 127 (the command cannot be run), 128 + n for the signals HUP, INT, KILL and TERM. Like the reference, the table has
/// constants for some of these numbers; scripts here only mean such a row if they use its constant.
#[must_use]
pub const fn is_conventional(code: u8) -> bool {
    matches!(code, 0..=2 | 124 | 126 | 127 | 129 | 130 | 137 | 143)
}

/// Returns the row of a code; `None` if nothing ends with it.
#[must_use]
pub fn exit_code(code: u8) -> Option<&'static ExitCode> {
    EXIT_CODES.iter().find(|row| row.code == code)
}

/// Returns the rows that have a constant in the scripts, by code.
pub fn constants() -> impl Iterator<Item = &'static ExitCode> {
    EXIT_CODES.iter().filter(|row| row.name.starts_with("ERR_"))
}

impl ExitCode {
    /// Reports whether a clue in the output applies to this code.
    #[must_use]
    pub fn has_clue(&self, clue: &Clue) -> bool {
        clue.is_general || self.causes.contains(&clue.cause) || self.rare_causes.contains(&clue.cause)
    }

    const fn stage(self, stage: &'static str) -> Self {
        Self { stage, ..self }
    }

    const fn causes(self, causes: &'static [&'static str]) -> Self {
        Self { causes, ..self }
    }

    const fn rare_causes(self, rare_causes: &'static [&'static str]) -> Self {
        Self { rare_causes, ..self }
    }

    const fn checks(self, checks: &'static [&'static str]) -> Self {
        Self { checks, ..self }
    }

    const fn misleading(self, misleading: &'static [&'static str]) -> Self {
        Self { misleading, ..self }
    }

    /// A code that only an image build ends with.
    const fn image_build(self, causes: &'static [&'static str]) -> Self {
        self.stage("image build").causes(causes).checks(&["Read the log of the image build"])
    }
}

/// A code that a part of this project ends with.
const fn row(ends: &'static [Ender], code: u8, name: &'static str, meaning: &'static str) -> ExitCode {
    ExitCode { code, name, meaning, ends, stage: "", causes: &[], rare_causes: &[], checks: &[], misleading: &[] }
}

const fn step(code: u8, name: &'static str, meaning: &'static str) -> ExitCode {
    row(&[Ender::Step], code, name, meaning)
}

const fn service(code: u8, name: &'static str, meaning: &'static str) -> ExitCode {
    row(&[Ender::Service], code, name, meaning)
}

const fn step_or_service(code: u8, name: &'static str, meaning: &'static str) -> ExitCode {
    row(&[Ender::Step, Ender::Service], code, name, meaning)
}

const fn bootstrap_script(code: u8, name: &'static str, meaning: &'static str) -> ExitCode {
    row(&[Ender::BootstrapScript], code, name, meaning)
}

const fn controller(code: u8, name: &'static str, meaning: &'static str) -> ExitCode {
    row(&[Ender::Controller], code, name, meaning)
}

/// A code of the reference's scripts or image builds.
const fn reference(code: u8, name: &'static str, meaning: &'static str) -> ExitCode {
    row(&[], code, name, meaning)
}

/// A code without a constant, from shells and `timeout`.
const fn shell(code: u8, name: &'static str, meaning: &'static str) -> ExitCode {
    row(&[], code, name, meaning)
}
