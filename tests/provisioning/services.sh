#!/usr/bin/env bash
# The smaller scripts that units and routes call, each for real.
# Sourced by machine.sh, which calls one of these functions.
# shellcheck disable=SC2154,SC2016,SC2034 # machine.sh has the names; what is quoted is for the machine

# Runs one of the image's programs inside, with variables before it.
call() {
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
	expect 'a name stays in its folder' is_there /usr/local/share/ca-certificates/evil.crt
	expect 'the certificates are taken' is_there /usr/local/share/ca-certificates/root.crt
	expect 'they are renewed' has_text /opt/test/crontab '0 19 * * *'
	expect 'the clock is the hosts' has_text /etc/chrony/chrony.conf ptp_hyperv
	jq -n --rawfile pem "$test/authority.pem" '{Certificates: [{Name: "older.crt", CertBody: $pem}]}' >"$test/all"
	expect 'the older interface works too' call LOCATION=ussecwest "$script" ca-refresh
	expect 'the older interface works too' inside openssl x509 -noout -in /usr/local/share/ca-certificates/older.crt
	fault 168.63.129.16/acms 500
	expect 'a silent wire server is a failure' not call LOCATION=westeurope "$script"
	expect 'the failure has its event' grep -lq '"EventLevel":"Error"' "$log/Microsoft.Azure.Extensions.CustomScript/events/"*.json
}

packages_come_from_a_depot() {
	start_machine
	stand_in chronyd
	printf 'key' >"$test/files/microsoft.asc"
	printf '{"IsOptedInForRootCerts":true}' >"$test/opted"
	jq -n '{OperationRequests: [{ResouceFileName: "root.crt"}]}' >"$test/list"
	expect 'the depot is taken' call LOCATION=westeurope REPO_DEPOT_ENDPOINT=https://packages.aks.azure.com/depot /opt/azure/containers/init-aks-cloud.sh
	expect 'the sources name it' has_text /etc/apt/sources.list 'https://packages.aks.azure.com/depot/ubuntu'
	expect 'the earlier ones are kept' test -n "$(ls "$root/etc/apt/backup")"
	expect 'hostile text is a failure' not call LOCATION=westeurope 'REPO_DEPOT_ENDPOINT=https://x y' /opt/azure/containers/init-aks-cloud.sh
}

# The gate of the classic command, for each answer of cloud-init: its CODE and ours.
cloud_init_is_waited_for() {
	local answer
	start_machine
	for answer in 0:0 2:0 1:223; do
		stand_in cloud-init "exit ${answer%:*}"
		code=0
		call bash -c '. /opt/azure/containers/cloud-init-status-check.sh; handleCloudInitStatus /opt/test/output' || code=$?
		[ "$code" = "${answer#*:}" ] || fail "cloud-init ends with ${answer%:*}, the gate with $code"
	done
	expect 'each has its event' test "$(jq -r .TaskName "$log/Microsoft.Azure.Extensions.CustomScript/events/"*.json | grep -c CloudInitStatusCheck)" = 3
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
	jq '.network.interface[0].ipv6.ipAddress = [{privateIpAddress: "fd00::1"}]' "$test/metadata.json" >"$test/new"
	mv "$test/new" "$test/metadata.json"
	expect 'rules are made' call /opt/scripts/ipv6_nftables.sh
	expect 'a second call changes nothing' call /opt/scripts/ipv6_nftables.sh
	expect 'there is one table' test "$(inside nft list ruleset | grep -c 'saddr set 2603:1062')" = 1
}

metrics_are_served() {
	start_machine
	printf 'localdns_limit{name="x"} 1\n' >"$containers/localdns/resources.prom"
	inside systemctl start localdns-exporter.socket
	expect 'metrics are served' test "$(inside curl --silent http://127.0.0.1:9353/metrics)" = 'localdns_limit{name="x"} 1'
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
	printf '#!/bin/bash\nexec /usr/sbin/ip "${@/#dummy/bridge}"\n' >"$root/usr/local/sbin/ip"
	chmod 0755 "$root/usr/local/sbin/ip"
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
	printf '#!/bin/sh\n[ "$1" = --version ] || exit 1\n' >"$service/binary/coredns"
	chmod 0755 "$service/binary/coredns"
	ends 216
	expect 'the older corefile was taken' has_text /opt/azure/containers/localdns/localdns.corefile forward
	expect 'the network is as it was' test "$(rules_of raw NOTRACK)" = 0
	cp "$here/coredns.py" "$service/binary/coredns"
	expect 'the service starts' inside systemctl start localdns.service
	expect 'the servers of the network stand for the platforms' has_text /opt/azure/containers/localdns/updated.localdns.corefile 'forward . 10.9.0.1'
	inside pkill -KILL -f binary/coredns
	eventually 'it starts again' inside sh -c '[ "$(systemctl show --property=NRestarts --value localdns.service)" -ge 1 ] && systemctl is-active --quiet localdns.service'
	expect 'rules are there once' test "$(rules_of raw NOTRACK)" = 8
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
	expect 'it is printed' call /opt/azure/containers/provision_redact_cloud_config.py /opt/test/cloud_config
	expect 'no secret is' not grep -qE 'canary|Y2FuYXJ5' "$test/said"
	expect 'the rest is' has_text /opt/test/said 'good morning'
	printf 'a: [b\ncanary' >"$test/cloud_config"
	expect 'what cannot be read is not printed' not call /opt/azure/containers/provision_redact_cloud_config.py /opt/test/cloud_config
}
