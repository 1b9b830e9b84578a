//! The `node-bootstrap-variables` route: one script that sets every variable and starts the image's scripts.

use super::{CustomData, Layer, RenderError, Request, size};
use crate::environment::Environment;
use crate::inputs::NodeInput;

/// Returns the script before base64.
fn script(request: &Request, input: &dyn NodeInput) -> Result<String, RenderError> {
    with_environment(request, input, |environment| Ok(input.script(environment)?))
}

/// Calls `work` with the variables of the script, from the Configuration or from an input without one.
fn with_environment<T>(
    request: &Request,
    input: &dyn NodeInput,
    work: impl FnOnce(&Environment<'_>) -> Result<T, RenderError>,
) -> Result<T, RenderError> {
    match input.configuration() {
        Some(configuration) => work(&Environment::new(configuration, &request.image)),
        None => work(&input.assignments(&input.image(&request.image))?),
    }
}

/// Returns `CustomData`.
pub(super) fn custom_data(request: &Request, input: &dyn NodeInput) -> Result<CustomData, RenderError> {
    let script = script(request, input)?;
    let first_boot = request.os_of(input).first_boot;
    Ok(CustomData::new(&script, first_boot, request, || {
        // By variables, not by lines of the script: a value can have several lines, and lines of a secret must not
        // be mistaken for names.
        let sizes = with_environment(request, input, |environment| Ok(size::variables(environment)));
        sizes.unwrap_or_default()
    })?)
}

/// Variables that carry a payload in base64, and the file name of each payload.
pub(crate) const PAYLOADS: &[(&str, &str)] = &[
    ("CONTAINERD_CONFIG_CONTENT", "payloads/containerd.toml"),
    ("CONTAINERD_CONFIG_NO_GPU_CONTENT", "payloads/containerd_no_gpu.toml"),
    ("KUBELET_CONFIG_FILE_CONTENT", "payloads/kubelet_config.json"),
    ("LOCALDNS_COREFILE_BASE", "payloads/corefile"),
    ("LOCALDNS_COREFILE_WITH_HOSTS", "payloads/corefile_with_hosts"),
    ("SYSCTL_CONTENT", "payloads/sysctl.conf"),
];

/// Returns the script and, for a Configuration, the payloads of its variables.
pub(super) fn layers(request: &Request, input: &dyn NodeInput) -> Result<Vec<Layer>, RenderError> {
    let mut layers = vec![Layer::new("bootstrap.sh", script(request, input)?)];
    if input.configuration().is_none() {
        return Ok(layers);
    }
    with_environment(request, input, |environment| {
        for (variable, name) in PAYLOADS {
            let payload = environment.get(variable).filter(|value| !value.is_empty());
            layers.extend(payload.and_then(super::decoded_text).map(|text| Layer::new(name, text)));
        }
        Ok(())
    })?;
    Ok(layers)
}
