//! `inspect --secrets`: the location and the possible readers of each secret of a delivery.

use std::fmt::Write;

use serde_json::{Value, json};

use super::super::output::{self, Format, printable};
use super::super::style::{self, paint};
use super::super::{Failure, Outcome};
use crate::inspection::{FoundSecret, Inspection, Kind, SecretPlace};
use crate::redaction::Redactor;

/// Prints the places of all secrets.
pub(super) fn show(name: &str, inspection: &Inspection, redactor: Option<&Redactor>, format: Format) -> Outcome {
    if matches!(inspection.kind, Kind::Configuration | Kind::Nbc | Kind::Karpenter) {
        let what = inspection.kind.title();
        let hint = "`generate` decides where its secrets are: inspect its result";
        return Err(Failure::Input(format!("{name}: is a document ({what}), not a delivery\n  hint: {hint}")));
    }
    if inspection.is_empty() {
        return Err(Failure::Input(format!("{name}: contains no data of a node")));
    }
    let secrets = inspection.secret_places();
    match format {
        Format::Json => output::insight_json(&to_json(inspection, &secrets), redactor),
        Format::Text => {
            let width = output::width(&std::io::stdout());
            output::insight(&output::wrapped(&described(inspection, &secrets), width, 4), redactor)
        }
    }
}

fn to_json(inspection: &Inspection, secrets: &[FoundSecret]) -> Value {
    let place = |place: &SecretPlace| {
        let mut object = json!({"place": place.kind, "readers": place.readers});
        if place.kind == "file" {
            object["path"] = place.title.as_str().into();
            object["mode"] = place.mode.map(|mode| format!("{mode:04o}")).into();
        }
        object
    };
    let secrets = secrets
        .iter()
        .map(|secret| json!({"name": secret.name, "places": secret.places.iter().map(place).collect::<Vec<_>>()}));
    // Warnings tell what could not be read.
    json!({"kind": inspection.kind, "secrets": secrets.collect::<Vec<_>>(), "warnings": inspection.warnings})
}

fn described(inspection: &Inspection, secrets: &[FoundSecret]) -> String {
    let number = match secrets.len() {
        0 => "no secrets".to_owned(),
        1 => "1 secret".to_owned(),
        many => format!("{many} secrets"),
    };
    let title = format!("{}, {number}", inspection.kind.title());
    let mut text = paint(style::TITLE, title) + "\n";
    for warning in &inspection.warnings {
        let _ = writeln!(text, "{}", style::labelled(&format!("warning: {}", printable(&warning.problem))));
    }
    for secret in secrets {
        let _ = writeln!(text, "\n{}", paint(style::NAME, printable(&secret.name)));
        for place in &secret.places {
            let mode = match place.mode {
                Some(mode) => format!("{mode:04o} "),
                None if place.kind == "file" => "   - ".to_owned(),
                None => String::new(),
            };
            let _ = writeln!(text, "  {mode}{}: {}", printable(&place.title), paint(style::DETAIL, place.readers));
        }
    }
    text
}
