//! The extensions config of the wire server: the extensions of the VM as XML with JSON inside.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::settings::{Channel, Entry, HANDLER, Settings, is_shallow, newest};
use super::xml::{self, Element};

/// The JSON text of an element with settings.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RuntimeSettings {
    #[serde(default)]
    runtime_settings: Vec<HandlerSettings>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct HandlerSettings {
    handler_settings: Option<ProtectedSettings>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ProtectedSettings {
    protected_settings: Option<String>,
    protected_settings_cert_thumbprint: Option<String>,
}

/// Settings of a version of the extension.
struct PluginSettings {
    version: Option<String>,
    entry: Entry,
    /// One of several settings has a state of its own.
    has_state: bool,
}

/// Returns the settings of the extension. `None` if there are none.
///
/// # Errors
/// Fails if the document is not XML.
pub(super) fn settings(document: &[u8]) -> Result<Option<Settings>, &'static str> {
    // The state of each version of the extension, and that of the first one.
    let (mut states, mut first_state) = (BTreeMap::new(), None);
    let (mut found, mut inside) = (Vec::new(), Vec::new());
    let (mut ticks, mut is_config) = (0, false);
    xml::read(document, |element| {
        let is_handler = || element.attribute("name") == Some(HANDLER);
        let version = || element.attribute("version").map(str::to_owned);
        if element.is(&["Plugins", "Plugin"]) && is_handler() {
            let state = element.attribute("state").map(str::to_owned);
            first_state.get_or_insert_with(|| state.clone());
            states.entry(version()).or_insert(state);
        } else if element.is(&["PluginSettings", "Plugin", "RuntimeSettings"]) {
            inside.extend(entries(element, None).into_iter().map(|entry| (entry, false)));
        } else if element.is(&["PluginSettings", "Plugin", "ExtensionRuntimeSettings"]) {
            inside.extend(entries(element, element.attribute("state")).into_iter().map(|entry| (entry, true)));
        } else if element.is(&["PluginSettings", "Plugin"]) {
            let own = std::mem::take(&mut inside).into_iter();
            if is_handler() {
                found.extend(own.map(|(entry, has_state)| PluginSettings { version: version(), entry, has_state }));
            }
        } else if element.is(&["InVMGoalStateMetaData"]) {
            ticks = element.attribute("createdOnTicks").and_then(|ticks| ticks.parse().ok()).unwrap_or(ticks);
        } else if element.path == ["Extensions"] {
            is_config = true;
        }
    })?;
    if !is_config {
        return Err("is not an extensions config");
    }
    let entries = found.into_iter().map(|PluginSettings { version, mut entry, has_state }| {
        if !has_state {
            entry.state = states.get(&version).or(first_state.as_ref()).cloned().flatten();
        }
        entry
    });
    Ok(newest(Channel::WireServer, ticks, entries))
}

/// Returns the settings in the JSON text of an element. What is not of this form has none.
fn entries(element: &Element, state: Option<&str>) -> Vec<Entry> {
    if !is_shallow(element.text.as_bytes()) {
        return Vec::new();
    }
    let Ok(settings) = serde_json::from_str::<RuntimeSettings>(element.text) else { return Vec::new() };
    let sequence = element.attribute("seqNo").and_then(|number| number.parse().ok()).unwrap_or_default();
    let settings = settings.runtime_settings.into_iter().filter_map(|settings| settings.handler_settings);
    let entry = |settings: ProtectedSettings| Entry {
        state: state.map(str::to_owned),
        sequence,
        thumbprint: settings.protected_settings_cert_thumbprint,
        protected: settings.protected_settings,
    };
    settings.map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const THUMBPRINT: &str = "F6ABAA61098A301EBB8A571C3C7CF77F355F7FA9";

    fn runtime(protected: &str) -> String {
        format!(
            r#"{{ "runtimeSettings": [ {{ "handlerSettings": {{ "protectedSettings": "{protected}", "protectedSettingsCertThumbprint": "{THUMBPRINT}", "publicSettings": {{"a": "&lt;"}} }} }} ] }}"#
        )
    }

    fn document(plugins: &str, settings: &str) -> String {
        format!(
            r#"<?xml version="1.0" encoding="utf-8"?>
<Extensions version="1.0.0.0" goalStateIncarnation="1"><GuestAgentExtension xmlns:i="http://www.w3.org/2001/XMLSchema-instance"/>
<Plugins><Plugin name="Microsoft.Azure.Monitor" version="1" state="enabled" isJson="true" />{plugins}</Plugins>
<PluginSettings><Plugin name="Microsoft.Azure.Monitor" version="1"><RuntimeSettings seqNo="90">{}</RuntimeSettings></Plugin>
{settings}</PluginSettings>
<InVMGoalStateMetaData inSvdSeqNo="1" createdOnTicks="638479963767702408" /></Extensions>"#,
            runtime("other")
        )
    }

    fn plugin(version: &str, state: &str) -> String {
        format!(r#"<Plugin name="{HANDLER}" version="{version}" state="{state}" />"#)
    }

    fn plugin_settings(version: &str, settings: &str) -> String {
        format!(r#"<Plugin name="{HANDLER}" version="{version}">{settings}</Plugin>"#)
    }

    fn found(plugins: &str, settings: &str) -> Option<(i64, String)> {
        let found = super::settings(document(plugins, settings).as_bytes()).expect("valid")?;
        assert_eq!((found.ticks, &*found.thumbprint), (638_479_963_767_702_408, THUMBPRINT));
        Some((found.sequence, found.protected))
    }

    #[test]
    fn settings_of_the_enabled_version_are_found() {
        let settings = |version, sequence, protected| {
            plugin_settings(
                version,
                &format!("<RuntimeSettings seqNo=\"{sequence}\">{}</RuntimeSettings>", runtime(protected)),
            )
        };
        let one = settings("2.1", 3, "MIIB");
        assert_eq!(found(&plugin("2.1", "enabled"), &one), Some((3, "MIIB".to_owned())));
        assert_eq!(found(&plugin("2.1", "disabled"), &one), None);
        assert_eq!(found("", &one), Some((3, "MIIB".to_owned())));
        let both = [settings("2.0", 9, "old"), settings("2.1", 3, "new")].concat();
        let plugins = [plugin("2.0", "uninstall"), plugin("2.1", "enabled")].concat();
        assert_eq!(found(&plugins, &both), Some((3, "new".to_owned())));
        assert_eq!(
            found(
                &plugin("2.1", "enabled"),
                &plugin_settings("2.1", "<RuntimeSettings seqNo=\"1\">x</RuntimeSettings>")
            ),
            None
        );
        assert_eq!(found("", ""), None);
    }

    #[test]
    fn of_several_elements_the_enabled_ones_count_by_their_own_numbers() {
        let one = |name, state, sequence, protected| {
            format!(
                "<ExtensionRuntimeSettings seqNo=\"{sequence}\" name=\"{name}\" state=\"{state}\">{}</ExtensionRuntimeSettings>",
                runtime(protected)
            )
        };
        let several =
            [one("a", "disabled", 9, "off"), one("b", "enabled", 4, "new"), one("c", "enabled", 2, "old")].concat();
        assert_eq!(found(&plugin("2.1", "enabled"), &plugin_settings("2.1", &several)), Some((4, "new".to_owned())));
    }

    #[test]
    fn another_document_or_a_part_of_one_is_an_error() {
        assert_eq!(settings(b"<html><body>proxy login</body></html>"), Err("is not an extensions config"));
        let whole = document(&plugin("2.1", "enabled"), &plugin_settings("2.1", &runtime("x")));
        for end in 0..whole.len() {
            assert!(settings(&whole.as_bytes()[..end]).is_err(), "{end}");
        }
    }
}
