#!/usr/bin/env bash
# What is baked boots anywhere: whatever an image stage ran with, its node is the same as a fresh machine. Sourced by machine.sh.
# shellcheck disable=SC2154,SC2016,SC2034 # machine.sh has the names; what is quoted is for the machine

# Adds the variables of a group of settings: NAME WORD. The word is in whatever takes free text: it shows where a value has come from.
settings=()
settings_of() {
	local name=$1 word=$2 number=$((${#2} * 7))
	case $name in
	-) ;;
	proxy) settings+=(SHOULD_CONFIGURE_HTTP_PROXY=true "HTTP_PROXY_URLS=http://$word:$word@10.9.0.1:80/" "HTTPS_PROXY_URLS=http://$word:$word@10.9.0.1:80/" 'NO_PROXY_URLS=*') ;;
	proxy_ca)
		settings_of proxy "$word"
		settings+=(SHOULD_CONFIGURE_HTTP_PROXY_CA=true "HTTP_PROXY_TRUSTED_CA=$(authority_of "$word")")
		;;
	ca) settings+=(SHOULD_CONFIGURE_CUSTOM_CA_TRUST=true CUSTOM_CA_TRUST_COUNT=1 "CUSTOM_CA_CERT_0=$(authority_of "$word")") ;;
	ssh_off) settings+=(DISABLE_SSH=true) ;;
	ssh_keys) settings+=(DISABLE_PUBKEY_AUTH=true) ;;
	sysctl) settings+=("SYSCTL_CONTENT=$(base64_of "# $word"$'\n'"net.ipv4.tcp_keepalive_time=$((7000 + number))"$'\n'"vm.max_map_count=$((262144 + number))"$'\n')") ;;
	limits) settings+=(SHOULD_CONFIG_CONTAINERD_ULIMITS=true "CONTAINERD_ULIMITS=[Service] LimitMEMLOCK=$((number * 1024)) ") ;;
	swap) settings+=(SHOULD_CONFIG_SWAP_FILE=true "SWAP_FILE_SIZE_MB=$((number / 20))") ;;
	huge_pages) settings+=(SHOULD_CONFIG_TRANSPARENT_HUGE_PAGE=true THP_ENABLED=madvise) ;;
	message) settings+=("MESSAGE_OF_THE_DAY=$(base64_of "$word")") ;;
	kubelet_disk) settings+=(HAS_KUBELET_DISK_TYPE=true) ;;
	cgroups) settings+=(NEEDS_CGROUPV2=true) ;;
	reserved)
		settings+=(KUBELET_CONFIG_FILE_ENABLED=true KUBELET_FLAGS=--client-ca-file=/etc/kubernetes/certs/ca.crt
			"KUBELET_CONFIG_FILE_CONTENT=$(base64_of '{"kind": "KubeletConfiguration", "apiVersion": "kubelet.config.k8s.io/v1beta1",
			"authentication": {"x509": {"clientCAFile": "/etc/kubernetes/certs/ca.crt"}}, "kubeReservedCgroup": "/kubereserved.slice", "systemReservedCgroup": "system.slice"}')")
		;;
	kubenet) settings+=(NETWORK_PLUGIN=kubenet VNET_CNI_PLUGINS_URL= "KUBENET_TEMPLATE=$(base64_of "$word")") ;;
	plugin) settings+=("VNET_CNI_PLUGINS_URL=https://packages.aks.azure.com/azure-cni/$word/binaries/azure-vnet-cni-linux-amd64-v1.6.26.tgz") ;;
	policy) settings+=(NETWORK_POLICY=calico) ;;
	version) settings+=(KUBERNETES_VERSION=1.32.9 "KUBE_BINARY_URL=https://packages.aks.azure.com/kubernetes/$word/binaries/kubernetes-node-linux-amd64.tar.gz") ;;
	isolated)
		settings+=("BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER=registry.test/$word" OUTBOUND_COMMAND= "PRIVATE_EGRESS_PROXY_ADDRESS=http://$word.test"
			USER_ASSIGNED_IDENTITY_ID=11111111-2222-3333-4444-555555555555)
		;;
	local_dns) settings+=(SHOULD_ENABLE_LOCALDNS=true "LOCALDNS_COREFILE_BASE=$(base64_of ".:53 { forward . 168.63.129.16 } # $word")") ;;
	dns_hosts)
		settings_of local_dns "$word"
		settings+=(SHOULD_ENABLE_HOSTS_PLUGIN=true "LOCALDNS_CRITICAL_FQDNS=$word.test" "LOCALDNS_COREFILE_WITH_HOSTS=$(base64_of ".:53 { hosts /etc/localdns/hosts } # $word")")
		;;
	secure_tls) settings+=(TLS_BOOTSTRAP_TOKEN= ENABLE_SECURE_TLS_BOOTSTRAPPING=true) ;;
	dual_stack) settings+=(IPV6_DUAL_STACK_ENABLED=true) ;;
	private_hosts) settings+=(ENABLE_HOSTS_CONFIG_AGENT=true) ;;
	domain) settings+=(HAS_CUSTOM_SEARCH_DOMAIN=true "CUSTOM_SEARCH_DOMAIN_NAME=$word.example" "CUSTOM_SEARCH_REALM_USER=$word" "CUSTOM_SEARCH_REALM_PASSWORD=$word") ;;
	streaming) settings+=(ARTIFACT_STREAMING_ENABLED=true) ;;
	china) settings+=(TARGET_CLOUD=AzureChinaCloud) ;;
	nvidia)
		# An isolated node pulls the pause image that the configuration names.
		settings+=("CONTAINERD_CONFIG_CONTENT=$(base64_of "version = 2 # /usr/bin/nvidia-container-runtime $word"$'\n''oom_score = -999
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "mcr.microsoft.com/oss/v2/kubernetes/pause:3.6"'$'\n')")
		;;
	administrator) settings+=(ADMINUSER=root) ;;
	names) settings+=("RESOURCE_GROUP=$word" "SUBSCRIPTION_ID=$word" "TENANT_ID=$word" "KUBELET_NODE_LABELS=word=$word" "USER_ASSIGNED_IDENTITY_ID=$word") ;;
	restriction) settings+=(ENABLE_IMDS_RESTRICTION=true) ;;
	*) fail "there is no group $name" ;;
	esac
}
readonly groups=(proxy proxy_ca ca ssh_off ssh_keys sysctl limits swap huge_pages message kubelet_disk cgroups reserved kubenet plugin policy version
	isolated local_dns dns_hosts secure_tls dual_stack private_hosts domain streaming china nvidia administrator names restriction)

# Certificates and states of fresh machines, which are the same for all pairs of a scenario.
readonly kept=$disk/kept-$$

# Prints a CA with a name, in base64: NAME.
authority_of() {
	[ -e "$kept/$1.pem" ] || openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=$1" \
		-keyout /dev/null -out "$kept/$1.pem" 2>/dev/null
	base64 -w 0 <"$kept/$1.pem"
}

# A machine as it is sold, with whatever some group needs.
another_machine() {
	local unit name
	if [ -n "$machine" ]; then
		crash
		umount -l "$root" "$disk/own/cgroups" "$disk/own"
		use_machine
	fi
	for unit in acr-mirror overlaybd-tcmu overlaybd-snapshotter; do
		printf '[Service]\nExecStart=/bin/sleep infinity\n[Install]\nWantedBy=multi-user.target\n' >"$root/etc/systemd/system/$unit.service"
	done
	printf '[Mount]\nWhat=tmpfs\nWhere=/mnt\nType=tmpfs\n' >"$root/etc/systemd/system/mnt.mount"
	printf '[Service]\nType=oneshot\nExecStart=/bin/true\n' >"$root/etc/systemd/system/networking.service"
	printf 'auto lo\niface lo inet loopback\n' >"$root/etc/network/interfaces.d/50-cloud-init.cfg"
	mkdir -p "$root/etc/containerd" "$root/opt/acr/tools/mirror" "$containers/localdns/binary" "$root/var/lib/kubelet" "$root/opt/aks-secure-tls-bootstrap-client/downloads"
	printf '# as the image has it\nversion = 2\n' >"$root/etc/containerd/config.toml"
	for name in kubelet kubectl; do
		{
			cat "$test/tree/kubernetes/node/bin/$name"
			printf '# as the image has it\n'
		} | put_program "$root/opt/bin/$name-1.32.9"
	done
	printf '#!/bin/sh\n' | put_program "$root/opt/acr/tools/mirror/setup.sh"
	put_program "$containers/localdns/binary/coredns" <"$here/coredns.py"
	put_program "$root/opt/bin/aks-secure-tls-bootstrap-client" <<<'#!/bin/bash
umask 077
cp /opt/test/kubeconfig /var/lib/kubelet/kubeconfig'
	jq -n --arg server "https://$api_server:443" --arg token "$token" '{apiVersion: "v1", kind: "Config",
		clusters: [{name: "c", cluster: {"certificate-authority": "/etc/kubernetes/certs/ca.crt", server: $server}}],
		users: [{name: "u", user: {token: $token}}], contexts: [{name: "x", context: {cluster: "c", user: "u"}}], "current-context": "x"}' >"$test/kubeconfig"
	# This kernel makes no dummy interfaces; a bridge is as good.
	put_program "$root/usr/local/sbin/ip" <<<'#!/bin/bash
exec /usr/sbin/ip "${@/#dummy/bridge}"'
	stand_in swapon 'case $* in --show*) cat /opt/test/swaps 2>/dev/null ;; *) printf "%s\n" "$1" >/opt/test/swaps ;; esac'
	cp "$root/opt/bin/swapon" "$root/usr/local/sbin/swapon"
	stand_in mkswap
	stand_in realm 'cat >/dev/null'
	stand_in apt-get
	make_registry
	start_machine
	inside mkdir -p /run/systemd/resolve
	inside sh -c 'printf "nameserver 10.9.0.1\n" >/run/systemd/resolve/resolv.conf'
	inside update-ca-certificates --fresh >/dev/null 2>&1
	inside systemctl enable --quiet --now ssh.service
}

# Runs the scripts with groups of settings: GROUPS WORD [VARIABLE=VALUE...].
run_with() {
	local name word=$2 list=$1
	shift 2
	settings=()
	for name in ${list//+/ }; do
		settings_of "$name" "$word"
	done
	variables "${settings[@]}" "$@"
	run_scripts
	[ "$code" = 0 ] || fail "the scripts end with $code, with $list"
}

# The files that differ from the prepared machine, without what runs write by their nature and what was put back, the rules of the firewall,
# settings of the kernel, and units.
state_of_the_node() {
	local place not=() file
	# Local DNS writes down in its own time that it has annotated the node.
	for place in "${differs[@]}" './opt/azure/containers/localdns-hosts-plugin-annotation.*' ./opt/azure/containers/base_prep.complete; do
		not+=(-path "$place" -prune -o)
	done
	(
		cd "$changes" || exit
		find . -xdev "${not[@]}" ! -type d ! -type s -printf '%p\n' | LC_ALL=C sort | while IFS= read -r file; do
			if [ ! -L "$file" ] && [ -f "$disk/prepared/$file" ] && cmp -s "$file" "$disk/prepared/$file" &&
				[ "$(stat -c '%a %u:%g' "$file")" = "$(stat -c '%a %u:%g' "$disk/prepared/$file")" ]; then
				continue
			fi
			stat -c '%a %u:%g %F %N' "$file"
			[ ! -f "$file" ] || sha256sum "$file"
		done
	)
	inside iptables-save 2>/dev/null | sed -E '/^#/d; s/ \[[0-9:]+\]$//'
	inside swapon --show=NAME --noheadings 2>/dev/null || true
	inside sysctl --all --pattern '^(net\.(core|ipv4|bridge)|vm|fs)\.' 2>/dev/null | grep -vE '^(fs\.(dentry|file|inode|aio)|net\.(core\.flow|ipv4\.(conf|neigh|route)\.))'
	# Whether units are enabled is in the links above.
	eventually 'systemd answers' show_units
}

show_units() {
	inside systemctl show --property=Id,ActiveState,Environment,LimitMEMLOCK,Slice,DropInPaths ssh.service localdns.service containerd.service kubelet.service \
		aks-swapfile.service reconcile-private-hosts.service acr-mirror.service dhcpv6.service aks-localdns-hosts-setup.timer
}

# Files in which a word is left: WORD [PATH...] that do not count.
left_of() {
	local word=$1
	shift
	(cd "$changes" && grep -rlaF --exclude-dir=test --exclude-dir=journal "$word" . 2>/dev/null | grep -vxF -f <(printf './none\n' && printf '%s\n' "$@"))
}

# An image is baked and booted: PAIR..., as GROUPS/GROUPS of the image and of the node.
an_image_boots_anywhere() {
	local pair baked booted fresh failed=0
	mkdir "$kept"
	for pair in "$@"; do
		baked=${pair%/*} booted=${pair#*/}
		fresh=$kept/${booted//+/_}
		if [ ! -e "$fresh" ]; then
			another_machine
			run_with "$booted" ofthenode
			eventually 'kubelet is ready' kubelet_is_ready
			state_of_the_node >"$fresh"
		fi
		another_machine
		run_with "$baked" oftheimage PRE_PROVISION_ONLY=true
		expect 'the stage is marked' test -e "$containers/base_prep.complete"
		# The result is for who waits for the stage, and a program is from where it is from.
		left_of oftheimage ./var/log/azure/aks/provision.json ./opt/{cni,kubernetes}/installed-from >"$test/left" && fail "$pair: the image has something of its configuration in $(tr '\n' ' ' <"$test/left")"
		run_with "$booted" ofthenode
		eventually 'kubelet is ready' kubelet_is_ready
		left_of oftheimage >"$test/left" && fail "$pair: the node has something of the image's configuration in $(tr '\n' ' ' <"$test/left")"
		state_of_the_node >"$test/state"
		if ! diff "$fresh" "$test/state" >"$test/state_changes"; then
			printf '%s: the node differs from a fresh machine:\n' "$pair"
			cat "$test/state_changes"
			failed=$((failed + 1))
		fi
	done
	expect 'a node of an image is like a fresh machine' test "$failed" = 0
	# Pairs are compared; one more run over the last would tell nothing.
	last_run=
}
