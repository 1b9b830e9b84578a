//! The `scripted` route: `CustomData` carries the node's files, and the CSE command sets every variable and starts the
//! scripts.

mod command;
mod custom_data;
mod tar;

pub use custom_data::{DeliveredFile, delivered_files};

use super::{CustomData, Layer, RenderError, Request, mime, size};
use crate::Secret;
use crate::catalogue::operating_systems::{FirstBoot, OperatingSystem};
use crate::delivery::Compression;
use crate::inputs::NodeInput;
use custom_data::Selection;

/// Returns `CustomData`.
pub(super) fn custom_data(request: &Request, input: &dyn NodeInput) -> Result<CustomData, RenderError> {
    let distro = request.os_of(input);
    let rendered = selection(request, input)?.rendered();
    let compressed = distro.first_boot == FirstBoot::CloudInit;
    if compressed && (request.compression == Compression::Never || request.text_only) {
        let packed = || mime::compressed(&[&rendered.document]);
        return Ok(CustomData::new(&rendered.document, distro.first_boot, request, packed, Vec::new)?);
    }
    Ok(size::within_limit(rendered.encoded.clone(), compressed, Vec::new)?)
}

/// Returns which files are delivered.
fn selection(request: &Request, input: &dyn NodeInput) -> Result<Selection, RenderError> {
    let selection = Selection::new(request.os_of(input).family, input.machine());
    // Computing the variables takes time, and nearly every machine has an image of AKS.
    if input.configuration().is_none_or(|configuration| configuration.is_vhd != Some(false)) {
        return Ok(selection);
    }
    let image = input.image(&request.image);
    Ok(selection.with_files_for(&input.assignments(&image)?))
}

/// Returns the CSE command.
pub(super) fn command(request: &Request, input: &dyn NodeInput) -> Result<Secret<'static>, RenderError> {
    let image = input.image(&request.image);
    let environment = input.assignments(&image)?;
    let waits = waits_for_cloud_init(request.os_of(input), input);
    Ok(command::command(&environment, waits)?.into())
}

fn waits_for_cloud_init(distro: &OperatingSystem, input: &dyn NodeInput) -> bool {
    distro.first_boot == FirstBoot::CloudInit && !input.machine().ignores_custom_data
}

/// Returns the document for the first boot and every file that it delivers, decoded.
pub(super) fn layers(request: &Request, input: &dyn NodeInput) -> Result<Vec<Layer>, RenderError> {
    let distro = request.os_of(input);
    let selection = selection(request, input)?;
    let name = match distro.first_boot {
        FirstBoot::CloudInit => "cloud_config.yaml",
        FirstBoot::Ignition => "ignition.json",
    };
    let document = Layer::new(name, selection.rendered().document.clone());
    let files = selection.files().map(|file| Layer::new(file.path.trim_start_matches('/'), file.text()));
    let boot_commands = (distro.first_boot == FirstBoot::Ignition)
        .then(|| Layer::new(custom_data::BOOT_COMMANDS, custom_data::boot_commands()));
    Ok([document].into_iter().chain(files).chain(boot_commands).collect())
}
