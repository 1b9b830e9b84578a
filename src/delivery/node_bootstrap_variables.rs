//! The `node-bootstrap-variables` route: one script that sets every variable and starts the image's scripts.
//!
//! There are two layouts, each with the bytes of its reference: AKS's own for a Configuration, and Karpenter's for
//! inputs that have no equivalent Configuration.

use super::{CustomData, Layer, RenderError, Request, mime, size};
use crate::environment::{self, Environment, ImageContents, Unrepresentable};
use crate::inputs::NodeInput;
use crate::rendering::{Fill, Template};

/// After this variable, Karpenter's reference would list certificates; it has none, and leaves an empty line.
const LAST_BEFORE_CERTIFICATES: &str = "CUSTOM_CA_TRUST_COUNT";

/// Returns the script before base64.
pub(super) fn script(request: &Request, input: &dyn NodeInput) -> Result<String, RenderError> {
    with_environment(request, input, |environment| match input.configuration() {
        Some(_) => Ok(bootstrap_script(environment)?),
        None => Ok(karpenter_script(environment)?),
    })
}

/// Calls `work` with the variables of the script.
fn with_environment<T>(
    request: &Request,
    input: &dyn NodeInput,
    work: impl FnOnce(&Environment<'_>) -> Result<T, RenderError>,
) -> Result<T, RenderError> {
    let image: &ImageContents = &request.image;
    match input.configuration() {
        Some(configuration) => work(&Environment::new(configuration, image)),
        None => work(&input.assignments(&input.image(image))?),
    }
}

/// Returns the script that sets the variables of a Configuration.
///
/// # Errors
/// Fails if a value contains U+0000.
pub fn bootstrap_script(environment: &Environment<'_>) -> Result<String, Unrepresentable> {
    let assignments = environment::lines(environment.assignments())?;
    Ok(Template::BOOTSTRAP_SCRIPT.render(&[("assignments", Fill::Raw(&assignments))]))
}

/// Returns Karpenter's script.
fn karpenter_script(environment: &Environment<'_>) -> Result<String, Unrepresentable> {
    let last = environment.iter().position(|assignment| assignment.name == LAST_BEFORE_CERTIFICATES);
    let (before, after) = environment.assignments().split_at(last.map_or(0, |last| last + 1));
    let (before, after) = (environment::lines(before)?, environment::lines(after)?);
    Ok(Template::KARPENTER_SCRIPT.render(&[("before", Fill::Raw(&before)), ("after", Fill::Raw(&after))]))
}

/// Returns `CustomData`.
pub(super) fn custom_data(request: &Request, input: &dyn NodeInput) -> Result<CustomData, RenderError> {
    let script = script(request, input)?;
    let first_boot = request.os_of(input).first_boot;
    Ok(CustomData::new(
        &script,
        first_boot,
        request,
        || mime::compressed(&[&script]),
        || {
            // By variables and not by the lines of the script: a value may have several lines, and those of a secret must
            // not be taken for names.
            let sizes = with_environment(request, input, |environment| Ok(size::variables(environment)));
            sizes.unwrap_or_default()
        },
    )?)
}

/// Payloads that variables carry in base64, and the names of the files that they are written to.
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
