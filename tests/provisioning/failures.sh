#!/usr/bin/env bash
# Runs that fail, each with its code and a reason; what is then put right is made a node by the next run.
# Sourced by machine.sh, which calls one of these functions.
# shellcheck disable=SC2154,SC2016,SC2034 # machine.sh has the names; what is quoted is for the machine

# Runs the scripts with variables: CODE REASON VARIABLE=VALUE...; then once more without what is wrong.
ends_with() {
	local wanted=$1 why=$2
	shift 2
	[ -n "$machine" ] || start_machine
	variables "$@"
	run_scripts
	[ "$code" = "$wanted" ] || fail "the scripts end with $code, not $wanted"
	expect 'the result has the code' said "$wanted"
	expect "the reason says: $why" reason "$why"
	expect 'a marker says that it is all' is_complete
	expect 'stdout is the result' cmp -s "$test/stdout" "$log/aks/provision.json"
	expect 'the step that failed has its event' has_error_event
	expect 'nothing was evaluated' not test -e "$test/evaluated"
	expect 'logs are collected' was_called aks-log-collector.sh
	all_is_well
	repair
	rm "$containers/provision.complete"
	variables
	run_scripts
	[ "$code" = 0 ] || fail "the repaired machine ends with $code"
	eventually 'kubelet is ready after all' kubelet_is_ready
	# It was the second run, and what it has made is a plain node, which other scenarios run twice.
	last_run=
}

has_error_event() {
	[ -n "$wanted_event" ] || return 0
	grep -lq '"EventLevel":"Error"' "$log/Microsoft.Azure.Extensions.CustomScript/events/"*.json
}

output_has() {
	jq -r .Output "$log/aks/provision.json" | grep -qE "$1"
}

wanted_event=yes
repair() { :; }

base64_of() {
	printf '%s' "$1" | base64 -w 0
}

## What the variables say

version_is_missing() { ends_with 245 'KUBERNETES_VERSION is empty' KUBERNETES_VERSION=; }
all_that_is_wrong_is_said() { ends_with 245 'API_SERVER_NAME is empty; .*KUBELET_FLAGS is empty.*KUBE_CA_CRT must be base64' API_SERVER_NAME= KUBELET_FLAGS= KUBE_CA_CRT='%%%'; }
api_server_is_hostile() { ends_with 245 'API_SERVER_NAME must be a host name' API_SERVER_NAME="x\$(touch /opt/test/evaluated);'\"x"; }
authority_is_no_certificate() { ends_with 245 'KUBE_CA_CRT must be base64 of a certificate' KUBE_CA_CRT="$(base64_of 'no certificate')"; }
label_is_too_long() { ends_with 245 'KUBELET_NODE_LABELS must be .* up to 63' KUBELET_NODE_LABELS="agentpool=$(printf 'a%.0s' {1..64})"; }
flags_have_a_line_break() { ends_with 245 'KUBELET_FLAGS must be one line' KUBELET_FLAGS=$'--address=0.0.0.0\nPATH=/tmp'; }
settings_are_not_base64() { ends_with 103 'SYSCTL_CONTENT' SYSCTL_CONTENT='no base64!'; }
setting_is_refused() { ends_with 103 'kernel settings' SYSCTL_CONTENT="$(base64_of 'net.core.somaxconn=many')"; }
containerds_configuration_is_missing() { ends_with 6 'CONTAINERD_CONFIG_CONTENT is empty' CONTAINERD_CONFIG_CONTENT=; }
containerds_configuration_is_not_base64() { ends_with 6 'must be base64' CONTAINERD_CONFIG_CONTENT='{}'; }
containerds_configuration_is_broken() { ends_with 4 'containerd does not answer' CONTAINERD_CONFIG_CONTENT="$(base64_of '[[[')"; }
swap_is_no_number() { ends_with 245 'SWAP_FILE_SIZE_MB must be a number' SHOULD_CONFIG_SWAP_FILE=true SWAP_FILE_SIZE_MB='5 # $(touch /opt/test/evaluated)'; }
swap_has_no_room() { ends_with 131 'no disk has' SHOULD_CONFIG_SWAP_FILE=true SWAP_FILE_SIZE_MB=900000000; }
huge_pages_are_hostile() { ends_with 103 'THP_ENABLED must be' SHOULD_CONFIG_TRANSPARENT_HUGE_PAGE=true THP_ENABLED='../x'; }
huge_pages_are_unknown() { ends_with 103 'rejects "sometimes"' SHOULD_CONFIG_TRANSPARENT_HUGE_PAGE=true THP_ENABLED=sometimes; }
authority_of_the_proxy_is_not_base64() { ends_with 161 'HTTP_PROXY_TRUSTED_CA' SHOULD_CONFIGURE_HTTP_PROXY=true SHOULD_CONFIGURE_HTTP_PROXY_CA=true HTTP_PROXY_TRUSTED_CA='(' NO_PROXY_URLS='*' HTTPS_PROXY_URLS=http://10.9.0.1; }
second_authority_is_not_base64() { ends_with 161 'CUSTOM_CA_CERT_1' SHOULD_CONFIGURE_CUSTOM_CA_TRUST=true CUSTOM_CA_TRUST_COUNT=2 CUSTOM_CA_CERT_0="$(base64 -w 0 <"$test/authority.pem")" CUSTOM_CA_CERT_1='<'; }
limits_are_hostile() { ends_with 245 'CONTAINERD_ULIMITS' SHOULD_CONFIG_CONTAINERD_ULIMITS=true CONTAINERD_ULIMITS='[Service] ExecStartPre=/bin/touch$(x)/opt/test/evaluated'; }
reserved_cgroup_is_another() { ends_with 34 'cannot be reserved' KUBELET_FLAGS='--kube-reserved-cgroup=/other.slice'; }
outbound_command_is_shell_text() { ends_with 50 'must be a call of curl' OUTBOUND_COMMAND='touch /opt/test/evaluated; curl x'; }
corefile_is_missing() {
	stand_in coredns
	mkdir -p "$containers/localdns/binary"
	ends_with 216 'LOCALDNS_COREFILE_BASE is empty' SHOULD_ENABLE_LOCALDNS=true LOCALDNS_COREFILE_BASE= LOCALDNS_GENERATED_COREFILE=
}

## What the world does

metadata_answers_500() { fault 169.254.169.254/metadata/instance 500 && ends_with 234 'metadata service'; }
metadata_is_cut_off() { fault 169.254.169.254/metadata/instance truncate && ends_with 234 'metadata service'; }
metadata_hangs() {
	fault 169.254.169.254/metadata/instance hang
	real_pauses
	ends_with 234 'metadata service' "$time_for_the_run"
}
archive_answers_500() {
	tires curl /usr/bin/curl
	fault packages.aks.azure.com/kubernetes 500
	repair() {
		expect 'the result shows the steps before' output_has 'setupCNIDirs: [0-9]+ ms'
		expect 'the result shows what is repeated once' test "$(jq -r .Output "$log/aks/provision.json" | grep -c 'warning: .*returned error: 500')" = 1
	}
	ends_with 31 'cannot be downloaded from .*kubernetes.*: curl: \(22\) .* 500'
}
# What is not there does not come.
archive_is_not_there() {
	real_pauses
	fault packages.aks.azure.com/kubernetes 404
	repair() {
		expect 'it is asked for once' test "$(grep -c 'GET packages.aks.azure.com/kubernetes' "$test/requests.log")" = 1
		expect 'the result says why' output_has 'returned error: 404'
	}
	ends_with 31 'cannot be downloaded .*: curl: \(22\) .* 404'
}
archive_is_cut_off() { tires curl /usr/bin/curl && fault packages.aks.azure.com/kubernetes truncate && ends_with 31 'cannot be downloaded .*: curl: \(18\)'; }
archive_hangs() {
	fault packages.aks.azure.com/kubernetes hang
	real_pauses
	ends_with 31 'cannot be downloaded .*: no answer in time' "$time_for_the_run"
}
archive_has_another_sum() {
	printf '%064d\n' 0 >"$test/files/kubernetes-node-linux-amd64.tar.gz.sha256"
	repair() { rm "$test/files/kubernetes-node-linux-amd64.tar.gz.sha256"; }
	ends_with 31 'cannot be downloaded .*: what was sent does not match the published checksum'
}
archive_has_no_kubelet() {
	cp "$test/files/kubernetes-node-linux-amd64.tar.gz" "$test/whole"
	cp "$test/files/azure-vnet-cni-linux-amd64-v1.6.26.tgz" "$test/files/kubernetes-node-linux-amd64.tar.gz"
	repair() { mv "$test/whole" "$test/files/kubernetes-node-linux-amd64.tar.gz"; }
	ends_with 204 'has no kubernetes/node/bin/kubelet'
}
network_plugin_answers_500() { tires curl /usr/bin/curl && fault packages.aks.azure.com/azure-cni 500 && ends_with 41 'cannot be downloaded: curl: \(22\)'; }
reference_plugins_are_missing() {
	rm "$root/opt/cni/bin/bridge"
	repair() { cp "$root/opt/cni/bin/loopback" "$root/opt/cni/bin/bridge"; }
	ends_with 206 'bridge, host-local or loopback is missing'
}
credential_provider_answers_500() {
	tires curl /usr/bin/curl
	fault packages.aks.azure.com/cloud-provider-azure 500
	ends_with 205 'the credential provider cannot be had; .*: curl: \(22\)' KUBELET_FLAGS='--image-credential-provider-config=/var/lib/kubelet/credential-provider-config.yaml --image-credential-provider-bin-dir=/var/lib/kubelet/credential-provider'
}
bootstrap_client_answers_500() {
	tires curl /usr/bin/curl
	fault packages.aks.azure.com/client 500
	ends_with 169 'client cannot be downloaded: curl: \(22\)' ENABLE_SECURE_TLS_BOOTSTRAPPING=true CUSTOM_SECURE_TLS_BOOTSTRAPPING_CLIENT_DOWNLOAD_URL=https://packages.aks.azure.com/client
}
nothing_gets_out() { tires curl /usr/bin/curl && fault mcr.microsoft.com/ close && ends_with 50 'mcr.microsoft.com/v2/ cannot be reached: curl: \('; }
name_is_unknown() {
	fault "dns:$api_server" unknown
	real_pauses
	ends_with 52 'does not resolve' "$time_for_the_run"
}
name_is_unknown_to_azure() {
	printf 'nameserver 168.63.129.16\n' >"$root/etc/resolv.conf"
	fault "dns:$api_server" unknown
	real_pauses
	ends_with 53 "Azure's DNS does not resolve" "$time_for_the_run"
}
api_server_is_of_another_cluster() {
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=other -keyout /dev/null -out "$test/other.pem" 2>/dev/null
	tires curl /usr/bin/curl
	ends_with 51 'certificate of the API server .* is not of this cluster: curl: \(60\)' KUBE_CA_CRT="$(base64 -w 0 <"$test/other.pem")"
}
address_of_the_api_server_is_silent() { tires nc /usr/bin/nc && ends_with 51 'API server 10.9.0.77 cannot be reached: nc: connect' API_SERVER_NAME=10.9.0.77; }

## What the machine lacks

image_is_none() {
	rm "$root/opt/azure/vhd-install.complete"
	repair() { : >"$root/opt/azure/vhd-install.complete"; }
	ends_with 65 'IS_VHD=false' IS_VHD=true
}
helpers_are_cut_off() {
	cp "$containers/provision_source.sh" "$test/source"
	head -n 100 "$test/source" >"$containers/provision_source.sh"
	repair() { cp "$test/source" "$containers/provision_source.sh"; }
	# Without helpers there are no events.
	wanted_event=
	ends_with 6 'is missing or incomplete'
}
a_script_is_missing() {
	mv "$containers/provision_configs.sh" "$test/configs"
	repair() { mv "$test/configs" "$containers/provision_configs.sh"; }
	wanted_event=
	ends_with 6 'provision_configs.sh is missing'
}
the_image_stage_is_missing() {
	mv "$containers/provision_image_stage.sh" "$test/stage"
	repair() { mv "$test/stage" "$containers/provision_image_stage.sh"; }
	wanted_event=
	ends_with 6 'provision_image_stage.sh is missing' PRE_PROVISION_ONLY=true
}
module_does_not_load() {
	stand_in modprobe '[ "$1" != br_netfilter ]'
	repair() { stand_in modprobe; }
	ends_with 49 'br_netfilter cannot be loaded'
}
swap_is_not_taken() {
	stand_in swapon 'exit 1'
	stand_in mkswap
	repair() { rm "$root/opt/bin/swapon" "$root/opt/bin/mkswap"; }
	ends_with 130 'cannot be created or activated' SHOULD_CONFIG_SWAP_FILE=true SWAP_FILE_SIZE_MB=1
}
sshd_refuses() {
	cp "$root/etc/ssh/sshd_config" "$test/sshd_config"
	printf 'NoSuchSetting yes\n' >>"$root/etc/ssh/sshd_config"
	printf '[Service]\nExecStart=\nExecStartPre=\nExecStart=/bin/sleep infinity\nType=exec\n' >"$test/override.conf"
	mkdir -p "$root/etc/systemd/system/ssh.service.d"
	cp "$test/override.conf" "$root/etc/systemd/system/ssh.service.d/"
	repair() { cp "$test/sshd_config" "$root/etc/ssh/sshd_config"; }
	ends_with 178 'sshd rejects' DISABLE_PUBKEY_AUTH=true
}
kubelets_unit_is_missing() {
	tires systemctl /usr/bin/systemctl
	mv "$root/etc/systemd/system/kubelet.service" "$test/unit"
	repair() { mv "$test/unit" "$root/etc/systemd/system/kubelet.service"; }
	ends_with 34 'kubelet.service cannot be started'
}
unit_fails_again_and_again() {
	tires systemctl /usr/bin/systemctl
	printf '[Service]\nType=oneshot\nExecStart=/bin/false\n' >"$root/etc/systemd/system/dhcpv6.service"
	ends_with 4 'dhcpv6.service does not start' IPV6_DUAL_STACK_ENABLED=true
}
unit_of_the_bootstrap_client_is_missing() {
	tires systemctl /usr/bin/systemctl
	rm "$root/etc/systemd/system/secure-tls-bootstrap.service"
	repair() { rm -rf "$root/etc/systemd/system/secure-tls-bootstrap.service.d"; }
	ends_with 220 'cannot be enabled' ENABLE_SECURE_TLS_BOOTSTRAPPING=true
}
realm_is_not_joined() { ends_with 80 'search domain corp.example cannot be joined' HAS_CUSTOM_SEARCH_DOMAIN=true CUSTOM_SEARCH_DOMAIN_NAME=corp.example CUSTOM_SEARCH_REALM_USER=joiner CUSTOM_SEARCH_REALM_PASSWORD="$realm"; }
streaming_is_missing() { tires systemctl /usr/bin/systemctl && ends_with 153 'acr-mirror.service does not start' ARTIFACT_STREAMING_ENABLED=true; }

# Prints the first prediction for the document: FACTS. A document with errors ends with 1.
first_prediction() {
	{ "$program" validate "$test/asks.json" --image "$1" --format json || true; } |
		jq -r '[.findings[].problem | select(test("which the image lacks"))] | first // ""'
}

# Removes a fact from the file of the image and from the machine, and compares the code that `validate --image` predicts with the one
# that the scripts end with: FACT PATH CHANGE VARIABLE=VALUE..., with the change of the Configuration that asks for it.
lacks() {
	local fact=$1 path=$2 change=$3 found predicted
	shift 3
	jq --arg fact "$fact" 'walk(if type == "array" then map(select(. != $fact)) else . end) | if $fact == "prepared" then .prepared = false elif $fact == "containerd" then .containerd = "" else . end' \
		"$test/facts.json" >"$test/lacking.json"
	configuration | jq "$change" >"$test/asks.json"
	found=$(first_prediction "$test/facts.json")
	expect "with $fact, the image has all" test -z "$found"
	found=$(first_prediction "$test/lacking.json")
	predicted=$(sed -nE 's/.*end with code ([0-9]+) .*/\1/p' <<<"$found")
	[ ! -e "$root$path" ] || cp -a "$root$path" "$test/kept"
	rm -f "$root$path"
	inside systemctl daemon-reload
	variables "$@"
	run_scripts
	printf '%s: predicted %s, ended with %s\n' "$fact" "$predicted" "$code"
	[ "$code" = "$predicted" ] || fail "without $fact, the scripts end with $code, and \"$predicted\" was predicted"
	[ ! -e "$test/kept" ] || mv "$test/kept" "$root$path"
	inside systemctl daemon-reload
	rm -f "$containers/provision.complete"
}
# What asks for an image from the registry of an isolated cluster.
readonly isolation='.bootstrap_profile_container_registry_server = "registry.test/mirror" | .auth_config.assigned_identity_id = "11111111-2222-3333-4444-555555555555" | .auth_config.use_managed_identity_extension = true'
readonly streaming=(acr-mirror overlaybd-tcmu overlaybd-snapshotter)
# Makes a registry and the units that settings need.
prepare_for_facts() {
	local unit
	tires systemctl /usr/bin/systemctl
	make_registry
	for unit in "${streaming[@]}"; do
		printf '[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/bin/true\n' >"$root/etc/systemd/system/$unit.service"
	done
}
# Removes the units, and kubelet's.
lacks_units() {
	local unit
	lacks dhcpv6.service /etc/systemd/system/dhcpv6.service '.ipv6_dual_stack_enabled = true' IPV6_DUAL_STACK_ENABLED=true
	for unit in "${streaming[@]}"; do
		lacks "$unit.service" "/etc/systemd/system/$unit.service" '.enable_artifact_streaming = true' ARTIFACT_STREAMING_ENABLED=true
	done
	lacks secure-tls-bootstrap.service /etc/systemd/system/secure-tls-bootstrap.service \
		'.bootstrapping_config.bootstrapping_auth_method = "BOOTSTRAPPING_AUTH_METHOD_SECURE_TLS_BOOTSTRAPPING"' ENABLE_SECURE_TLS_BOOTSTRAPPING=true
	rm -rf "$root/etc/systemd/system/secure-tls-bootstrap.service.d"
	lacks kubelet.service /etc/systemd/system/kubelet.service .
}

what_an_image_lacks_is_predicted() {
	local name pause
	prepare_for_facts
	"$program" bake --root "$root" --os debian --facts "$test/facts.json" >/dev/null 2>&1
	# Nothing has written containerd's store yet.
	pause=$(configuration | jq -r .kube_binary_config.pod_infra_container_image_url)
	jq --arg pause "$pause" '.images = [$pause]' "$test/facts.json" >"$test/with_pause.json"
	mv "$test/with_pause.json" "$test/facts.json"
	start_machine
	for name in start source source_distro installs installs_distro configs; do
		lacks "/opt/azure/containers/provision_$name.sh" "/opt/azure/containers/provision_$name.sh" .
	done
	lacks oras /opt/bin/oras "$isolation" "${isolated[@]}"
	# The registry of the cluster has no copy either.
	: >"$test/no_copy"
	lacks "$pause" /opt/pod-infra-container-image "$isolation" "${isolated[@]}"
	rm "$test/no_copy"
	lacks prepared /opt/azure/vhd-install.complete '.is_vhd = true' IS_VHD=true
	lacks "/opt/azure/containers/setup-custom-search-domains.sh" "/opt/azure/containers/setup-custom-search-domains.sh" \
		'.custom_search_domain_config = {domain_name: "corp.example", realm_user: "joiner", realm_password: "x"}' \
		HAS_CUSTOM_SEARCH_DOMAIN=true CUSTOM_SEARCH_DOMAIN_NAME=corp.example CUSTOM_SEARCH_REALM_USER=joiner CUSTOM_SEARCH_REALM_PASSWORD="$realm"
	lacks_units
	# The machine's own is below the one of its package.
	mv "$root/usr/lib/systemd/system/containerd.service" "$root/etc/systemd/system/containerd.service"
	lacks containerd.service /etc/systemd/system/containerd.service .
	mv "$root/etc/systemd/system/containerd.service" "$root/usr/lib/systemd/system/containerd.service"
	# Without a server, it waits for a second each time.
	stand_in ctr 'exit 1'
	lacks containerd /usr/bin/containerd .
	rm "$root/opt/bin/ctr"
	# The unit is back, so a second run makes a node.
	last_run=
}
plugins_that_an_image_lacks_are_predicted() {
	rm "$root/etc/os-release"
	printf 'ID=ubuntu\nVERSION_ID="24.04"\n' >"$root/etc/os-release"
	"$program" bake --root "$root" --os ubuntu --facts "$test/facts.json" >/dev/null 2>&1
	start_machine
	local plugin
	for plugin in bridge host-local loopback; do
		lacks "$plugin" "/opt/cni/bin/$plugin" .
	done
	last_run=
}
# Removes the facts that nodes of every system need from an image of one: NAME of `bake`, ID, VERSION_ID.
facts_of() {
	local name
	prepare_for_facts
	rm "$root/etc/os-release"
	printf 'ID=%s\nVERSION_ID="%s"\n' "$2" "$3" >"$root/etc/os-release"
	"$program" bake --root "$root" --os "$1" --facts "$test/facts.json" >/dev/null 2>&1
	start_machine
	for name in start source source_distro installs installs_distro configs; do
		lacks "/opt/azure/containers/provision_$name.sh" "/opt/azure/containers/provision_$name.sh" .
	done
	for name in bridge host-local loopback; do
		lacks "$name" "/opt/cni/bin/$name" .
	done
	lacks oras /opt/bin/oras "$isolation" "${isolated[@]}"
	lacks prepared /opt/azure/vhd-install.complete '.is_vhd = true' IS_VHD=true
	lacks_units
	last_run=
}
facts_of_ubuntu_are_predicted() { facts_of ubuntu ubuntu 24.04; }
facts_of_azurelinux_are_predicted() { facts_of azurelinux azurelinux 3.0; }
facts_of_flatcar_are_predicted() { facts_of flatcar flatcar 4230.2.1; }
facts_of_acl_are_predicted() { facts_of acl azurecontainerlinux 3.0; }
# Nothing installs them there.
what_no_package_brings_is_predicted() {
	local name tool
	rm "$root/etc/os-release"
	printf 'ID=flatcar\nVERSION_ID="4230.2.1"\n' >"$root/etc/os-release"
	"$program" bake --root "$root" --os flatcar --facts "$test/facts.json" >/dev/null 2>&1
	start_machine
	for name in curl jq tar openssl iptables ebtables ethtool conntrack nslookup nc; do
		tool=$(chroot "$root" /bin/sh -c "command -v $name")
		lacks "$name" "$tool" .
	done
	last_run=
}
network_card_is_missing() { ends_with 243 'the metadata has no network card 1' STANDARD_SECONDARY_NIC_COUNT=1; }
snapshots_do_not_start() {
	printf 'ID=ubuntu\nVERSION_ID="24.04"\n' >"$root/etc/os-release.test"
	rm "$root/etc/os-release"
	mv "$root/etc/os-release.test" "$root/etc/os-release"
	tires systemctl /usr/bin/systemctl
	printf '[Timer]\nNoSuch=1\n' >"$root/etc/systemd/system/snapshot-update.timer"
	repair() { rm "$root/etc/systemd/system/snapshot-update.timer"; }
	ends_with 202 'snapshot-update.timer does not start'
}
disk_is_full() {
	start_machine
	inside mkdir -p /etc/kubernetes
	# Two directories and one file: what comes after ca.crt has no room.
	inside mount -t tmpfs -o size=4k,nr_inodes=4 tmpfs /etc/kubernetes
	inside mkdir /etc/kubernetes/certs /etc/kubernetes/manifests
	repair() { inside umount /etc/kubernetes; }
	ends_with 244 '/etc/kubernetes/azure.json cannot be written'
}
disk_of_programs_is_full() {
	start_machine
	inside mkdir -p /opt/kubernetes
	inside mount -t tmpfs -o size=8k tmpfs /opt/kubernetes
	tires curl /usr/bin/curl
	head -c 100000 /dev/urandom >"$test/tree/kubernetes/more"
	tar -czf "$test/files/kubernetes-node-linux-amd64.tar.gz" -C "$test/tree" kubernetes
	repair() { inside umount /opt/kubernetes; }
	ends_with 31 'cannot be downloaded .*: curl: \(23\)'
}

# The lists for nodes that do not need what the stage has added, or what it has restored.
disk_is_full_at_the_end_of_the_stage() {
	local name list
	use_version 1.34.1
	cache_debian_packages
	use_family ubuntu ubuntu 24.04
	stand_in uname 'case $1 in -r) echo 6.8.0-1058-azure ;; *) exec /bin/uname "$@" ;; esac'
	stand_in dpkg
	mkdir -p "$root/run/systemd/resolve"
	for name in kubelet kubectl; do
		printf '#!/bin/sh\n' | put_program "$root/opt/bin/$name-1.32.9"
	done
	start_machine
	variables PRE_PROVISION_ONLY=true
	for list in /opt/kubernetes/unused /opt/cni/added; do
		inside mkdir -p "${list%/*}"
		inside ln -sfn /dev/full "$list"
		run_scripts
		[ "$code" = 244 ] || fail "the stage ends with $code without room for $list"
		expect 'the reason names the programs' reason 'programs of the image cannot be put back'
		expect 'the image is not marked' not is_there "$containers/base_prep.complete"
		inside rm "$list"
		rm "$containers/provision.complete"
	done
	run_scripts
	expect 'the stage is marked' test -e "$containers/base_prep.complete"
	expect 'the packages are kept' test "$(find "$root/opt/kubelet/downloads" "$root/opt/kubectl/downloads" -name '*.deb' | wc -l)" = 2
	variables
	run_scripts
	expect 'the node is made' is_complete
	expect 'nothing that it does not need is left' test -z "$(find "$root"/opt/kube*/downloads -name '*.deb' 2>/dev/null)"
	expect 'the lists go' test -z "$(find "$root/opt" -name unused -o -name added)"
}

## What kubelet does

# Kubernetes 1.27 has removed the flag.
kubelet_ends_again_and_again() {
	mkdir -p "$root/etc/systemd/system/kubelet.service.d"
	printf '[Unit]\nStartLimitIntervalSec=0\n[Service]\nRestartSec=300ms\n' >"$root/etc/systemd/system/kubelet.service.d/99-test.conf"
	real_pauses
	ends_with 34 'has ended [0-9]+ times: .*unknown flag: --container-runtime' 'KUBELET_FLAGS=--client-ca-file=/etc/kubernetes/certs/ca.crt --container-runtime=remote'
}
# kubelet's start waits for another unit before systemd looks at the condition.
condition_of_kubelets_unit_does_not_hold() {
	local drop_ins=$root/etc/systemd/system/kubelet.service.d
	mkdir -p "$drop_ins"
	printf '[Service]\nType=oneshot\nExecStart=/bin/sleep 5\n' >"$root/etc/systemd/system/slow.service"
	printf '[Unit]\nWants=slow.service\nAfter=slow.service\n' >"$drop_ins/98-slow.conf"
	printf '[Unit]\nConditionPathExists=/nowhere\n' >"$drop_ins/99-condition.conf"
	real_pauses
	repair() { rm "$drop_ins/99-condition.conf"; }
	ends_with 34 'kubelet is not started, because a condition of its unit does not hold'
}
kubelet_gets_no_certificate() {
	real_pauses
	fault "$api_server/apis/certificates.k8s.io" unsigned
	ends_with 34 'kubelet has no client certificate: the cluster has not approved its request' "$time_for_the_run"
}
# The API server of a cluster whose token has expired.
token_is_rejected() {
	real_pauses
	printf 'abcdef.another0token' >"$test/token"
	# Older images lack it. It would ask for a minute before kubelet starts.
	rm "$containers/validate-kubelet-credentials.sh"
	repair() { printf '%s' "$token" >"$test/token"; }
	ends_with 34 'kubelet has asked for a client certificate for a minute: the API server rejects the bootstrap token\. kubelet: .*Unauthorized' CSE_TIMEOUT=300
}

## Time

run_takes_too_long() {
	# What only computes has no limit of its own.
	stand_in jq 'exec /bin/sleep 60'
	repair() { rm "$root/opt/bin/jq"; }
	wanted_event=
	ends_with 124 'stopped after 4 seconds' CSE_TIMEOUT=4
}
