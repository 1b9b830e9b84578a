#!/usr/bin/env bash
# Runs that end well. Sourced by machine.sh, which calls one of these functions.
# shellcheck disable=SC2154,SC2016,SC2034 # machine.sh has the names; what is quoted is for the machine

run_well() {
	variables "$@"
	run_scripts
	[ "$code" = 0 ] || fail "the scripts end with $code"
	expect 'the result says so' said 0
	expect 'a marker says that it is all' is_complete
	expect 'stdout is the result' cmp -s "$test/stdout" "$log/aks/provision.json"
	eventually 'kubelet is ready' kubelet_is_ready
}

# Names of the events in their order, without what they all begin with.
events() {
	jq -r '.TaskName | ltrimstr("AKS.CSE.")' "$log/Microsoft.Azure.Extensions.CustomScript/events/"*.json
}

events_are_whole() {
	jq -es 'all(keys == ["EventLevel", "EventPid", "EventTid", "Message", "OperationId", "TaskName", "Timestamp", "Version"]
		and .EventLevel != "Error" and (.Timestamp | test("^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8}[.][0-9]{3}$")))' \
		"$log/Microsoft.Azure.Extensions.CustomScript/events/"*.json >/dev/null
}

readonly plain_events='start.containerd
start.kubelet
checkBaseInputs
makeServingCertificate
configureAdminUser
resolvePackagesSourceURL
fetchMetadata
fetch_and_cache_imds_instance_metadata
installSecureTLSBootstrapClient
removeManDbAutoUpdateFlagFile
setCPUArch
setPackagesBaseURL
checkInstallMode
cleanUpContainerImages
setupCNIDirs
installNetworkPlugin
installAzureCNI.downloadAzureCNI
logDownloadURL
configureKubeletAndKubectl
configureKubeletAndKubectl.installKubeletKubectlFromURL
installKubeletKubectlFromURL.extractKubeBinaries
logDownloadURL
prepareKubeletDirectories
configureCNI
ensureContainerd
configureKubenetTemplate
configureKubeletContainerdFlags
ensureSysctl
mitigateModules
wakeManDb
checkNodeInputs
configureAzureJson
ensureKubeCACert
configureKubeletServing
configureK8s
checkOutbound
ensureAzureNetworkConfig
checkApiServer
apiserverNslookup
apiserverCurl
configureKubelet
provideCredentialProvider
checkContainerd
ensureKubelet
ensureKubelet.setKubeletNodeIPFlag
ensureKubelet.getPrimaryNicIP
ensureKubelet.configCredentialProvider
ensureKubelet.installCredentialProviderFromPkg
ensureKubelet.installCredentialProviderFromUrl
installCredentialProviderFromUrl.downloadCredentialProvider
logDownloadURL
configureNodeExporter
cleanUpGPUDrivers
checkKubelet
startLogCollector
cse_start'

# The lines of a tree without the pair that each run makes anew.
without_the_serving_key() {
	grep -v '/kubeletserver\.' "$1"
}

a_node_is_made() {
	start_machine
	watch_arguments &
	# What cloud-init was given has secrets too.
	jq -n --arg content "token: $token" --arg document "$(base64 -w 0 <<<"$token")" '{write_files: [
		{path: "/var/lib/kubelet/bootstrap-kubeconfig", content: $content},
		{path: "/opt/azure/containers/aks-node-controller-config.json", encoding: "b64", content: $document}]}' \
		>"$root/var/lib/cloud/instance/cloud-config.txt"
	chmod 0600 "$root/var/lib/cloud/instance/cloud-config.txt"
	touch "$test/before"
	run_well
	expect 'each step has its event, and no other has' diff <(events | grep -vE '^(start\.|AKS\.Runtime|ensureKubelet\.kubeletActiveFlags)' | LC_ALL=C sort) <(grep -v '^start\.' <<<"$plain_events" | LC_ALL=C sort)
	expect 'events are as the guest agent wants them' events_are_whole
	expect 'secrets are for root' mode_of /etc/kubernetes/azure.json 600
	expect 'secrets are for root' mode_of /var/lib/kubelet/bootstrap-kubeconfig 600
	expect 'secrets are for root' mode_of /etc/default/kubelet 600
	expect 'secrets are for root' mode_of /var/log/azure/cluster-provision.log 600
	expect 'secrets are for root' mode_of /var/log/azure/aks/provision.json 600
	expect 'programs can be called' mode_of /opt/bin/kubelet 755
	expect 'azure.json has the secret' test "$(jq -r .aadClientSecret "$root/etc/kubernetes/azure.json")" = "$principal"
	expect 'forwarding is on' test "$(inside cat /proc/sys/net/ipv4/ip_forward)" = 1
	expect 'settings are taken' test "$(inside cat /proc/sys/net/core/somaxconn)" = 16384
	expect 'the plugin is configured' mode_of /etc/cni/net.d/10-azure.conflist 600
	expect 'containerd forwards' grep -q 'FORWARD ACCEPT' <(inside iptables -S FORWARD -P FORWARD 2>/dev/null || inside iptables-save | sed 's/^:FORWARD ACCEPT.*/FORWARD ACCEPT/')
	expect 'pods are kept from the wire server' inside iptables -C FORWARD -d 168.63.129.16/32 -p tcp -m tcp --dport 32526 -j DROP
	expect 'the cloud-config is copied without secrets' has_text /var/log/azure/aks/cloud-config.txt '[redacted]'
	expect 'kubelet has its address' test "$(jq -r '."node-ip"' "$root/var/lib/kubelet/accepted.json")" = 10.9.0.1
	no_secret_is_seen
	made_files >"$test/files_made"
	expect 'the run has made files' test "$(wc -l <"$test/files_made")" -gt 25
	tree <"$test/files_made" >"$test/first"
	expect 'each file has the mode and owner that is written down' diff "$here/../../testdata/provisioning/plain-node.txt" <(cut -d ' ' -f 1-3 "$test/first")

	# Whoever asks again is told the same, and nothing happens.
	run_scripts
	[ "$code" = 0 ] || fail "the second call ends with $code"
	expect 'the result is the first one' cmp -s "$test/stdout" "$log/aks/provision.json"
	expect 'no step ran' test "$(events | grep -c '^configureK8s$')" = 1

	# A run over what is there changes nothing.
	rm "$containers/provision.complete" "$root/var/lib/kubelet/accepted.json"
	run_well
	expect 'the second run downloads nothing' test "$(grep -c 'GET packages.aks.azure.com/kubernetes.*gz$' "$test/requests.log")" = 1
	tree <"$test/files_made" >"$test/second"
	expect 'files are the same after the second run' diff <(without_the_serving_key "$test/first") <(without_the_serving_key "$test/second")
}

# Without a prepared image, the kernel has its own defaults.
kernel_settings_are_made() {
	printf '0\n' >"$disk/own/settings/vm/overcommit_memory"
	printf '0\n' >"$disk/own/settings/kernel/panic"
	printf '0\n' >"$disk/own/settings/kernel/panic_on_oops"
	start_machine
	run_well 'KUBELET_FLAGS=--client-ca-file=/etc/kubernetes/certs/ca.crt --protect-kernel-defaults=true'
	expect 'kubelet has the settings' test "$(inside cat /proc/sys/vm/overcommit_memory /proc/sys/kernel/panic /proc/sys/kernel/panic_on_oops | tr '\n' ' ')" = '1 10 1 '
	expect 'they come back' has_line /etc/sysctl.d/999-sysctl-kubelet.conf kernel.panic=10
	# The configuration file says the same.
	inside sh -c 'echo 0 >/proc/sys/vm/overcommit_memory'
	rm "$containers/provision.complete"
	run_well KUBELET_CONFIG_FILE_ENABLED=true "KUBELET_CONFIG_FILE_CONTENT=$(base64_of '{"kind": "KubeletConfiguration", "apiVersion": "kubelet.config.k8s.io/v1beta1", "protectKernelDefaults": true}')" \
		KUBELET_FLAGS=--client-ca-file=/etc/kubernetes/certs/ca.crt
	expect 'kubelet has the settings' test "$(inside cat /proc/sys/vm/overcommit_memory)" = 1
}

## The ways that lead to the scripts

by_the_controller() {
	start_machine
	variables
	cp "$test/configuration.json" "$containers/.incoming"
	chmod 0600 "$containers/.incoming"
	# What the controller computes is for this kernel as it is.
	stand_in sysctl
	inside /opt/azure/containers/aks-node-controller provision-wait --timeout 300s >"$test/waited" 2>"$test/stderr" &
	local waiter=$!
	mv "$containers/.incoming" "$containers/aks-node-controller-config.json"
	eventually 'a marker says that it is all' is_complete
	wait "$waiter" || fail 'the waiter does not end well'
	expect 'the result says so' said 0
	expect 'the waiter prints the result' test "$(jq -r .ExitCode "$test/waited")" = 0
	eventually 'kubelet is ready' kubelet_is_ready
	no_secret_is_seen
	run_the_unit
}

# Runs the unit of the controller, over what an earlier run has made.
run_the_unit() {
	last_run=run_the_unit code=0
	rm -f "$containers/provision.complete"
	inside systemctl restart aks-node-controller.service || code=$?
	eventually 'a marker says that it is all' is_complete
}

by_karpenters_script() {
	start_machine
	variables
	stand_in sysctl
	"$program" generate --config "$test/configuration.json" --route node-bootstrap-variables --containerd-version 1.6.20 --format json 2>/dev/null |
		jq -r .customData | base64 -d >"$test/custom_data"
	gunzip -c "$test/custom_data" >"$test/script" 2>/dev/null || cp "$test/custom_data" "$test/script"
	chmod 0700 "$test/script"
	run_karpenters_script
	expect 'the script ends well' test "$code" = 0
	expect 'the result says so' said 0
	eventually 'kubelet is ready' kubelet_is_ready
	no_secret_is_seen
}

run_karpenters_script() {
	last_run=run_karpenters_script code=0
	inside env -i PATH=/opt/bin:/usr/sbin:/usr/bin:/sbin:/bin HOSTNAME=node-test /bin/bash /opt/test/script >"$test/stdout" 2>&1 </dev/null || code=$?
}

# Writes the files of CustomData as a first boot does, and runs the CSE command.
classic_route() {
	stand_in sysctl
	"$program" generate --config "$test/configuration.json" --route scripted --containerd-version 1.6.20 --format json 2>/dev/null >"$test/generated"
	jq -r .customData "$test/generated" | base64 -d | gunzip -c >"$test/cloud_config"
	inside /usr/bin/python3 - /opt/test/cloud_config <<'PYTHON'
import sys, yaml
from cloudinit.config import cc_write_files
with open(sys.argv[1], encoding="utf-8") as config:
    cc_write_files.write_files("test", yaml.safe_load(config)["write_files"], "root:root")
PYTHON
	jq -r .cse "$test/generated" >"$test/cse"
	chmod 0700 "$test/cse" "$test/generated"
	run_classic_command
	[ "$code" = 0 ] || fail "the command does not end well: $(tail -n 3 "$test/stdout")"
	expect 'the result says so' said 0
	eventually 'kubelet is ready' kubelet_is_ready
}

run_classic_command() {
	last_run=run_classic_command code=0
	inside env -i PATH=/opt/bin:/usr/sbin:/usr/bin:/sbin:/bin HOSTNAME=node-test /bin/bash -c '. /opt/test/cse' >"$test/stdout" 2>&1 </dev/null || code=$?
}

by_the_classic_command() {
	local file
	start_machine
	variables
	rm "$containers"/provision*.sh "$root/etc/systemd/system/kubelet.service"
	classic_route
	for file in provision.sh provision_start.sh provision_source_distro.sh; do
		expect "CustomData brings $file" mode_of "/opt/azure/containers/$file" 744
	done
	expect 'cloud-init was asked' was_called 'cloud-init status'
	no_secret_is_seen
}

# A machine that has nothing of an image: steps need units that only images have otherwise.
by_the_classic_command_without_an_image() {
	local unit
	rm -r "$root/opt/azure/vhd-install.complete" "$containers"
	mkdir "$containers"
	for unit in "$root/etc/systemd/system/"*; do
		[ -L "$unit" ] || rm -rf "$unit"
	done
	make_repository "${debian_packages[@]}"
	stand_in apt-get 'case $* in *install*) ;; *) exec /usr/bin/apt-get "$@" ;; esac'
	start_machine
	variables
	jq '.is_vhd = false | .ipv6_dual_stack_enabled = true | .network_config.network_plugin = "NETWORK_PLUGIN_KUBENET"' "$test/configuration.json" >"$test/new"
	mv "$test/new" "$test/configuration.json"
	classic_route
	expect 'the step has its unit' inside systemctl is-enabled --quiet ensure-no-dup.service dhcpv6.service
	expect 'pods are kept from the wire server' inside iptables -C FORWARD -d 168.63.129.16/32 -p tcp -m tcp --dport 32526 -j DROP
}

an_image_stage_and_its_node() {
	start_machine
	variables PRE_PROVISION_ONLY=true
	run_scripts
	[ "$code" = 0 ] || fail "the stage ends with $code"
	expect 'the stage is marked' test -e "$containers/base_prep.complete"
	expect 'no node is marked' not is_complete
	expect 'nothing of the cluster is there' not is_there /etc/kubernetes/azure.json
	expect 'nothing of the cluster is there' not is_there /etc/kubernetes/certs/ca.crt
	expect 'nothing of the cluster is there' not is_there /etc/default/kubelet
	# The image was made from a machine that was a node.
	mkdir -p "$root/etc/kubernetes/certs"
	cp "$test/server.key" "$root/etc/kubernetes/certs/kubeletserver.key"
	cp "$test/server.crt" "$root/etc/kubernetes/certs/kubeletserver.crt"
	run_well
	expect 'nodes of an image do not share a key' not cmp -s "$test/server.key" "$root/etc/kubernetes/certs/kubeletserver.key"
	expect 'the key is for root' mode_of /etc/kubernetes/certs/kubeletserver.key 600
	expect 'the stage ran once' test "$(events | grep -c '^configureCNI$')" = 1
}

# A swap file takes its room from the disk, and a run may end before it is in use.
swap_fills_the_disk() {
	stand_in swapon 'case $* in --show*) cat /opt/test/swaps 2>/dev/null ;; *) printf "%s\n" "$1" >/opt/test/swaps ;; esac'
	cp "$root/opt/bin/swapon" "$root/usr/local/sbin/swapon"
	stand_in mkswap
	stand_in df 'printf "Avail\n%s\n" "$((3000 - $(stat -c %s /swapfile 2>/dev/null || echo 0) / 1024))"'
	start_machine
	run_well SHOULD_CONFIG_SWAP_FILE=true SWAP_FILE_SIZE_MB=2
	rm "$containers/provision.complete"
	run_well SHOULD_CONFIG_SWAP_FILE=true SWAP_FILE_SIZE_MB=2
	rm "$containers/provision.complete" "$test/swaps"
	: >"$root/etc/fstab"
	run_well SHOULD_CONFIG_SWAP_FILE=true SWAP_FILE_SIZE_MB=2
	expect 'the file is in use' has_line /opt/test/swaps /swapfile
	expect 'swap comes back' has_text /etc/fstab '/swapfile none swap sw,noauto,nofail 0 0'
}

## Every option that needs no hardware

everything_is_on() {
	local hosts='*' pem
	start_machine
	watch_arguments &
	pem=$(base64 -w 0 <"$test/authority.pem")
	printf 'Match User nobody\n\tPubkeyAuthentication yes\n' >>"$root/etc/ssh/sshd_config"
	rm -f "$root/etc/systemd/system/ssh.service" "$root/etc/systemd/system/sshd.service"
	local settings
	settings=$(jq -n '{kind: "KubeletConfiguration", apiVersion: "kubelet.config.k8s.io/v1beta1", authentication: {x509: {clientCAFile: "/etc/kubernetes/certs/ca.crt"}}, tlsCertFile: "/etc/kubernetes/certs/kubeletserver.crt", tlsPrivateKeyFile: "/etc/kubernetes/certs/kubeletserver.key", kubeReservedCgroup: "/kubereserved.slice", systemReservedCgroup: "system.slice"}' | base64 -w 0)
	mkdir -p "$containers/localdns/binary"
	cp "$here/coredns.py" "$containers/localdns/binary/coredns"
	chmod 0755 "$containers/localdns/binary/coredns"
	# This kernel makes no dummy interfaces; a bridge is as good.
	printf '#!/bin/bash\nexec /usr/sbin/ip "${@/#dummy/bridge}"\n' | put_program "$root/usr/local/sbin/ip"
	stand_in swapon 'case $* in --show*) cat /opt/test/swaps 2>/dev/null ;; *) printf "%s\n" "$1" >/opt/test/swaps ;; esac'
	cp "$root/opt/bin/swapon" "$root/usr/local/sbin/swapon"
	stand_in mkswap
	inside mkdir -p /run/systemd/resolve
	inside sh -c 'printf "nameserver 10.9.0.1\n" >/run/systemd/resolve/resolv.conf'
	run_well SHOULD_CONFIGURE_HTTP_PROXY=true "HTTP_PROXY_URLS=http://user:$proxy_password@10.9.0.1:80/" "HTTPS_PROXY_URLS=http://user:$proxy_password@10.9.0.1:80/" "NO_PROXY_URLS=$hosts" \
		SHOULD_CONFIGURE_HTTP_PROXY_CA=true "HTTP_PROXY_TRUSTED_CA=$pem" \
		SHOULD_CONFIGURE_CUSTOM_CA_TRUST=true CUSTOM_CA_TRUST_COUNT=2 "CUSTOM_CA_CERT_0=$pem" "CUSTOM_CA_CERT_1=" \
		DISABLE_PUBKEY_AUTH=true ADMINUSER=root "MESSAGE_OF_THE_DAY=$(base64_of 'hello 100% $(touch /opt/test/evaluated)')" \
		KUBELET_CONFIG_FILE_ENABLED=true "KUBELET_CONFIG_FILE_CONTENT=$settings" ENABLE_KUBELET_SERVING_CERTIFICATE_ROTATION=true \
		SHOULD_CONFIG_CONTAINERD_ULIMITS=true 'CONTAINERD_ULIMITS=[Service] LimitMEMLOCK=infinity LimitNOFILE=1024 ' \
		SHOULD_CONFIG_SWAP_FILE=true SWAP_FILE_SIZE_MB=2 SHOULD_CONFIG_TRANSPARENT_HUGE_PAGE=true THP_ENABLED=madvise THP_DEFRAG=madvise \
		ENABLE_IMDS_RESTRICTION=true INSERT_IMDS_RESTRICTION_RULE_TO_MANGLE_TABLE=true ENABLE_HOSTS_CONFIG_AGENT=true \
		SHOULD_ENABLE_LOCALDNS=true SHOULD_ENABLE_HOSTS_PLUGIN=true LOCALDNS_CRITICAL_FQDNS=mcr.microsoft.com,packages.aks.azure.com LOCALDNS_HOSTS_PLUGIN_REFRESH_INTERVAL_IN_SECONDS=7 \
		"LOCALDNS_COREFILE_BASE=$(base64_of '.:53 { forward . 168.63.129.16 }')" "LOCALDNS_COREFILE_WITH_HOSTS=$(base64_of '.:53 { hosts /etc/localdns/hosts forward . 168.63.129.16 }')" \
		NEEDS_CGROUPV2=true NETWORK_POLICY=calico "CUSTOM_SEARCH_REALM_PASSWORD=$realm" \
		'KUBELET_FLAGS=--client-ca-file=/etc/kubernetes/certs/ca.crt --tls-cert-file=/etc/kubernetes/certs/kubeletserver.crt --tls-private-key-file=/etc/kubernetes/certs/kubeletserver.key --image-credential-provider-config=/var/lib/kubelet/credential-provider-config.yaml --image-credential-provider-bin-dir=/var/lib/kubelet/credential-provider' \
		"KUBELET_NODE_LABELS=agentpool=a,xkubernetes.azure.com/kubelet-serving-ca=b"
	expect 'the proxy is a secret' mode_of /etc/environment 600
	expect 'the proxy is a secret' mode_of /etc/systemd/system.conf.d/proxy.conf 600
	expect 'the proxy is a secret' mode_of /etc/apt/apt.conf.d/95proxy 600
	expect 'the proxy is there once' test "$(grep -c '^HTTP_PROXY=' "$root/etc/environment")" = 1
	expect 'the trust store has the proxy CA' is_there /usr/local/share/ca-certificates/proxyCA.crt
	expect 'the trust store has the custom CA' is_there /usr/local/share/ca-certificates/certs/aks-custom-00000000000000cert0.crt
	expect 'keys are no longer taken' grep -qx 'PubkeyAuthentication no' <(sed '/^Match/,$d' "$root/etc/ssh/sshd_config")
	expect 'sshd takes the configuration' inside sshd -t
	expect 'the message is as it was given' has_text /etc/motd 'hello 100% $(touch /opt/test/evaluated)'
	expect 'nothing was evaluated' not test -e "$test/evaluated"
	expect 'the serving certificate is left to kubelet' test "$(jq -r 'has("tls-cert-file")' "$root/var/lib/kubelet/accepted.json")" = false
	expect 'labels are whole' test "$(jq -r '."node-labels"' "$root/var/lib/kubelet/accepted.json")" = \
		'agentpool=a,xkubernetes.azure.com/kubelet-serving-ca=b,kubernetes.azure.com/kubelet-serving-ca=cluster,kubernetes.azure.com/localdns-exporter=enabled'
	expect 'limits are merged' test "$(inside systemctl show --property=LimitMEMLOCK --value containerd)" = infinity
	expect 'containerd is in its slice' test "$(inside systemctl show --property=Slice --value containerd)" = kubereserved.slice
	expect 'huge pages are on request' grep -q '\[madvise\]' <(inside cat /sys/kernel/mm/transparent_hugepage/enabled)
	expect 'swap comes back' has_text /etc/fstab '/swapfile none swap sw,noauto,nofail 0 0'
	expect 'swap is for root' mode_of /swapfile 600
	expect 'pods are kept from the metadata service' inside iptables -t mangle -C FORWARD ! -s 10.9.0.1/32 -d 169.254.169.254/32 -p tcp -m tcp --dport 80 -m comment --comment 'aks: the metadata service is for the node only' -j DROP
	expect 'the conflist is transparent' has_text /etc/cni/net.d/10-azure.conflist '"mode":"transparent"'
	expect 'the refresh is as given' has_line /etc/systemd/system/aks-localdns-hosts-setup.timer.d/10-refresh-interval.conf OnUnitActiveSec=7s
	expect 'local DNS runs' inside systemctl is-active --quiet localdns.service
	expect 'conntrack is passed by' test "$(inside iptables-save -t raw | grep -c NOTRACK)" = 8
	expect 'the private host has its unit' has_text /etc/systemd/system/reconcile-private-hosts.service.d/10-fqdn.conf "KUBE_API_SERVER_NAME=$api_server"
	no_secret_is_seen
	inside systemctl stop localdns.service
	expect 'local DNS takes its rules back' test "$(inside iptables-save -t raw | grep -c NOTRACK)" = 0
	expect 'local DNS takes its interface back' not inside /usr/sbin/ip link show localdns
	# The same again: nothing twice.
	rm "$containers/provision.complete"
	run_scripts
	[ "$code" = 0 ] || fail "the second run ends with $code"
	expect 'the proxy is there once' test "$(grep -c '^HTTP_PROXY=' "$root/etc/environment")" = 1
	expect 'swap is there once' test "$(grep -c /swapfile "$root/etc/fstab")" = 1
	expect 'the switch of keys is there once' test "$(grep -c '^PubkeyAuthentication' "$root/etc/ssh/sshd_config")" = 1
	expect 'huge pages are there once' test "$(grep -c enabled "$root/etc/sysfs.conf")" = 1
}

# With a client certificate instead of a token.
with_a_client_certificate() {
	start_machine
	watch_arguments &
	openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=client -keyout "$test/client.key" 2>/dev/null |
		openssl x509 -req -days 2 -CA "$test/authority.pem" -CAkey "$test/authority.key" -CAcreateserial -out "$test/client.crt" 2>/dev/null
	printf '%s' '' >"$test/token"
	run_well TLS_BOOTSTRAP_TOKEN= "KUBELET_CLIENT_CONTENT=$(printf '%s\n# %s\n' "$(cat "$test/client.key")" "$key_word" | base64 -w 0)" \
		"KUBELET_CLIENT_CERT_CONTENT=$(base64 -w 0 <"$test/client.crt")"
	expect 'the key is for root' mode_of /etc/kubernetes/certs/client.key 600
	expect 'no token is named' not is_there /var/lib/kubelet/bootstrap-kubeconfig
	no_secret_is_seen
}

with_secure_tls_bootstrapping() {
	start_machine
	# The client writes a kubeconfig of its own.
	put_program "$root/opt/bin/aks-secure-tls-bootstrap-client" <<'CLIENT'
#!/bin/bash
printf '%s\n' "$*" >/opt/test/client
umask 077
cp /opt/test/kubeconfig /var/lib/kubelet/kubeconfig
CLIENT
	mkdir -p "$root/var/lib/kubelet"
	jq -n --arg server "https://$api_server:443" --arg token "$token" '{apiVersion: "v1", kind: "Config",
		clusters: [{name: "c", cluster: {"certificate-authority": "/etc/kubernetes/certs/ca.crt", server: $server}}],
		users: [{name: "u", user: {token: $token}}], contexts: [{name: "x", context: {cluster: "c", user: "u"}}], "current-context": "x"}' >"$test/kubeconfig"
	run_well TLS_BOOTSTRAP_TOKEN= ENABLE_SECURE_TLS_BOOTSTRAPPING=true SECURE_TLS_BOOTSTRAPPING_GET_NONCE_TIMEOUT=9s
	expect 'the client is told where to ask' has_text /opt/test/client "--apiserver-fqdn=$api_server --cloud-provider-config=/etc/kubernetes/azure.json"
	expect 'the client is told its limits' has_text /opt/test/client --get-nonce-timeout=9s
	expect 'its flags are for root' mode_of /etc/default/secure-tls-bootstrap 600
}

# Kubernetes of before 1.27 and without metadata of IPv6: the older flags.
an_older_kubernetes() {
	version=1.26.15
	rm "$test/files/kubernetes-node-linux-amd64.tar.gz"
	make_archives
	start_machine
	run_well
	expect 'the runtime is named' test "$(jq -r '."container-runtime"' "$root/var/lib/kubelet/accepted.json")" = remote
	expect 'no address is named' test "$(jq -r '."node-ip"' "$root/var/lib/kubelet/accepted.json")" = null
	expect 'no watchdog' not is_there /etc/systemd/system/kubelet.service.d/10-watchdog.conf
}

## A crash on the way

# The machine loses its power before a step, the second time it is asked to run: STEP, its number in the lists.
crash_before_step() {
	awk -v wanted="$1" '/^\t(step|attempt) / && ++number == wanted { print "\tpkill -KILL -f provision_start.sh; kill -KILL 0" } { print }' \
		"$containers/provision.sh" >"$test/provision.sh"
	cp "$containers/provision.sh" "$test/whole.sh"
	cat "$test/provision.sh" >"$containers/provision.sh"
	start_machine
	variables SHOULD_CONFIG_TRANSPARENT_HUGE_PAGE=true THP_ENABLED=madvise MESSAGE_OF_THE_DAY="$(base64_of hello)" ADMINUSER=root
	run_scripts
	inside pkill -KILL -f provision.sh || true
	expect 'it was cut off' not is_complete
	expect 'nothing is half written' test -z "$(find "$root/etc" "$root/opt" -xdev -name '.*.??????' -size +0 -path '*kubelet*' -newer "$test/variables.sh" -name '*.json')"
	cat "$test/whole.sh" >"$containers/provision.sh"
	# Power comes back: what was in memory is gone.
	crash
	start_machine
	run_scripts
	[ "$code" = 0 ] || fail "the run after the crash ends with $code"
	expect 'the result says so' said 0
	eventually 'kubelet is ready' kubelet_is_ready
	# This was a run over what another one has left. One more would change nothing, as after any other run.
	last_run=
}

## Machines that are no prepared images

# A repository of packages that only say that they are there.
make_repository() {
	local name directory=$test/files/debian
	mkdir -p "$directory" "$test/package/DEBIAN"
	for name in "$@"; do
		printf 'Package: %s\nVersion: 99.0\nArchitecture: all\nMaintainer: test <test@example.com>\nDescription: test\n' "$name" >"$test/package/DEBIAN/control"
		dpkg-deb --build --nocheck "$test/package" "$directory/$name.deb" >/dev/null
	done
	(cd "$directory" && for name in *.deb; do
		dpkg-deb --field "$name"
		printf 'Filename: ./%s\nSize: %s\nSHA256: %s\n\n' "$name" "$(stat -c %s "$name")" "$(sha256sum <"$name" | cut -d ' ' -f 1)"
	done >Packages)
	rm -rf "$root/etc/apt/sources.list" "$root/etc/apt/sources.list.d" "$root/etc/apt/apt.conf.d" "$root/var/lib/apt/lists"
	mkdir -p "$root/etc/apt/sources.list.d" "$root/etc/apt/apt.conf.d" "$root/var/lib/apt/lists/partial"
	printf 'deb [trusted=yes] http://10.9.0.1/debian ./\n' >"$root/etc/apt/sources.list"
	printf 'APT::Sandbox::User "root";\nAcquire::Languages "none";\nAcquire::GzipIndexes "false";\n' >"$root/etc/apt/apt.conf.d/00test"
}

readonly debian_packages=(cifs-utils inotify-tools ipset nfs-common nftables pigz socat xz-utils util-linux iproute2 curl jq openssl
	ca-certificates conntrack dnsutils ebtables ethtool iptables netcat-openbsd containerd runc containernetworking-plugins)

a_plain_debian() {
	rm "$root/opt/azure/vhd-install.complete"
	# Only packages that would replace nothing that the test needs.
	make_repository "${debian_packages[@]/%/}"
	printf 'Package: *\nPin: release *\nPin-Priority: 1\n' >"$root/etc/apt/preferences.d/test" 2>/dev/null || true
	rm "$root/opt/cni/bin/"*
	mkdir -p "$root/usr/lib/cni"
	cp "$root/bin/true" "$root/usr/lib/cni/bridge"
	cp "$root/bin/true" "$root/usr/lib/cni/host-local"
	cp "$root/bin/true" "$root/usr/lib/cni/loopback"
	stand_in apt-get 'case $* in *install*) ;; *) exec /usr/bin/apt-get "$@" ;; esac'
	start_machine
	run_well IS_VHD=false
	expect 'the index came from the server' grep -q 'debian/./Packages\|debian/Packages' "$test/requests.log"
	expect 'the runtime is the distributions' was_called 'apt-get install .* containerd runc'
	expect 'the plugins are the distributions' is_there /opt/cni/bin/bridge
}

package_server() {
	rm "$root/opt/azure/vhd-install.complete"
	make_repository containerd
	fault 10.9.0.1/debian "$1"
	# shellcheck disable=SC2317 # ends_with calls it
	repair() { : >"$root/opt/azure/vhd-install.complete"; }
	real_pauses
	ends_with 99 'package index' IS_VHD=false "$time_for_the_run" APT_GET_UPDATE_TIMEOUT_SECONDS=20
}

package_server_hangs() { package_server hang; }
package_server_answers_500() { package_server 500; }
package_index_is_cut_off() { package_server truncate; }

package_is_cut_off() {
	rm "$root/opt/azure/vhd-install.complete"
	make_repository cifs-utils
	fault 10.9.0.1/debian/./cifs-utils truncate
	fault 10.9.0.1/debian/cifs-utils truncate
	# shellcheck disable=SC2317 # ends_with calls it
	repair() { : >"$root/opt/azure/vhd-install.complete"; }
	real_pauses
	ends_with 9 'cannot be installed' IS_VHD=false "$time_for_the_run"
}

# Text that would run in a careless shell, in every variable that takes any text.
hostile_text_stays_text() {
	local text=$'a"b\\c \'d\' $(touch /opt/test/evaluated) `touch /opt/test/evaluated`; touch /opt/test/evaluated\n{"e": %s} *' name pairs=()
	for name in TENANT_ID SUBSCRIPTION_ID RESOURCE_GROUP LOCATION SUBNET NETWORK_SECURITY_GROUP VIRTUAL_NETWORK ROUTE_TABLE \
		PRIMARY_SCALE_SET USER_ASSIGNED_IDENTITY_ID CLOUDPROVIDER_RATELIMIT_QPS PROXY_VARS GPU_INSTANCE_PROFILE KMS_PROVIDER_VAULT_NAME \
		AKS_CUSTOM_CLOUD_CONTAINER_REGISTRY_DNS_SUFFIX IDENTITY_BINDINGS_LOCAL_AUTHORITY_SNI SERVICE_ACCOUNT_IMAGE_PULL_DEFAULT_CLIENT_ID; do
		pairs+=("$name=$text")
	done
	start_machine
	# A rate is no text.
	spoilt=(/etc/kubernetes/azure.json)
	run_well "${pairs[@]}" SERVICE_ACCOUNT_IMAGE_PULL_ENABLED=true "SERVICE_PRINCIPAL_FILE_CONTENT=$(base64_of "$text")"
	expect 'nothing was evaluated' not test -e "$test/evaluated"
	expect 'azure.json has the text' jq -e --arg text "$text" '[.tenantId, .resourceGroup, .subnetName, .aadClientSecret, .cloudProviderRateLimitQPS] | all(. == $text)' "$root/etc/kubernetes/azure.json"
	expect 'the credential provider has the text' jq -e --arg text "$text" '.providers[0].args | any(. == "--ib-sni-name=" + $text)' "$root/var/lib/kubelet/credential-provider-config.yaml"
}
