//! Findings in the formats that code review tools read.

use serde_json::{Value, json};

use super::output::printable;
use super::shown;
use crate::catalogue::rules::{RULES, Severity};
use crate::document::{Finding, Report};

/// Returns a log in SARIF 2.1.0 with the findings of several files.
/// <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>
pub(super) fn sarif(files: &[(String, Report)]) -> Value {
    let rules: Vec<_> = RULES
        .iter()
        .map(|rule| {
            json!({
                "id": rule.id,
                "shortDescription": {"text": rule.catches},
                "fullDescription": {"text": format!("{} {}", rule.catches, rule.consequence)},
                "defaultConfiguration": {"level": rule.severity.to_string()},
            })
        })
        .collect();
    let results: Vec<_> = files
        .iter()
        .flat_map(|(name, report)| report.findings.iter().map(move |finding| result(name, finding)))
        .collect();
    let total: usize = files.iter().map(|(_, report)| report.total()).sum();
    let listed = results.len();
    let mut log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": env!("CARGO_PKG_NAME"),
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            // Positions count characters.
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    if total > listed {
        log["runs"][0]["properties"] = json!({"total": total});
    }
    log
}

fn result(name: &str, finding: &Finding) -> Value {
    let rule_index = RULES.iter().position(|rule| rule.id == finding.rule.id);
    let mut physical = json!({"artifactLocation": {"uri": uri(name)}});
    if let Some(position) = finding.position {
        physical["region"] = json!({"startLine": position.line, "startColumn": position.column});
    }
    json!({
        "ruleId": finding.rule.id,
        "ruleIndex": rule_index,
        "level": finding.severity.to_string(),
        "message": {"text": message(finding)},
        "locations": [{
            "physicalLocation": physical,
            "logicalLocations": [{"fullyQualifiedName": shown::path(finding)}],
        }],
    })
}

fn message(finding: &Finding) -> String {
    let hint = shown::hint(finding).map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
    format!("{}{hint}", shown::message(finding))
}

/// Returns a path as a relative or absolute URI reference.
fn uri(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-~".contains(&byte);
    let path = printable(path);
    let bytes =
        path.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") });
    bytes.collect()
}

/// Returns a workflow command of GitHub Actions for each finding of a file.
/// <https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands#setting-an-error-message>
pub(super) fn github(name: &str, report: &Report) -> String {
    let commands = report.findings.iter().map(|finding| {
        let command = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let position = finding
            .position
            .map(|position| format!(",line={},col={}", position.line, position.column))
            .unwrap_or_default();
        let title = finding.rule.id;
        format!("::{command} file={}{position},title={title}::{}\n", property(name), escaped(&message(finding)))
    });
    let mut commands: String = commands.collect();
    if report.omitted > 0 {
        let more = report.omitted;
        commands.extend(["::notice file=", &property(name), "::… and ", &more.to_string(), " more\n"]);
    }
    commands
}

/// Escapes the message of a workflow command.
fn escaped(text: &str) -> String {
    printable(&text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A"))
}

/// Escapes a property of a workflow command.
fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::rules;
    use crate::document::{DocPath, Position};

    #[test]
    fn separators_in_a_file_name_or_a_message_are_escaped() {
        let finding = Finding::violation(&rules::URL, DocPath::fields("kube_proxy_url"), "must be 100%")
            .at(Position { line: 3, column: 7 })
            .hint("two\nlines");
        let commands = github("a,b:c.yaml", &finding.clone().into());
        assert_eq!(
            commands,
            "::error file=a%2Cb%3Ac.yaml,line=3,col=7,title=url::kube_proxy_url: must be 100%25%0Ahint: two%0Alines\n"
        );
        let log = sarif(&[("my nodes/é.yaml".to_owned(), finding.into())]);
        let location = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!(location["artifactLocation"]["uri"], "my%20nodes/%C3%A9.yaml");
        assert_eq!(location["region"], json!({"startLine": 3, "startColumn": 7}));
    }
}
