//! The two channels of the host that have the settings, and the goal state that leads to them.

use std::time::Duration;

use super::deadline::Deadline;
use super::goal_state::GoalState;
use super::http::{Endpoint, HttpError, Request};
use super::settings::{Settings, by_age};
use super::{FetchRequest, extensions_config, vm_settings};

/// How long a request may take.
pub(super) const REQUEST: Duration = Duration::from_secs(5);

/// How long the other channel is waited for once one has settings.
const SECOND_CHANNEL: Duration = Duration::from_secs(2);

/// Bytes of the largest goal state, and of the largest document with certificates.
pub(super) const LARGEST: usize = 1 << 20;

/// Bytes of the largest document with settings.
const LARGEST_SETTINGS: usize = 8 << 20;

/// The headers of every request to the wire server.
pub(super) const WIRE_HEADERS: [(&str, &str); 2] =
    [("x-ms-agent-name", "WALinuxAgent"), ("x-ms-version", "2012-11-30")];

/// The media type that the agent names in requests without a body.
const CONTENT_TYPE: (&str, &str) = ("Content-Type", "text/xml;charset=utf-8");

/// The version of the protocol of the host's plugin.
const PLUGIN_VERSION: (&str, &str) = ("x-ms-version", "2015-09-01");

/// Asks both channels once. Returns the goal state and the settings, the newest first; `None` if there are none yet.
pub(super) fn round(request: &FetchRequest, deadline: Deadline) -> Option<(GoalState, Vec<Settings>)> {
    let goal_state = match goal_state(request.wire_server, deadline) {
        Ok(goal_state) => goal_state,
        Err(error) => {
            deadline.log(format!("goal state: {error}"));
            return None;
        }
    };
    let mut found = Vec::new();
    let plugin = from_host_plugin(request.host_plugin, &goal_state, deadline);
    note("host plugin", plugin, deadline, &mut found);
    let limit = if found.is_empty() { REQUEST } else { SECOND_CHANNEL };
    let wire = from_wire_server(request.wire_server, &goal_state, deadline.at_most(limit));
    note("wire server", wire, deadline, &mut found);
    by_age(&mut found);
    (!found.is_empty()).then_some((goal_state, found))
}

/// Logs the settings of a channel.
fn note(channel: &str, answer: Result<Option<Settings>, String>, deadline: Deadline, found: &mut Vec<Settings>) {
    match answer {
        Ok(Some(settings)) => {
            let Settings { sequence, ticks, thumbprint, protected, .. } = &settings;
            deadline.log(format!(
                "{channel}: settings with sequence number {sequence}, ticks {ticks}, thumbprint {thumbprint}, {} characters",
                protected.len()
            ));
            found.push(settings);
        }
        Ok(None) => deadline.log(format!("{channel}: no settings of the extension yet")),
        Err(error) => deadline.log(format!("{channel}: {error}")),
    }
}

fn goal_state(wire_server: Endpoint, deadline: Deadline) -> Result<GoalState, String> {
    let headers = [WIRE_HEADERS[0], WIRE_HEADERS[1], CONTENT_TYPE];
    let request =
        Request { endpoint: wire_server, target: "/machine/?comp=goalstate", headers: &headers, limit: LARGEST };
    let document = request.get(deadline.at_most(REQUEST)).map_err(|error| error.to_string())?;
    GoalState::parse(&document).map_err(str::to_owned)
}

fn from_host_plugin(plugin: Endpoint, goal_state: &GoalState, deadline: Deadline) -> Result<Option<Settings>, String> {
    let id = correlation_id();
    let headers = [
        PLUGIN_VERSION,
        ("x-ms-containerid", &*goal_state.container_id),
        ("x-ms-host-config-name", &*goal_state.config_name),
        ("x-ms-correlationid", &*id),
    ];
    let request = Request { endpoint: plugin, target: "/vmSettings", headers: &headers, limit: LARGEST_SETTINGS };
    let document = request.get(deadline.at_most(REQUEST)).map_err(|error| match error {
        HttpError::Status(410) => "status 410: the goal state is old".to_owned(),
        HttpError::Status(404) => "status 404: this host has no vmSettings".to_owned(),
        error => error.to_string(),
    })?;
    vm_settings::settings(&document).map_err(str::to_owned)
}

fn from_wire_server(
    wire_server: Endpoint,
    goal_state: &GoalState,
    deadline: Deadline,
) -> Result<Option<Settings>, String> {
    let url = goal_state.extensions_config.as_deref().ok_or("the goal state has no extensions config")?;
    let target = wire_server.target(url).ok_or("the URL of the extensions config is not on the wire server")?;
    let headers = [WIRE_HEADERS[0], WIRE_HEADERS[1], CONTENT_TYPE];
    let request = Request { endpoint: wire_server, target, headers: &headers, limit: LARGEST_SETTINGS };
    let document = request.get(deadline).map_err(|error| error.to_string())?;
    extensions_config::settings(&document).map_err(str::to_owned)
}

/// Returns a new UUID of version 4. Without random numbers all are the same, which only makes logs of the host less useful.
fn correlation_id() -> String {
    let mut bytes = [0; 16];
    let _ = getrandom::fill(&mut bytes);
    let number = u128::from_be_bytes(bytes) & !(0xf << 76 | 0x3 << 62) | 4 << 76 | 2 << 62;
    let digits = format!("{number:032x}");
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_correlation_id_is_a_random_uuid() {
        let id = correlation_id();
        let lengths: Vec<_> = id.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12], "{id}");
        assert!(&id[14..15] == "4" && ["8", "9", "a", "b"].contains(&&id[19..20]), "{id}");
        assert_ne!(id, correlation_id());
    }
}
