#!/bin/bash
# Leaves an event with the flags and the configuration file that kubelet was started with. Its message is JSON.
set -uo pipefail
export LC_ALL=C

#include provisioning/source/paths.sh
#include provisioning/source/events.sh
#include provisioning/source/put.sh

readonly defaults=/etc/default/kubelet configuration=/etc/default/kubeletconfig.json
readonly sent=/run/emit-kubelet-active-flags.fingerprint
# The pipeline cuts messages at 3 KiB, and half an object is no JSON.
readonly limit=2900

# Prints the message without configuration: FLAGS as in the file that systemd reads.
message_of() {
	jq -cn --arg flags "$1" --arg path "$configuration" --argjson uses "$([ -e "$configuration" ] && echo true || echo false)" '
		[$flags | scan("(?:^|\\s)--([^=\\s]+)=(\\S*)") | {key: .[0], value: .[1]}] | from_entries
		| {uses_config_file: $uses, config_path: (if $uses then $path else "" end), flag_count: length, flags: ., config_file: {}}'
}

fingerprint=$(cat "$defaults" "$configuration" 2>/dev/null | sha256sum)
# kubelet starts this unit each time; it may start again and again.
[ "$fingerprint" != "$(cat "$sent" 2>/dev/null)" ] || exit 0

flags=$(sed -n 's/^KUBELET_FLAGS=//p' "$defaults" 2>/dev/null | sed 's/\\\(.\)/\1/g')
message=$(message_of "$flags") || exit 1
if [ -e "$configuration" ]; then
	whole=$(jq -c --slurpfile file "$configuration" '.config_file = ($file[0] // {})' <<<"$message") || whole=$message
	if [ "${#whole}" -gt "$limit" ]; then
		whole=$(jq -c '.config_file = "truncated:exceeded_size_cap"' <<<"$message")
	fi
	message=$whole
fi
if [ "${#message}" -gt "$limit" ]; then
	message=$(jq -c '.flags = "truncated:exceeded_size_cap"' <<<"$message")
fi
begun=$(now)
event AKS.CSE.ensureKubelet.kubeletActiveFlags Informational "$begun" "$(now)" "$message"
put "$sent" 0644 printf '%s' "$fingerprint"
