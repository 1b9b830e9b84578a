#!/usr/bin/env bash
# The smaller scripts that units and routes call, each for real.
# Sourced by machine.sh, which calls one of these functions.
# shellcheck disable=SC2154,SC2016,SC2034 # machine.sh has the names; what is quoted is for the machine

# Runs one of the image's programs inside, with variables before it, and once more: the second call changes nothing and ends the
# same.
call() {
	local first=0 second=0
	call_once "$@" || first=$?
	state_of_the_machine >"$test/state_first"
	call_once "$@" || second=$?
	state_of_the_machine >"$test/state_second"
	[ "$first" = "$second" ] || fail "a second call ends with $second, not $first: $*"
	diff "$test/state_first" "$test/state_second" || fail "a second call changes the machine: $*"
	return "$first"
}

call_once() {
	inside env PATH=/opt/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin HOSTNAME=node-test "$@" >"$test/said" 2>&1
}

rules_of() {
	inside iptables-save -t "$1" | grep -c -- "$2"
}

the_metadata_service_is_restricted() {
	local script=/opt/azure/containers/ensure_imds_restriction.sh words='for the node only'
	start_machine
	expect 'no restriction is no rule' call "$script"
	expect 'a restriction is made' call ENABLE_IMDS_RESTRICTION=true PRIMARY_NIC_IP=10.1.2.3 "$script"
	expect 'it is one rule' test "$(rules_of filter "$words")" = 1
	expect 'a second call changes nothing' call ENABLE_IMDS_RESTRICTION=true PRIMARY_NIC_IP=10.1.2.3 "$script"
	expect 'it is one rule' test "$(rules_of filter "$words")" = 1
	inside iptables -I FORWARD 1 -j ACCEPT
	expect 'another address replaces it' call ENABLE_IMDS_RESTRICTION=true PRIMARY_NIC_IP=10.1.2.4 "$script"
	expect 'it is the new address' test "$(rules_of filter '10.1.2.3')$(rules_of filter '10.1.2.4')" = 01
	expect 'it is the first rule' test "$(inside iptables -S FORWARD 1 | grep -c 10.1.2.4)" = 1
	expect 'it moves to the other table' call ENABLE_IMDS_RESTRICTION=true INSERT_IMDS_RESTRICTION_RULE_TO_MANGLE_TABLE=true PRIMARY_NIC_IP=10.1.2.4 "$script"
	expect 'it moves to the other table' test "$(rules_of filter "$words")$(rules_of mangle "$words")" = 01
	expect 'an unknown address is a failure' not call ENABLE_IMDS_RESTRICTION=true "$script"
	expect 'hostile text is a failure' not call ENABLE_IMDS_RESTRICTION=true 'PRIMARY_NIC_IP=10.1.2.4 -j ACCEPT' "$script"
	expect 'without a restriction the address does not matter' call "$script"
	expect 'the rule is taken back' test "$(rules_of mangle "$words")" = 0
}

pods_are_kept_from_the_wire_server() {
	start_machine
	expect 'rules are made' call /opt/azure/containers/kubelet.sh
	expect 'a second call changes nothing' call /opt/azure/containers/kubelet.sh
	expect 'there are two rules' test "$(rules_of filter 168.63.129.16)" = 2
}

a_promiscuous_bridge_sends_nothing_twice() {
	local script=/opt/azure/containers/ensure-no-dup.sh
	start_machine
	expect 'without a configuration it waits' not call "$script"
	mkdir -p "$root/etc/cni/net.d"
	printf '{"plugins":[{"type":"bridge","bridge":"cbr0","ipam":{"type":"host-local","ranges":[[{"subnet":"10.244.3.0/24"}]]}}]}\n' >"$root/etc/cni/net.d/10-containerd-net.conflist"
	expect 'without a bridge it waits' not call "$script"
	inside ip link add cbr0 type bridge
	inside ip address add 10.244.3.1/24 dev cbr0
	expect 'a bridge that is not promiscuous is left alone' call "$script"
	expect 'a bridge that is not promiscuous is left alone' test "$(inside ebtables -t filter -L | grep -c DEDUP)" = 0
	inside ip link set cbr0 promisc on up
	expect 'rules are made' call "$script"
	expect 'a second call changes nothing' call "$script"
	expect 'the chain is hooked once' test "$(inside ebtables -t filter -L OUTPUT | grep -c DEDUP)" = 1
	expect 'its own frames pass, others from the pods do not' test "$(inside ebtables -t filter -L AKS-DEDUP-PROMISC | grep -cE 'ip-src 10.244.3.1 -j ACCEPT|ip-src 10.244.3.0/24 -j DROP')" = 2
}

a_private_host_has_its_address() {
	local name=node.privatelink.westeurope.azmk8s.io
	set_tag AKSAPIServerIPAddress 10.5.5.5
	start_machine
	inside env KUBE_API_SERVER_NAME="$name" PATH=/opt/bin:/usr/bin:/bin /opt/azure/containers/reconcilePrivateHosts.sh >/dev/null 2>&1 &
	eventually 'the address is there' has_line /etc/hosts "10.5.5.5 $name"
	jq '.compute.tagsList[0].value = "10.6.6.6"' "$test/metadata.json" >"$test/new"
	mv "$test/new" "$test/metadata.json"
	eventually 'the address follows the tag' has_line /etc/hosts "10.6.6.6 $name"
	expect 'it is there once' test "$(grep -c "$name" "$root/etc/hosts")" = 1
	jq '.compute.tagsList[0].value = "10.6.6.6 evil.example"' "$test/metadata.json" >"$test/new"
	mv "$test/new" "$test/metadata.json"
	local asked
	asked=$(grep -c 169.254.169.254 "$test/requests.log")
	eventually 'the metadata is read again' metadata_was_read "$((asked + 3))"
	expect 'hostile text is not taken' not has_text /etc/hosts evil
	inside pkill -f reconcilePrivateHosts.sh
}

metadata_was_read() {
	[ "$(grep -c 169.254.169.254 "$test/requests.log")" -ge "$1" ]
}

certificates_come_and_go() {
	local store=/usr/local/share/ca-certificates/certs
	start_machine
	mkdir -p "$root/opt/certs"
	cp "$test/authority.pem" "$root/opt/certs/one.crt"
	expect 'certificates are taken' call /opt/scripts/update_certs.sh
	expect 'certificates are taken' is_there "$store/aks-custom-one.crt"
	rm "$root/opt/certs/one.crt"
	expect 'those that are gone are taken out' call /opt/scripts/update_certs.sh
	expect 'those that are gone are taken out' not is_there "$store/aks-custom-one.crt"
	inside systemctl start update_certs.path
	cp "$test/authority.pem" "$root/opt/certs/two.crt.new"
	inside mv /opt/certs/two.crt.new /opt/certs/two.crt
	eventually 'the path unit sees new ones' is_there "$store/aks-custom-two.crt"
}

the_cloud_has_certificates() {
	local script=/opt/azure/containers/init-aks-cloud.sh
	start_machine
	expect 'a public cloud has none' call LOCATION=westeurope "$script"
	stand_in crontab 'cat >/opt/test/crontab'
	stand_in chronyd
	stand_in systemctl 'exit 0'
	mkdir -p "$root/etc/chrony"
	printf '{"IsOptedInForRootCerts":true}' >"$test/opted"
	jq -n '{OperationRequests: [{ResouceFileName: "../../etc/evil.crt"}, {ResouceFileName: "root.crt"}]}' >"$test/list"
	expect 'the certificates are taken' call LOCATION=westeurope "$script"
	expect 'a name stays in its directory' is_there /usr/local/share/ca-certificates/evil.crt
	expect 'the certificates are taken' is_there /usr/local/share/ca-certificates/root.crt
	expect 'they are renewed' has_text /opt/test/crontab '0 19 * * *'
	expect 'the clock is the hosts' has_text /etc/chrony/chrony.conf 'refclock PHC /dev/ptp'
	jq -n --rawfile pem "$test/authority.pem" '{Certificates: [{Name: "older.crt", CertBody: $pem}]}' >"$test/all"
	expect 'the older interface works too' call "$script" ca-refresh ussecwest
	expect 'the older interface works too' inside openssl x509 -noout -in /usr/local/share/ca-certificates/older.crt
	fault 168.63.129.16/acms 500
	expect 'a silent wire server is a failure' not call LOCATION=westeurope "$script"
	expect 'the failure has its event' grep -lq '"EventLevel":"Error"' "$log/Microsoft.Azure.Extensions.CustomScript/events/"*.json
}

# The addresses are those of https://github.com/Azure/AgentBaker, init-aks-cloud.sh.
packages_come_from_a_depot() {
	local script=/opt/azure/containers/init-aks-cloud.sh depot=https://packages.aks.azure.com/depot
	start_machine
	stand_in systemctl 'exit 0'
	stand_in gpg cat
	stand_in apt-get
	use_family ubuntu ubuntu 24.04
	printf 'VERSION_CODENAME=noble\n' >>"$root/etc/os-release"
	printf 'key' >"$test/files/microsoft.asc"
	printf 'key' >"$test/files/msopentech.asc"
	printf 'directory' >"$test/files/prod"
	printf '{"IsOptedInForRootCerts":true}' >"$test/opted"
	jq -n '{OperationRequests: [{ResouceFileName: "root.crt"}]}' >"$test/list"
	expect 'the depot is taken' call LOCATION=westeurope "REPO_DEPOT_ENDPOINT=$depot/ubuntu" "$script"
	expect 'the sources name it' has_text /etc/apt/sources.list.d/ubuntu.sources "URIs: $depot/ubuntu"
	expect 'the suites match the release' has_text /etc/apt/sources.list.d/ubuntu.sources 'Suites: noble noble-updates noble-backports noble-security'
	expect 'Microsofts packages come from it' has_text /etc/apt/sources.list.d/microsoft-prod.sources "URIs: $depot/microsoft/ubuntu/24.04/prod"
	expect 'the earlier ones are kept' test -n "$(ls "$root/etc/apt/backup")"
	expect 'the clock has its program' was_called 'apt-get install .*chrony'
	expect 'hostile text is a failure' not call LOCATION=westeurope 'REPO_DEPOT_ENDPOINT=https://x y' "$script"
	rm "$test/files/prod"
	expect 'a depot without the packages is a failure' not call LOCATION=westeurope "REPO_DEPOT_ENDPOINT=$depot" "$script"
	expect 'the failure has its event' grep -lq customCloudRepoInit.checkUrlFailed "$log/Microsoft.Azure.Extensions.CustomScript/events/"*.json

	use_family azurelinux azurelinux 3.0
	stand_in dnf
	stand_in update-ca-trust
	mkdir -p "$root/etc/yum.repos.d"
	expect 'the depot is taken' call LOCATION=westeurope "REPO_DEPOT_ENDPOINT=$depot" "$script"
	expect 'the repositories name it' has_text /etc/yum.repos.d/azurelinux-base.repo "baseurl=$depot/azurelinux/\$releasever/prod/base/\$basearch"
	expect 'dnf reads them' was_called 'dnf makecache'
}

# The gate of the classic command, for each answer of cloud-init: its CODE and ours.
cloud_init_is_waited_for() {
	local answer
	start_machine
	for answer in 0:0 2:0 1:223 3:0; do
		stand_in cloud-init "exit ${answer%:*}"
		code=0
		call_once bash -c '. /opt/azure/containers/cloud-init-status-check.sh; handleCloudInitStatus /opt/test/output' || code=$?
		[ "$code" = "${answer#*:}" ] || fail "cloud-init ends with ${answer%:*}, the gate with $code"
	done
	expect 'each has its event' test "$(jq -r .TaskName "$log/Microsoft.Azure.Extensions.CustomScript/events/"*.json | grep -c CloudInitStatusCheck)" = 4
}

the_token_is_tried() {
	local script=/opt/azure/containers/validate-kubelet-credentials.sh
	start_machine
	mkdir -p "$root/etc/kubernetes/certs" "$root/var/lib/kubelet"
	cp "$test/authority.pem" "$root/etc/kubernetes/certs/ca.crt"
	printf 'users:\n- name: kubelet-bootstrap\n  user:\n    token: "%s"\n' "$token" >"$root/var/lib/kubelet/bootstrap-kubeconfig"
	local variables=(CREDENTIAL_VALIDATION_KUBE_CA_FILE=/etc/kubernetes/certs/ca.crt "CREDENTIAL_VALIDATION_APISERVER_URL=https://$api_server:443")
	expect 'a good token is no failure' call "${variables[@]}" "$script"
	expect 'a good token is said to be one' has_text /opt/test/said 'accepts the bootstrap token'
	printf other >"$test/token"
	expect 'a bad token is no failure' call "${variables[@]}" "$script"
	expect 'a bad token is said to be one' has_text /opt/test/said 'answers 401'
	fault "$api_server/" close
	expect 'a silent server is no failure' call "${variables[@]}" "$script"
	expect 'no inputs are no failure' call "$script"
}

the_first_certificate_is_timed() {
	start_machine
	mkdir -p "$root/var/lib/kubelet"
	date '+%F %T.000' >"$containers/tls-bootstrap-start-time"
	inside systemctl start measure-tls-bootstrapping-latency.service
	echo x >"$root/var/lib/kubelet/kubeconfig"
	eventually 'the time is told' grep -rlq waitForTLSBootstrapping "$log/Microsoft.Azure.Extensions.CustomScript/events"
	eventually 'the start is forgotten' not is_there /opt/azure/containers/tls-bootstrap-start-time
}

probes_over_ipv6_are_answered() {
	start_machine
	expect 'without IPv6 nothing is done' call /opt/scripts/ipv6_nftables.sh
	expect 'without IPv6 nothing is done' not inside nft list table ip6 azureSLBProbe
	jq '.network.interface[0].ipv6.ipAddress = [{privateIpAddress: ""}]' "$test/metadata.json" >"$test/new"
	mv "$test/new" "$test/metadata.json"
	expect 'an empty address is none' call /opt/scripts/ipv6_nftables.sh
	expect 'an empty address is none' not inside nft list table ip6 azureSLBProbe
	fault 169.254.169.254 404
	expect 'metadata that cannot be read is a failure' not call /opt/scripts/ipv6_nftables.sh
	no_faults
	jq '.network.interface[0].ipv6.ipAddress = [{privateIpAddress: "fd00::1"}]' "$test/metadata.json" >"$test/new"
	mv "$test/new" "$test/metadata.json"
	expect 'rules are made' call /opt/scripts/ipv6_nftables.sh
	expect 'a second call changes nothing' call /opt/scripts/ipv6_nftables.sh
	expect 'there is one table' test "$(inside nft list ruleset | grep -c 'saddr set 2603:1062')" = 1
	expect 'both hooks come before the tracking of connections' test "$(inside nft list ruleset | grep -cE 'priority (raw|-300);')" = 2
}

metrics_are_served() {
	start_machine
	inside systemctl start localdns-exporter.socket
	inside curl --silent http://127.0.0.1:9353/metrics >"$test/metrics"
	expect 'there are placeholders' has_text /opt/test/metrics 'localdns_service_status{status="unknown"} 0'
	printf 'localdns_service_status{status="running"} 1\n' >"$containers/localdns/resources.prom"
	inside curl --silent http://127.0.0.1:9353/metrics >"$test/metrics"
	expect 'metrics are served' has_text /opt/test/metrics 'localdns_service_status{status="running"} 1'
	expect 'nothing else is' test "$(inside curl --silent --output /dev/null --write-out '%{http_code}' http://127.0.0.1:9353/etc/passwd)" = 404
}

critical_names_are_at_hand() {
	local script=/opt/azure/containers/aks-localdns-hosts-setup.sh
	mkdir -p "$root/etc/localdns"
	printf 'LOCALDNS_CRITICAL_FQDNS=mcr.microsoft.com,packages.aks.azure.com,$(touch /opt/test/evaluated)\n' >"$root/etc/localdns/environment"
	printf '10.9.0.1\n' >"$root/etc/localdns/upstream-dns"
	start_machine
	expect 'names are resolved' call "$script"
	expect 'both are there' test "$(grep -cE '^10.9.0.1 (mcr.microsoft.com|packages.aks.azure.com)$' "$root/etc/localdns/hosts")" = 2
	expect 'the file is for all' mode_of /etc/localdns/hosts 644
	fault dns:mcr.microsoft.com unknown
	expect 'trouble is no failure' call "$script"
	expect 'what was known stays' has_line /etc/localdns/hosts '10.9.0.1 mcr.microsoft.com'
	expect 'nothing was evaluated' not test -e "$test/evaluated"
}

# The service of local DNS: what it refuses, with its codes, and a coredns that dies.
local_dns_ends_with_its_codes() {
	local service=$containers/localdns
	start_machine
	printf '#!/bin/bash\nexec /usr/sbin/ip "${@/#dummy/bridge}"\n' | put_program "$root/usr/local/sbin/ip"
	mkdir -p "$root/etc/localdns" "$service/binary"
	inside mkdir -p /run/systemd/resolve
	inside sh -c 'printf "nameserver 10.9.0.1\n" >/run/systemd/resolve/resolv.conf'
	: >"$root/etc/localdns/environment"
	ends() {
		code=0
		call NOTIFY_SOCKET=/run/systemd/notify timeout 120 /opt/azure/containers/localdns/localdns.sh || code=$?
		[ "$code" = "$1" ] || fail "local DNS ends with $code, not $1"
	}
	ends 217
	printf 'LOCALDNS_BASE64_ENCODED_COREFILE=%s\n' "$(base64_of '.:53 { forward . 168.63.129.16 }')" >"$root/etc/localdns/environment"
	ends 218
	printf '[Slice]\nMemoryMax=128M\n' >"$root/etc/systemd/system/localdns.slice"
	ends 219
	printf '#!/bin/sh\n[ "$1" = --version ] || exit 1\n' | put_program "$service/binary/coredns"
	ends 216
	expect 'the older corefile was taken' has_text /opt/azure/containers/localdns/localdns.corefile forward
	expect 'the network is as it was' test "$(rules_of raw NOTRACK)" = 0
	cp "$here/coredns.py" "$service/binary/coredns"
	expect 'the service starts' inside systemctl start localdns.service
	expect 'the servers of the network stand for the platforms' has_text /opt/azure/containers/localdns/updated.localdns.corefile 'forward . 10.9.0.1'
	inside pkill -KILL -f binary/coredns
	eventually 'it starts again' inside sh -c '[ "$(systemctl show --property=NRestarts --value localdns.service)" -ge 1 ] && systemctl is-active --quiet localdns.service'
	expect 'rules are there once' test "$(rules_of raw NOTRACK)" = 8

	# An empty hosts file selects the corefile with hosts; what it forwards to is in the metrics, with the names that
	# localdns_exporter.sh of https://github.com/Azure/AgentBaker serves.
	{
		printf 'SHOULD_ENABLE_HOSTS_PLUGIN=true\nLOCALDNS_COREFILE_WITH_HOSTS=%s\n' "$(base64_of '.:53 {
    bind 169.254.10.10
    hosts /etc/localdns/hosts
    forward . 168.63.129.16 {
        prefer_udp
    }
}
cluster.local:53 {
    bind 169.254.10.11
    forward . 10.0.0.10
}')"
	} >>"$root/etc/localdns/environment"
	: >"$root/etc/localdns/hosts"
	mkdir -p "$root/etc/systemd/system/localdns.service.d"
	printf '[Service]\nWatchdogSec=5\n' >"$root/etc/systemd/system/localdns.service.d/test.conf"
	inside systemctl daemon-reload
	inside systemctl restart localdns.service
	expect 'an empty hosts file is used' has_text /opt/azure/containers/localdns/localdns.corefile 'hosts /etc/localdns/hosts'
	expect 'the servers of the network are in the metrics' has_text /opt/azure/containers/localdns/forward_ips.prom 'localdns_vnetdns_forward_info{ip="10.9.0.1",block=".:53",status="ok"} 1'
	expect 'the servers of the cluster are in the metrics' has_text /opt/azure/containers/localdns/forward_ips.prom 'localdns_kubedns_forward_info{ip="10.0.0.10",block="cluster.local:53",status="ok"} 1'
	eventually 'the service is in the metrics' has_text /opt/azure/containers/localdns/resources.prom 'localdns_service_status{status="running"} 1'
	expect 'so is its memory' grep -q '^localdns_memory_usage_bytes [0-9]' "$service/resources.prom"

	# systemd is told that all is well only after a round of checks that succeeded.
	inside pkill -STOP -f binary/coredns
	eventually 'a server that hangs is restarted' inside sh -c 'journalctl --unit=localdns.service | grep -q "Watchdog timeout"'
	eventually 'it starts again' inside systemctl is-active --quiet localdns.service
}

logs_are_handed_over() {
	start_machine
	printf '<GoalState><Container><ContainerId>c</ContainerId><RoleInstanceList><RoleInstance><Configuration><ConfigName>d.0.x</ConfigName></Configuration></RoleInstance></RoleInstanceList></Container></GoalState>' >"$test/goal_state"
	mkdir -p "$root/var/lib/waagent/logcollector"
	echo zip >"$root/var/lib/waagent/logcollector/logs.zip"
	expect 'the bundle is sent' call /opt/azure/containers/provision_send_logs.py
	expect 'the host has it' grep -q 'PUT 168.63.129.16/vmAgentLog' "$test/requests.log"
}

secrets_are_taken_out_of_a_cloud_config() {
	start_machine
	cat >"$test/cloud_config" <<'YAML'
#cloud-config
password: canary-one
write_files:
  - path: /etc/kubernetes/sp.txt
    content: canary-two
  - path: /var/lib/kubelet/bootstrap-kubeconfig
    content: |
      users:
      - name: x
        user:
          token: "canary-three"
  - path: /opt/azure/containers/aks-node-controller-nbc-cmd.sh
    content: !!binary Y2FuYXJ5LWZvdXI=
  - path: /etc/motd
    content: good morning
YAML
	expect 'it is copied' call python3 /opt/azure/containers/provision_redact_cloud_config.py --cloud-config-path /opt/test/cloud_config --output-path /opt/test/said
	expect 'no secret is' not grep -qE 'canary|Y2FuYXJ5' "$test/said"
	expect 'the rest is' has_text /opt/test/said 'good morning'
	printf 'a: [b\ncanary' >"$test/cloud_config"
	expect 'what cannot be read is not copied' not call python3 /opt/azure/containers/provision_redact_cloud_config.py --cloud-config-path /opt/test/cloud_config --output-path /opt/test/said
}

## What images have for those who operate nodes

# The message of the last event of a task, which is JSON: TASK [FILTER].
message_of() {
	grep -l "\"TaskName\":\"$1\"" "$log/Microsoft.Azure.Extensions.CustomScript/events/"*.json 2>/dev/null | sort | tail -n 1 |
		xargs -r jq -r .Message | jq -e "${2:-.}"
}

events_of() {
	grep -l "\"TaskName\":\"$1\"" "$log/Microsoft.Azure.Extensions.CustomScript/events/"*.json 2>/dev/null | wc -l
}

what_kubelet_was_started_with_is_reported() {
	local script=/opt/azure/containers/emit-kubelet-active-flags.sh task=AKS.CSE.ensureKubelet.kubeletActiveFlags
	start_machine
	printf 'KUBELET_FLAGS=--max-pods=30 --v=2 --config=/etc/default/kubeletconfig.json --node-labels=a=b,c="d\\\\e"\nNETWORK_POLICY=none\n' >"$root/etc/default/kubelet"
	expect 'without a configuration file it is reported' call "$script"
	expect 'it is' message_of "$task" '.uses_config_file == false and .config_path == "" and .config_file == {} and .flag_count == 4 and .flags["max-pods"] == "30" and .flags["node-labels"] == "a=b,c=\"d\\e\""'
	expect 'a second start has nothing to say' call "$script"
	expect 'a second start has nothing to say' test "$(events_of "$task")" = 1
	printf '{"kind":"KubeletConfiguration","maxPods":30,"text":"\\"\\n"}\n' >"$root/etc/default/kubeletconfig.json"
	expect 'with another file it is reported again' call "$script"
	expect 'it is' message_of "$task" '.uses_config_file and .config_path == "/etc/default/kubeletconfig.json" and .config_file.maxPods == 30 and .config_file.text == "\"\n"'
	jq -n '{text: ("x" * 3000)}' >"$root/etc/default/kubeletconfig.json"
	expect 'a long file is left out' call "$script"
	expect 'a long file is left out' message_of "$task" '.config_file == "truncated:exceeded_size_cap" and .flag_count == 4'
}

groups_are_measured() {
	start_machine
	# The timers would add events at every fifth minute of the clock.
	inside systemctl stop cgroup-memory-telemetry.timer cgroup-pressure-telemetry.timer
	local version=cgroupv1
	[ "$(inside stat --file-system --format %T /sys/fs/cgroup)" != cgroup2fs ] || version=cgroupv2
	expect 'the memory is measured' call_once /opt/scripts/cgroup-memory-telemetry.sh
	expect 'it is' message_of "AKS.Runtime.memory_telemetry_$version" ".CgroupVersion == \"$version\" and (.Memory.cgroup_capacity_memory | tonumber) > 0 and ([.Memory[] | type] | unique) == [\"string\"]"
	expect 'the pressure is measured where the kernel does' call_once /opt/scripts/cgroup-pressure-telemetry.sh
	[ "$version" = cgroupv1 ] || expect 'it is' message_of AKS.Runtime.pressure_telemetry_cgroupv2 '.CgroupVersion == "cgroupv2"'
	# As https://docs.kernel.org/accounting/psi.html prints it.
	mkdir -p "$test/group/kubepods.slice"
	local resource
	for resource in cpu memory io; do
		printf 'some avg10=1.50 avg60=0.25 avg300=0.00 total=123456789\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=1234\n' |
			tee "$test/group/$resource.pressure" >"$test/group/kubepods.slice/$resource.pressure"
	done
	sed 's|^readonly root=.*|readonly root=/opt/test/group|; s|^\[ "$(stat .*||' "$root/opt/scripts/cgroup-pressure-telemetry.sh" >"$test/pressure.sh"
	rm -r "$log/Microsoft.Azure.Extensions.CustomScript/events"
	expect 'the pressure is read' call_once bash /opt/test/pressure.sh
	expect 'it is' message_of AKS.Runtime.pressure_telemetry_cgroupv2 '.Pressure.kubepods_slice_pressure.IOPressure | .some_avg10 == "1.50" and .some_total == "123456789" and .full_total == "1234"'
	expect 'the groups are in two events' test "$(events_of AKS.Runtime.pressure_telemetry_cgroupv2)" = 2
}

queues_of_the_system_disk_are_set() {
	start_machine
	expect 'a machine without disks has nothing to set' call /opt/azure/containers/disk_queue.sh
	# As findmnt and lsblk of util-linux print it for a virtual machine with one SCSI disk.
	stand_in findmnt 'echo /dev/sdq1'
	stand_in lsblk 'printf "sdq1 part\nsdq disk\n"'
	mkdir -p "$test/block/sdq/queue" "$test/block/sdq/device"
	echo 256 | tee "$test/block/sdq/queue/nr_requests" >"$test/block/sdq/device/queue_depth"
	sed 's|/sys/block|/opt/test/block|' "$root/opt/azure/containers/disk_queue.sh" >"$test/queue.sh"
	expect 'they are set' call bash /opt/test/queue.sh
	expect 'they are 128 and 64' test "$(cat "$test/block/sdq/queue/nr_requests" "$test/block/sdq/device/queue_depth")" = $'128\n64'
	rm "$test/block/sdq/device/queue_depth"
	expect 'a disk of NVMe has no depth' call bash /opt/test/queue.sh
	expect 'a disk of NVMe has no depth' not test -e "$test/block/sdq/device/queue_depth"
}

logs_are_collected_without_secrets() {
	local script=/opt/azure/containers/aks-log-collector.sh bundle=/var/lib/waagent/logcollector/logs.zip
	start_machine
	printf '<GoalState><Container><ContainerId>c</ContainerId><RoleInstanceList><RoleInstance><Configuration><ConfigName>d.0.x</ConfigName></Configuration></RoleInstance></RoleInstanceList></Container></GoalState>' >"$test/goal_state"
	mkdir -p "$root/var/log/azure/aks" "$root/etc/kubernetes/certs" "$root/var/lib/kubelet" "$root/var/log/pods/shop_a_1/c"
	echo a step >"$root/var/log/azure/cluster-provision.log"
	echo canary-one >"$root/etc/kubernetes/azure.json"
	echo canary-two >"$root/etc/kubernetes/certs/client.key"
	echo canary-three >"$root/var/lib/kubelet/bootstrap-kubeconfig"
	# As Calico writes it: https://docs.tigera.io/calico/latest/reference/configure-cni-plugins
	mkdir -p "$root/etc/cni/net.d"
	echo canary-four >"$root/etc/cni/net.d/calico-kubeconfig"
	ln -s /etc/kubernetes/azure.json "$root/var/log/azure/aks/innocent.json"
	echo a pod >"$root/var/log/pods/shop_a_1/c/0.log"
	echo chosen >"$root/etc/chosen"
	head -c 12000000 /dev/zero | tr '\0' x >"$root/var/log/syslog"
	echo the end >>"$root/var/log/syslog"
	set_tag aks-log-collector '{"files":["/etc/chosen","/etc/kubernetes/**"],"pod_log_namespaces":["shop"],"iptables":true}'
	expect 'they are collected and sent' call "$script"
	expect 'the host has the bundle' grep -q 'PUT 168.63.129.16/vmAgentLog' "$test/requests.log"
	expect 'only root reads it' test "$(stat -c %a "$root$bundle")" = 600
	mkdir "$test/unpacked"
	expect 'it is an archive' python3 -m zipfile -e "$root$bundle" "$test/unpacked"
	expect 'the log of the scripts is there' grep -q 'a step' "$test/unpacked/var/log/azure/cluster-provision.log"
	expect 'what the tag names is there' grep -q chosen "$test/unpacked/etc/chosen"
	expect 'logs of pods are there' grep -q 'a pod' "$test/unpacked/var/log/pods/shop_a_1/c/0.log"
	expect 'the rules of iptables are there' test -s "$test/unpacked/collect/iptables_-L_-vn_--line-numbers.txt"
	expect 'the rules of nftables are not' not test -e "$test/unpacked/collect/nft_-n_list_ruleset.txt"
	expect 'the end of a long log is there' test "$(tail -c 8 "$test/unpacked/var/log/syslog") $(stat -c %s "$test/unpacked/var/log/syslog")" = 'the end 10485760'
	expect 'no secret is' not grep -rq canary "$test/unpacked"
	rm "$root$bundle"
	make_metadata
	set_tag aks-log-collector '{"disable":true}'
	expect 'the tag switches it off' call "$script"
	expect 'the tag switches it off' not test -e "$root$bundle"
	make_metadata
	set_tag aks-log-collector 'no JSON'
	expect 'a tag that is no JSON has no options' call "$script"
	expect 'a tag that is no JSON has no options' test -s "$root$bundle"
}

# What the API server knows of the node: ANNOTATION=VALUE...
node_has() {
	jq -n '{metadata: {name: "node-test", annotations: ($ARGS.positional | map(split("=") | {("kubernetes.azure.com/live-patching-" + .[0]): .[1]}) | add)}}' --args "$@" >"$test/node.json"
}

packages_are_patched_on_ubuntu() {
	local script=/opt/azure/containers/ubuntu-snapshot-update.sh directory=/var/lib/security-patch
	start_machine
	mkdir -p "$root/var/lib/kubelet"
	printf x >"$root/var/lib/kubelet/kubeconfig"
	stand_in kubectl '[ "$1" != get ] || cat /opt/test/node.json'
	stand_in unattended-upgrade
	node_has unrelated=1
	expect 'without a wish nothing is done' call "$script"
	node_has golden-timestamp=20250623T000000Z current-timestamp=20250623T000000Z
	expect 'what is wanted is there already' call "$script"
	expect 'nothing was done' not was_called unattended-upgrade
	node_has 'golden-timestamp=x /etc/shadow'
	expect 'a wish that is no time is refused' not call "$script"
	expect 'nothing was written' not is_there "$directory/sources.list"
	node_has golden-timestamp=20250623T000000Z repo-service=10.9.0.1
	expect 'a server without packages is a failure' not call "$script"
	expect 'apt asked the server of the cluster' grep -q 'GET 10.9.0.1/ubuntu/dists/' "$test/requests.log"
	expect 'apt reads only these sources' test "$(inside env APT_CONFIG=$directory/apt.conf apt-config dump Dir::Etc::sourcelist)" = "Dir::Etc::sourcelist \"$directory/sources.list\";"
	expect 'nothing was recorded' not was_called 'kubectl annotate'
	stand_in apt-get
	expect 'packages are upgraded' call "$script"
	expect 'they are' was_called 'unattended-upgrade --verbose'
	expect 'the node says so' was_called 'kubectl annotate --overwrite node .* kubernetes.azure.com/live-patching-current-timestamp=20250623T000000Z'
	node_has golden-timestamp=20250623T000000Z repo-service=8.8.8.8
	expect 'a server of the internet is ignored' call "$script"
	expect 'it is the archive of that day' has_text "$directory/sources.list" 'deb https://snapshot.ubuntu.com/ubuntu/20250623T000000Z bookworm-security main'
}

packages_are_patched_on_azure_linux() {
	local script=/opt/test/image/opt/azure/containers/mariner-package-update.sh file=/etc/yum.repos.d/azurelinux-official-base.repo
	start_machine
	mkdir "$test/image"
	"$program" bake --root "$test/image" --os azurelinux >/dev/null 2>&1
	printf 'NAME="Microsoft Azure Linux"\nID=azurelinux\nVERSION_ID="3.0"\n' >"$root/etc/os-release"
	mkdir -p "$root/var/lib/kubelet"
	printf x >"$root/var/lib/kubelet/kubeconfig"
	mkdir -p "$root/etc/yum.repos.d"
	# As the package azurelinux-repos has it.
	printf '[azurelinux-official-base]\nname=Azure Linux Official Base $releasever $basearch\nbaseurl=https://packages.microsoft.com/azurelinux/$releasever/prod/base/$basearch\ngpgcheck=1\n' >"$root$file"
	cp "$root$file" "$test/repository"
	stand_in kubectl '[ "$1" != get ] || cat /opt/test/node.json'
	stand_in tdnf
	node_has golden-timestamp=20250623T000000Z repo-service=10.224.0.5
	expect 'packages are upgraded' call "$script"
	expect 'to the state of that day' was_called 'tdnf --snapshottime 1750636800 update .*--repo=azurelinux-official-base'
	expect 'from the server of the cluster' has_text "$file" 'baseurl=http://10.224.0.5/azurelinux/$releasever/prod/base/$basearch'
	node_has golden-timestamp=20250624T000000Z repo-service=10.224.0.6
	expect 'another server' call "$script"
	expect 'takes its place' has_text "$file" 'baseurl=http://10.224.0.6/azurelinux/'
	node_has golden-timestamp=20250625T000000Z
	expect 'without a server' call "$script"
	expect 'the file is as it was' cmp -s "$test/repository" "$root$file"
	printf '#!/bin/sh\necho Kubernetes v1.33.1\n' | put_program "$root/opt/bin/kubelet"
	node_has golden-timestamp=20250626T000000Z kubelet-version=1.34.0
	expect 'kubelet keeps its minor version' not call "$script"
	node_has golden-timestamp=20250626T000000Z 'kubelet-version=1.33.4 /etc/shadow'
	expect 'what is no version is refused' not call "$script"
	expect 'it was not asked for' not was_called 'tdnf install'
	node_has golden-timestamp=20250626T000000Z kubelet-version=1.33.0
	expect 'an older kubelet is not installed' call "$script"
	expect 'an older kubelet is not installed' not was_called 'tdnf install'
	node_has golden-timestamp=20250626T000000Z kubelet-version=1.33.4
	expect 'a package that is not there is a failure' not call "$script"
	expect 'it was asked for' was_called 'tdnf install --repo=azurelinux-official-cloud-native .*kubelet-1.33.4'
}

kubelets_directory_is_on_nvme_disks() {
	start_machine
	inside mkdir -p /dev/disk/azure/local/by-index
	local disk
	for disk in 1 2; do inside ln -s "/dev/nvme${disk}n1" "/dev/disk/azure/local/by-index/$disk"; done
	# The array is a directory here.
	stand_in mdadm '[ "$1" != --create ] || : >/dev/md0; [ "$1" != --assemble ] || : >/dev/md0; [ "$1" != --detail ] || echo "ARRAY /dev/md0"'
	stand_in mkfs.ext4
	mkdir -p "$test/array" "$root/etc/mdadm" "$root/var/lib/kubelet"
	stand_in mount 'if [ "$1" = /dev/md0 ]; then exec /bin/mount --bind /opt/test/array "$2"; else exec /bin/mount "$@"; fi'
	echo content >"$root/var/lib/kubelet/file"
	expect 'the disks are joined' call /opt/azure/containers/format-mount-nvme-root.sh
	expect 'both of them' was_called 'mdadm --create .*--raid-devices=2 /dev/md0 /dev/disk/azure/local/by-index/1 /dev/disk/azure/local/by-index/2'
	expect 'the content has moved' test "$(cat "$test/array/kubelet/file")" = content
	expect 'it is in its place' test "$(inside cat /var/lib/kubelet/file)" = content
	inside umount /var/lib/kubelet /mnt/aks
	inside rm /dev/md0
	: >"$test/calls"
	expect 'at the next boot' call /opt/azure/containers/format-mount-nvme-root.sh
	expect 'nothing is formatted' not was_called mkfs.ext4
	expect 'the content is in its place' test "$(inside cat /var/lib/kubelet/file)" = content
}
