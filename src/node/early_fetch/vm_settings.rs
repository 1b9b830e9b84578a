//! `vmSettings`: the `HostGAPlugin`'s description of the VM's extensions.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::settings::{Channel, Entry, HANDLER, Settings, is_shallow, newest};

/// The document. Members of other extensions may be anything.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct VmSettings<'d> {
    #[serde(borrow)]
    extensions_last_modified_tick_count: Option<&'d RawValue>,
    #[serde(borrow, default)]
    extension_goal_states: Vec<&'d RawValue>,
}

#[derive(Deserialize)]
struct Named {
    name: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExtensionGoalState {
    state: Option<String>,
    settings_seq_no: Option<i64>,
    settings: Option<Vec<ExtensionSettings>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExtensionSettings {
    protected_settings: Option<String>,
    protected_settings_cert_thumbprint: Option<String>,
    extension_name: Option<String>,
    extension_state: Option<String>,
    seq_no: Option<i64>,
}

/// Returns the settings of the extension. `None` if there are none.
///
/// # Errors
/// Fails if the document is not JSON of this form, or nests too deeply.
pub(super) fn settings(document: &[u8]) -> Result<Option<Settings>, &'static str> {
    if !is_shallow(document) {
        return Err("nests too deeply");
    }
    let document: VmSettings = serde_json::from_slice(document).map_err(|_| "is not JSON of the expected form")?;
    let ticks =
        document.extensions_last_modified_tick_count.and_then(|ticks| ticks.get().parse().ok()).unwrap_or_default();
    let is_handler = |state: &&RawValue| {
        serde_json::from_str::<Named>(state.get()).is_ok_and(|named| named.name.as_deref() == Some(HANDLER))
    };
    let states = document.extension_goal_states.into_iter().filter(is_handler);
    let states = states.filter_map(|state| serde_json::from_str::<ExtensionGoalState>(state.get()).ok());
    let entries = states.flat_map(|state| {
        let (own_state, own_sequence) = (state.state, state.settings_seq_no.unwrap_or_default());
        state.settings.unwrap_or_default().into_iter().map(move |settings| {
            let is_one_of_several = settings.extension_name.is_some();
            Entry {
                state: settings.extension_state.filter(|_| is_one_of_several).or_else(|| own_state.clone()),
                sequence: settings.seq_no.filter(|_| is_one_of_several).unwrap_or(own_sequence),
                thumbprint: settings.protected_settings_cert_thumbprint,
                protected: settings.protected_settings,
            }
        })
    });
    Ok(newest(Channel::HostPlugin, ticks, entries))
}

#[cfg(test)]
mod tests {
    use super::*;

    const THUMBPRINT: &str = "F6ABAA61098A301EBB8A571C3C7CF77F355F7FA9";

    /// The members that the agent's recorded documents have, with other extensions that must not matter.
    fn document(custom_script: &str) -> String {
        format!(
            r#"{{"hostGAPluginVersion": "1.0.8.133", "extensionsLastModifiedTickCount": 637726657706205299, "onHold": true,
            "gaFamilies": [{{"name": "Prod", "uris": ["https://x/y"]}}],
            "extensionGoalStates": [
                {{"name": "Microsoft.Azure.Monitor.AzureMonitorLinuxAgent", "state": 7, "settings": "other"}},
                {custom_script}]}}"#
        )
    }

    fn extension(members: &str, settings: &str) -> String {
        document(&format!(r#"{{"name": "{HANDLER}", "version": "2.1.6", {members}, "settings": [{settings}]}}"#))
    }

    fn entry(more: &str, protected: &str) -> String {
        format!(
            r#"{{"protectedSettingsCertThumbprint": "{THUMBPRINT}", "protectedSettings": "{protected}", "publicSettings": "{{\"a\":1}}"{more}}}"#
        )
    }

    fn found(document: &str) -> Option<(i64, String)> {
        let settings = settings(document.as_bytes()).expect("valid")?;
        assert_eq!((settings.ticks, &*settings.thumbprint), (637_726_657_706_205_299, THUMBPRINT));
        Some((settings.sequence, settings.protected))
    }

    #[test]
    fn settings_of_the_enabled_extension_are_found() {
        let one = entry("", "MIIB");
        let enabled = extension(r#""state": "enabled", "settingsSeqNo": 3"#, &one);
        assert_eq!(found(&enabled), Some((3, "MIIB".to_owned())));
        assert_eq!(found(&extension(r#""state": "uninstall", "settingsSeqNo": 3"#, &one)), None);
        assert_eq!(found(&enabled.replace(HANDLER, "Microsoft.Azure.Extensions.CustomScript2")), None);
        assert_eq!(found(&extension(r#""state": "enabled""#, r#"{"publicSettings": "{}"}"#)), None);
        assert_eq!(found(&extension(r#""state": "enabled""#, r#"{"protectedSettings": null}"#)), None);
        assert_eq!(found(&document(&format!(r#"{{"name": "{HANDLER}", "settings": null}}"#))), None);
    }

    #[test]
    fn of_several_settings_the_enabled_ones_count_by_their_own_numbers() {
        let several = [
            entry(r#", "seqNo": 9, "extensionName": "a", "extensionState": "disabled""#, "off"),
            entry(r#", "seqNo": 2, "extensionName": "b", "extensionState": "enabled""#, "old"),
            entry(r#", "seqNo": 4, "extensionName": "c", "extensionState": "enabled""#, "new"),
        ];
        let document =
            extension(r#""state": "enabled", "settingsSeqNo": 0, "isMultiConfig": true"#, &several.join(","));
        assert_eq!(found(&document), Some((4, "new".to_owned())));
    }

    #[test]
    fn what_is_not_of_this_form_is_an_error() {
        for document in ["", "[]x", "<a/>", r#"{"extensionGoalStates": 1}"#, "\u{feff}{}"] {
            assert!(settings(document.as_bytes()).is_err(), "{document}");
        }
        let deep = format!(r#"{{"a":{}{}}}"#, "[".repeat(200_000), "]".repeat(200_000));
        assert_eq!(settings(deep.as_bytes()), Err("nests too deeply"));
    }

    #[test]
    fn a_part_of_a_document_is_an_error() {
        let whole = extension(r#""state": "enabled", "settingsSeqNo": 3"#, &entry("", "MIIB"));
        for end in 0..whole.len() {
            assert!(settings(&whole.as_bytes()[..end]).is_err(), "{end}");
        }
    }
}
