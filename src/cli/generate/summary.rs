//! The summary of a result, for people.

use std::fmt::Write;

use super::super::style::{self, paint};
use super::super::{Failure, output};
use crate::configuration::LIMIT;
use crate::delivery::{COMMAND_LIMIT, Delivery, Layer, Request, Route, SecretLocation};
use crate::inputs::NodeInput;

/// The column in which the values begin.
const INDENT: usize = 12;

/// The most files that are listed.
const LISTED: usize = 8;

const NEXT: &str = "print the result for another program with --format arm, az, terraform, custom-data, cse or json; look \
                    inside with --format files --out DIR. The result contains the secrets of the node.";

/// Returns route, operating system, sizes, variables, files and what to do next, without any value of the input. Lines are
/// wrapped at `width`.
pub(super) fn text(
    request: &Request,
    input: &dyn NodeInput,
    delivery: &Delivery,
    width: Option<usize>,
) -> Result<String, Failure> {
    let failed = |error: &dyn ToString| Failure::Input(error.to_string());
    let mut text = String::new();
    let mut row = |label: &str, value: &str| {
        let line = format!("{}{value}", paint(style::TITLE, format_args!("{label:INDENT$}")));
        text += &output::wrapped(&line, width, INDENT);
        text.push('\n');
    };
    row("route", delivery.route.name());
    row("system", &format!("{} (--os {})", delivery.os.title, delivery.os.name));
    let size = delivery.custom_data.encoded.expose().len();
    let compressed = if delivery.custom_data.compressed { ", compressed" } else { "" };
    row("CustomData", &(share(size, LIMIT, "characters") + compressed));
    match &delivery.cse {
        Some(cse) => row("CSE", &share(cse.expose().len(), COMMAND_LIMIT, "bytes")),
        None => row("CSE", "none: this route needs no command"),
    }
    let image = input.image(&request.image);
    let environment = input.assignments(&image).map_err(|error| failed(&error))?;
    let secrets = environment.iter().filter(|assignment| assignment.variable().secret).count();
    let runs_command = delivery.secrets.is_some() && !request.as_configuration && input.command_request().is_some();
    let origin = match delivery.route {
        Route::NodeBootstrapVariables => "set by CustomData",
        Route::Scriptless if runs_command => "set by the command line that the node's controller runs",
        Route::Scriptless => "computed on the node",
        Route::Scripted => "set by the CSE command",
    };
    row("variables", &format!("{}, {secrets} of them secret; {origin}", environment.iter().count()));
    match delivery.secrets {
        Some(SecretLocation::CustomData) => {
            row("secrets", "in CustomData; --secrets protected-settings puts them into the CSE command");
        }
        Some(SecretLocation::ProtectedSettings) => {
            row("secrets", "in the CSE command, for the protected settings of the extension; none in CustomData");
        }
        _ => {}
    }
    let layers = request.layers(input).map_err(|error| failed(&error))?;
    row("files", &format!("{}, as --format files writes them:", layers.len()));
    list(&mut text, &layers);
    text.push('\n');
    let next = output::wrapped(&format!("{} {NEXT}", paint(style::HINT, "Next:")), width, 0);
    Ok(text + &next + "\n")
}

fn share(size: usize, limit: usize, unit: &str) -> String {
    format!("{size} of {limit} {unit} ({} %)", size * 100 / limit)
}

fn list(text: &mut String, layers: &[Layer]) {
    for layer in layers.iter().take(LISTED) {
        let size = paint(style::DETAIL, format_args!("{:>INDENT$}", layer.text.expose().len()));
        writeln!(text, "{size}  {}", layer.name).expect("text takes text");
    }
    if let Some(more @ 1..) = layers.len().checked_sub(LISTED) {
        writeln!(text, "{:>INDENT$}  and {more} more", "").expect("text takes text");
    }
}
