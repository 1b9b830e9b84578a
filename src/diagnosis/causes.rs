//! Causes that logs of the node show, where the result of provisioning does not name one.

use super::evidence::{Evidence, Source};
use crate::catalogue::failures::Layer;
use crate::explain::{self, Explanation, NoFailure};
use crate::moment::Moment;

/// Explains a text that shows a code of the scripts.
pub(super) fn of_code(text: &str) -> Option<Explanation> {
    of_result(text).filter(|explanation| explanation.code.is_some())
}

/// Explains a text that shows a failure, with or without a code of the scripts.
pub(super) fn of_result(text: &str) -> Option<Explanation> {
    explain::explain(text).ok()
}

/// Reports whether a log says that the last run of provisioning has succeeded. On a machine that was made from a prepared image, the run can
/// be that of the image.
pub(super) fn log_of_success(evidence: &Evidence) -> bool {
    let is_done = |text: &str| {
        let last = text.lines().rfind(|line| !line.trim().is_empty());
        last.and_then(|line| Moment::leading(line, None)).is_some_and(|(_, rest)| rest.trim() == "done")
    };
    let has_succeeded = |text: &str| explain::explain(text) == Err(NoFailure::Success);
    !evidence.has(Source::ImageMarker)
        && (evidence.of(Source::ProvisionLog).any(|item| is_done(&item.text))
            || evidence.of(Source::ControllerLog).any(|item| has_succeeded(&item.text)))
}

/// Explains what the kubelet's log shows after the last sign that the node works.
pub(super) fn of_kubelet(evidence: &Evidence) -> Option<Explanation> {
    let logs = evidence.of(Source::Journal).map(|item| item.text.as_str());
    let logs: Vec<_> = logs.filter(|text| text.contains("kubelet[")).collect();
    // What recognizes failures takes milliseconds and megabytes to make.
    let found = if logs.is_empty() { None } else { explain::explain(&logs.join("\n")).ok() }?;
    (found.code.is_none() && found.layer >= Layer::Kubelet && found.names_failure()).then_some(found)
}

/// Explains what the state of the kubelet's unit shows in the output of the scripts.
pub(super) fn of_unit(evidence: &Evidence) -> Option<Explanation> {
    let found = evidence.of(Source::ScriptOutput).filter_map(|item| explain::explain(&item.text).ok());
    found
        .into_iter()
        .find(|found: &Explanation| found.code.is_none() && found.layer == Layer::Kubelet && found.names_cause())
}

/// Adds causes with evidence before the others, and their checks.
pub(super) fn put_first(explanation: &mut Explanation, found: Explanation) {
    let shown: Vec<_> = found.causes.into_iter().filter(|cause| cause.evidence.is_some()).collect();
    explanation.causes.retain(|cause| !shown.iter().any(|other| other.cause == cause.cause));
    explanation.causes.splice(0..0, shown);
    let new: Vec<_> = found.checks.into_iter().filter(|check| !explanation.checks.contains(check)).collect();
    explanation.checks.splice(0..0, new);
}
