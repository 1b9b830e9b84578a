//! Whether a code in a text is one of the node's scripts: other programs also end with codes.

use super::recognition::Findings;
use super::wrappings::Shown;
use crate::catalogue::exit_codes::is_conventional;
use crate::catalogue::failures::{Failure, Layer, Weight};

/// The failure of an extension other than the node's.
pub(super) const OTHER_EXTENSION: &str = "OtherExtensionFailed";

/// Failures of programs with codes of their own.
const OTHER_CODES: [&str; 4] =
    [OTHER_EXTENSION, "ExtensionHandlerFailed", "CloudInitStatusError", "IgnitionOperationFailed"];

/// The most characters of a text of one line that may be about a code without saying of what.
const LONGEST_SENTENCE: usize = 60;

/// Reports whether a code is one of a node's scripts.
pub(super) fn is_about_a_node(shown: &Shown, findings: &Findings, text: &str) -> bool {
    // How people name the node's extension.
    const EXTENSION: [&str; 4] = ["vmsscse", "cse error", "cse exit", "cse failed"];
    // How GitHub Actions, whose machines are Azure's, GitLab, CircleCI and tools that build programs and images end a step.
    const ENDS: [&str; 6] = [
        "process completed with exit code",
        "job failed: exit code",
        "exited with code exit status",
        "failed to build: exit code",
        "did not complete successfully: exit code",
        "command failed with exit code",
    ];
    // Other programs on Azure also end with codes.
    const OURS: [&str; 8] =
        ["extension", "cse", "provision", "bootstrap", "custom script", "customscript", "exitcode", "node pool"];
    // What people run on or against a cluster, and how Azure Pipelines, kubectl and Jenkins say that it ended.
    const TOOLS: [&str; 11] = [
        "##[error]",
        "command terminated with exit code",
        "script returned exit code",
        "docker",
        "helm ",
        "kubectl ",
        "maven",
        "gradle",
        "pytest",
        "npm ",
        "pip ",
    ];
    if !shown.is_mentioned {
        return true;
    }
    let lower = text.to_ascii_lowercase();
    let has = |texts: &[&str]| texts.iter().any(|text| lower.contains(text));
    let is_conventional = u8::try_from(shown.code).is_ok_and(is_conventional);
    let is_of_another_program = || has(&ENDS) || !has(&OURS) && (is_conventional || has(&TOOLS));
    // `exit status=` is how the extension says it.
    let is_of_extension = || text.contains("exit status=") || has(&EXTENSION);
    // Another extension, the handler of one, and cloud-init have codes of their own.
    let is_of_another = findings.found.iter().any(|found| OTHER_CODES.contains(&found.failure.reason));
    // So has what the kubelet starts, such as mount.
    let is_of_kubelet = || {
        let is_later = |failure: &Failure| {
            // What the kubelet or containerd reports itself.
            let is_reported = !failure.journal.is_empty();
            failure.layer >= Layer::Kubelet && (failure.weight >= Weight::Symptom || is_reported)
        };
        findings.found.iter().any(|found| is_later(found.failure))
    };
    !is_of_another
        && findings.cause().is_none()
        && !is_of_kubelet()
        && !is_of_another_program()
        && (findings.is_azure || is_of_extension() || !is_conventional && is_only_about_a_code(&lower))
}

/// Reports whether a text in lower case is one sentence about a code, which names no program that ended with it.
fn is_only_about_a_code(lower: &str) -> bool {
    // Words that say nothing about it, or that it is the node's.
    const WORDS: &str = "a an and are bootstrap cluster code command create creation cse did does ended ends error exit exitcode exited \
        exits extension fail failed failing fails failure in is it join joins mean my node nodes of on provisioning returned scripts status \
        the vm was what why with";
    let lower = lower.trim();
    let is_neutral =
        |word: &str| word.bytes().all(|byte| byte.is_ascii_digit()) || WORDS.split(' ').any(|neutral| neutral == word);
    lower.len() <= LONGEST_SENTENCE
        && !lower.contains('\n')
        && lower.split(|character: char| !character.is_ascii_alphanumeric()).all(is_neutral)
}
