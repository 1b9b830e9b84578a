//! The `scripted` route: `CustomData` carries the node's files, and the CSE command sets every variable and starts the
//! scripts.

mod command;
mod custom_data;
mod tar;

pub use custom_data::{DeliveredFile, delivered_files};

use super::{Contributor, CustomData, Layer, RenderError, Request, size};
use crate::Secret;
use crate::catalogue::operating_systems::{FirstBoot, OperatingSystem};
use crate::configuration::Configuration;
use crate::delivery::Compression;
use crate::inputs::{MachineFacts, NodeInput};
use custom_data::Selection;

/// Returns `CustomData`.
pub(super) fn custom_data(request: &Request, input: &dyn NodeInput) -> Result<CustomData, RenderError> {
    let distro = request.os_of(input);
    let selection = selection(request, input)?;
    let rendered = selection.rendered();
    let shares = || selection.files().map(|file| file.share()).collect();
    let compressed = distro.first_boot == FirstBoot::CloudInit;
    if compressed && (request.compression == Compression::Never || request.text_only) {
        return Ok(CustomData::new(&rendered.document, distro.first_boot, request, shares)?);
    }
    Ok(size::within_limit(rendered.encoded.clone(), compressed, shares)?)
}

/// Returns the selection of files to deliver.
fn selection(request: &Request, input: &dyn NodeInput) -> Result<Selection, RenderError> {
    let selection = Selection::new(request.os_of(input).family, input.machine());
    // Computing the variables takes time, and nearly every machine has an AKS image and becomes a node.
    let asks_for_files =
        |configuration: &Configuration| configuration.is_vhd == Some(false) || configuration.pre_provision_only;
    if !input.configuration().is_some_and(asks_for_files) {
        return Ok(selection);
    }
    let image = input.image(&request.image);
    Ok(selection.with_files_for(&input.assignments(&image)?))
}

/// Returns the cloud-config with the files that complete the scripts of the image, which the node's controller applies,
/// and these files.
pub(super) fn extra_files(request: &Request, input: &dyn NodeInput) -> (String, Vec<Layer>) {
    let machine = MachineFacts { has_scripts: true, ..input.machine() };
    let selection = Selection::new(request.os_of(input).family, machine);
    (selection.cloud_config(), file_layers(selection).collect())
}

fn file_layers(selection: Selection) -> impl Iterator<Item = Layer> {
    selection.files().map(|file| Layer::new(file.path.trim_start_matches('/'), file.text()))
}

/// Returns the command line that the node's controller runs, and the share of each variable.
pub(super) fn command_file(
    request: &Request,
    input: &dyn NodeInput,
) -> Result<(String, Vec<Contributor>), RenderError> {
    let image = input.image(&request.image);
    let environment = input.assignments(&image)?.with("SKIP_WAAGENT_HOLD", "true");
    Ok(command::line(&environment, false)?)
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
    let boot_commands = (distro.first_boot == FirstBoot::Ignition)
        .then(|| Layer::new(custom_data::BOOT_COMMANDS, custom_data::boot_commands()));
    Ok([document].into_iter().chain(file_layers(selection)).chain(boot_commands).collect())
}
