#!/usr/bin/env bash
# The cluster and what a machine needs to become a node of it. Sourced by machine.sh.
# shellcheck disable=SC2154,SC2034 # machine.sh has the names

## Control groups: a kubelet needs their controllers, which some systems have in version 1 only

# Whether the controllers of this system are version 2.
has_version_2() {
	grep -qw memory /sys/fs/cgroup/cgroup.controllers 2>/dev/null
}

# Names of the hierarchies of version 1, as `mount -o` takes them.
hierarchies() {
	sed -nE 's/^[0-9]+:(name=systemd|[a-z_,]+):.*/\1/p' /proc/self/cgroup
}

# Becomes a member of a control group of its own in each hierarchy.
enter_control_groups() {
	has_version_2 && return
	local name
	for name in $(hierarchies); do
		mkdir -p "$disk/own/hierarchies/$name"
		# An earlier boot has mounted it.
		mountpoint -q "$disk/own/hierarchies/$name" ||
			mount -t cgroup -o "${name/#name=/none,name=}" cgroup "$disk/own/hierarchies/$name"
		mkdir "$disk/own/hierarchies/$name/${control_group##*/}"
		if [ "$name" = cpuset ]; then
			cat "$disk/own/hierarchies/cpuset/cpuset.cpus" >"$disk/own/hierarchies/cpuset/${control_group##*/}/cpuset.cpus"
			cat "$disk/own/hierarchies/cpuset/cpuset.mems" >"$disk/own/hierarchies/cpuset/${control_group##*/}/cpuset.mems"
		fi
		echo "$BASHPID" >"$disk/own/hierarchies/$name/${control_group##*/}/cgroup.procs"
	done
}

mount_control_groups() {
	local name
	if has_version_2; then
		mount -t cgroup2 cgroup2 sys/fs/cgroup
		return
	fi
	mount -t tmpfs -o mode=755 tmpfs sys/fs/cgroup
	for name in $(hierarchies); do
		mkdir "sys/fs/cgroup/${name#name=}"
		mount -t cgroup -o "${name/#name=/none,name=}" cgroup "sys/fs/cgroup/${name#name=}"
	done
}
export -f has_version_2 hierarchies mount_control_groups

# Nothing is left in the hierarchies of this system either.
remove_control_groups() {
	local places=("$control_group" "$disk"/own/hierarchies/*/"${control_group##*/}") group there=()
	for group in "${places[@]}"; do
		[ ! -d "$group" ] || there+=("$group")
	done
	[ "${#there[@]}" = 0 ] || find "${there[@]}" -depth -type d -exec rmdir {} + 2>/dev/null
}

## What is put on the machine

# A kubelet that is not on a machine of its own may not change its place in the order of the kernel's killer, and takes the control
# groups that the system has.
put_kubelet() {
	printf '#!/bin/sh\nexec /opt/cluster/kubelet "$@" --oom-score-adj=0 --fail-cgroupv1=false\n' >"$1"
}

# Its plugins come with the machine, so that no other node of the cluster has to bring them.
say_more() {
	jq '.network_config.network_plugin = "NETWORK_PLUGIN_KUBENET"'
}

prepare_more() {
	local name image=("$cluster_tests/image.py" "$architecture" "${GUEST:-}/bin/busybox")
	mkdir -p "$cluster" "$root/usr/bin"
	: >"$test/noted"
	cp "$KUBERNETES/kube-apiserver" "$KUBERNETES/kube-controller-manager" "$KUBELET" "$cluster/"
	printf '%s %s\n' "$api_server" "$api_address" >"$test/addresses"
	cp "${GUEST:-}/usr/lib/cni/"{bridge,host-local,loopback,portmap} "$root/opt/cni/bin/"
	# What `new` names for this version.
	name=$test/files/azure-acr-credential-provider-linux-$architecture-v${version%.*}.0.tar.gz
	[ -e "$name" ] || ln -s "azure-acr-credential-provider-linux-$architecture-v1.33.0.tar.gz" "$name"
	python3 "${image[@]}" "$cluster/pause.tar" registry.test/pause:1 /bin/sleep 1000000
	python3 "${image[@]}" "$cluster/busybox.tar" registry.test/busybox:1 /bin/sh
	# What a pod of a network plugin writes.
	jq -n '{cniVersion: "0.4.0", name: "bridge", plugins: [{type: "bridge", bridge: "cbr0", isGateway: true,
		ipam: {type: "host-local", ranges: [[{subnet: "10.244.0.0/24"}]]}}]}' >"$test/bridge.conflist"
	# A container may not change its place either.
	cat >"$root/usr/bin/runc" <<-'SCRIPT'
		#!/bin/bash
		for ((at = 1; at < $#; at++)); do
			[ "${!at}" = --bundle ] || continue
			next=$((at + 1))
			jq 'del(.process.oomScoreAdj)' "${!next}/config.json" >"${!next}/new" && mv "${!next}/new" "${!next}/config.json"
		done
		exec /usr/sbin/runc "$@"
	SCRIPT
	chmod 0755 "$root/usr/bin/runc"

	# What the image has as cloud-init's configuration: the modules that read user data.
	mkdir -p "$root/etc/cloud"
	cat >"$root/etc/cloud/cloud.cfg" <<-'YAML'
		datasource_list: [NoCloud]
		preserve_hostname: true
		network: {config: disabled}
		cloud_init_modules: [bootcmd, write-files, ca-certs]
		cloud_config_modules: [runcmd]
		cloud_final_modules: [write-files-deferred, scripts-per-once, scripts-per-boot, scripts-per-instance, scripts-user, final-message]
		system_info: {distro: debian, paths: {cloud_dir: /var/lib/cloud, templates_dir: /etc/cloud/templates}}
	YAML

	# One CA signs all certificates, as in AKS.
	openssl genrsa -out "$cluster/accounts.key" 2048 2>/dev/null
	openssl rsa -in "$cluster/accounts.key" -pubout -out "$cluster/accounts.pub" 2>/dev/null
	certificate api-server /CN=kube-apiserver "subjectAltName=DNS:$api_server,DNS:kubernetes.default.svc,IP:$api_address,IP:10.0.0.1"
	certificate admin /O=system:masters/CN=admin extendedKeyUsage=clientAuth
	cat >"$cluster/admin.kubeconfig" <<-YAML
		apiVersion: v1
		kind: Config
		clusters: [{name: test, cluster: {server: "https://$api_server:443", certificate-authority: /opt/test/authority.pem}}]
		users: [{name: admin, user: {client-certificate: /opt/cluster/admin.crt, client-key: /opt/cluster/admin.key}}]
		contexts: [{name: test, context: {cluster: test, user: admin}}]
		current-context: test
	YAML
}

# NAME SUBJECT EXTENSION
certificate() {
	openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "$2" -keyout "$cluster/$1.key" 2>/dev/null |
		openssl x509 -req -days 2 -CA "$test/authority.pem" -CAkey "$test/authority.key" -CAcreateserial \
			-extfile <(printf '%s' "$3") -out "$cluster/$1.crt" 2>/dev/null
}

## Azure

# ROUTE [ARGUMENT OF GENERATE...]: puts the CustomData where cloud-init finds it, and the CSE command at $test/cse.
hand_over() {
	local seed=$root/var/lib/cloud/seed/nocloud route=$1
	shift
	"$program" generate --route "$route" "$@" --format json 2>"$test/generate.err" >"$test/generated" ||
		fail "generate: $(cat "$test/generate.err")"
	chmod 0600 "$test/generated"
	jq -r '.cse // empty' "$test/generated" >"$test/cse"
	chmod 0700 "$test/cse"
	mkdir -p "$seed"
	jq -r .customData "$test/generated" | base64 -d >"$seed/user-data"
	chmod 0600 "$seed/user-data"
	printf 'instance-id: test\nlocal-hostname: machine-test\n' >"$seed/meta-data"
	rm -rf "$root/opt/bin/cloud-init" "$root/var/lib/cloud/instance"
	# What the controller computes is for this kernel as it is.
	stand_in sysctl
}

# A first boot: cloud-init in its units, and the command as the extension runs it, which waits for nobody.
come_up() {
	last_run=come_up
	begin
	eventually 'cloud-init has ended' cloud_init_has_ended
	inside jq -e '.v1.errors == []' /run/cloud-init/result.json >/dev/null || fail "cloud-init: $(inside cat /run/cloud-init/result.json)"
	end_command
}

# The same without waiting for anything.
begin() {
	start_cloud_init
	start_command
}

start_cloud_init() {
	inside systemctl start --no-block cloud-init-local.service cloud-init.service cloud-config.service cloud-final.service
}

# [NAME]: starts the command, if the route has one. Its output goes to this file.
command=
# shellcheck disable=SC2120 # faults.sh has a NAME
start_command() {
	[ -s "$test/cse" ] || return 0
	run_the_command "$test/${1:-stdout}" &
	command=$!
}

run_the_command() {
	local ended=0
	umask 077
	inside env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin timeout 600 /bin/sh /opt/test/cse >"$1" 2>"$test/stderr" </dev/null || ended=$?
	date '+%s.%3N command' >>"$test/noted"
	return "$ended"
}

# Its exit code is in `code`.
end_command() {
	code=0
	[ -z "$command" ] || wait "$command" || code=$?
}

cloud_init_has_ended() {
	! inside systemctl is-failed --quiet 'cloud-*' || fail "$(inside journalctl --no-pager -n 30 --unit='cloud-*')"
	inside test -e /run/cloud-init/result.json
}

## The cluster

# How long the certificates last that the cluster issues.
certificates_last=24h

start_more() {
	# The kubelet reads from it what the kernel has killed.
	inside ln -s null /dev/kmsg
	# An overlay cannot be above another.
	inside mkdir -p /var/lib/containerd
	inside mount -t tmpfs tmpfs /var/lib/containerd
	# As systemd-resolved of the images writes it.
	inside install -D -m 0644 /etc/resolv.conf /run/systemd/resolve/resolv.conf
	start_cluster
}

# Runs a command where the cluster is: on the machine itself, unless a test has another place for it.
beside() {
	inside "$@"
}

# Gone with the boot of the machine, unless a test puts it elsewhere.
data_of_the_cluster=/run/etcd

start_cluster() {
	beside ip address add "$api_address/32" dev lo
	beside ip address add 10.0.0.1/32 dev lo
	run_in_background etcd /usr/bin/etcd --data-dir="$data_of_the_cluster" --listen-client-urls=http://127.0.0.1:2379 \
		--advertise-client-urls=http://127.0.0.1:2379 --listen-peer-urls=http://127.0.0.1:2380 --unsafe-no-fsync
	start_api_server
	eventually 'the API server is ready' api_server_is_ready
	# Its own port is one of containerd's.
	run_in_background controller-manager /opt/cluster/kube-controller-manager --kubeconfig=/opt/cluster/admin.kubeconfig \
		--secure-port=0 --cluster-signing-cert-file=/opt/test/authority.pem --cluster-signing-key-file=/opt/test/authority.key \
		--root-ca-file=/opt/test/authority.pem --service-account-private-key-file=/opt/cluster/accounts.key \
		--cluster-signing-duration="$certificates_last" --use-service-account-credentials --allocate-node-cidrs --cluster-cidr=10.244.0.0/16 --leader-elect=false
	api GET "/api/v1/namespaces/kube-system/secrets/bootstrap-token-${token%.*}" >/dev/null 2>&1 || admit_nodes
}

start_api_server() {
	run_in_background api-server /opt/cluster/kube-apiserver --etcd-servers=http://127.0.0.1:2379 \
		--bind-address="$api_address" --advertise-address="$api_address" --secure-port=443 \
		--tls-cert-file=/opt/cluster/api-server.crt --tls-private-key-file=/opt/cluster/api-server.key \
		--client-ca-file=/opt/test/authority.pem --authorization-mode=Node,RBAC --enable-admission-plugins=NodeRestriction \
		--enable-bootstrap-token-auth --allow-privileged --service-cluster-ip-range=10.0.0.0/16 \
		--service-account-issuer=https://kubernetes.default.svc --service-account-key-file=/opt/cluster/accounts.pub \
		--service-account-signing-key-file=/opt/cluster/accounts.key \
		--kubelet-client-certificate=/opt/cluster/admin.crt --kubelet-client-key=/opt/cluster/admin.key \
		--kubelet-preferred-address-types=InternalIP,Hostname
}

# NAME COMMAND...
run_in_background() {
	local name=$1
	shift
	beside "$@" >"$cluster/$name.log" 2>&1 &
}

# METHOD PATH [FILE]: asks the API server as an administrator.
api() {
	local method=$1 path=$2
	beside curl --silent --show-error --fail-with-body --max-time 20 --cacert /opt/test/authority.pem \
		--cert /opt/cluster/admin.crt --key /opt/cluster/admin.key --request "$method" \
		${3:+--header 'Content-Type: application/json' --data-binary "@$3"} "https://$api_server$path"
}

api_server_is_ready() {
	[ "$(api GET /readyz 2>/dev/null)" = ok ]
}

# PATH JSON
create() {
	(umask 077 && printf '%s' "$2" >"$cluster/object.json" && api POST "$1" /opt/cluster/object.json >>"$cluster/created.log")
}

# What AKS has for nodes: a bootstrap token, and roles that let it ask for certificates.
admit_nodes() {
	create /api/v1/namespaces/kube-system/secrets "$(jq -n --arg id "${token%.*}" --arg secret "${token#*.}" '{apiVersion: "v1", kind: "Secret",
		metadata: {name: "bootstrap-token-\($id)"}, type: "bootstrap.kubernetes.io/token",
		stringData: {"token-id": $id, "token-secret": $secret, "usage-bootstrap-authentication": "true", "usage-bootstrap-signing": "true"}}')"
	bind bootstrappers system:node-bootstrapper system:bootstrappers
	bind approve-nodes system:certificates.k8s.io:certificatesigningrequests:nodeclient system:bootstrappers
	bind approve-rotation system:certificates.k8s.io:certificatesigningrequests:selfnodeclient system:nodes
}

# NAME ROLE GROUP
bind() {
	create /apis/rbac.authorization.k8s.io/v1/clusterrolebindings "$(jq -n --arg name "$1" --arg role "$2" --arg group "$3" '{
		apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRoleBinding", metadata: {name: $name},
		roleRef: {apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: $role},
		subjects: [{apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: $group}]}')"
}

## The node

node() {
	api GET /api/v1/nodes/machine-test 2>/dev/null
}

# Instead of what the scenarios of tests/provisioning wait for.
kubelet_is_ready() {
	node | jq -e 'any(.status.conditions[]; .type == "Ready" and .status == "True")' >/dev/null
}

# FILTER: what `jq` makes of the node.
of_the_node() {
	node | jq -r "$1"
}

# What the kubelet says of its configuration.
configz() {
	api GET /api/v1/nodes/machine-test/proxy/configz | jq -r ".kubeletconfig | $1"
}

# A pod of one container that says something and ends.
pod_runs() {
	create /api/v1/namespaces/default/pods '{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "test"}, "spec": {"nodeName": "machine-test",
		"automountServiceAccountToken": false, "restartPolicy": "Never", "tolerations": [{"operator": "Exists"}], "containers": [{"name": "test",
		"image": "registry.test/busybox:1", "imagePullPolicy": "Never", "command": ["/bin/sh", "-c", "/bin/cat /etc/resolv.conf; echo it runs"]}]}}'
	eventually 'the pod has run' pod_has_run
	expect 'its words are in its log' test "$(api GET /api/v1/namespaces/default/pods/test/log | tail -n 1)" = 'it runs'
}

pod_has_run() {
	[ "$(api GET /api/v1/namespaces/default/pods/test | jq -r .status.phase)" = Succeeded ]
}

namespace_is_ready() {
	api GET /api/v1/namespaces/default/serviceaccounts/default >/dev/null 2>&1
}

# Nothing in the kubelet's log says that it does not know something.
kubelet_knows_everything() {
	inside journalctl --unit=kubelet --no-pager --output=cat >"$test/kubelet.log"
	! grep -iE 'unknown (flag|field)|strict decoding|unrecognized feature gate|failed to parse' "$test/kubelet.log"
}
