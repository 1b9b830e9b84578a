# shellcheck shell=bash
# Live patching: one annotation of the node has the requested state of its package repositories, another the current state. A
# third can name a server of the cluster with the packages, for clusters without internet access.

readonly KUBECONFIG=/var/lib/kubelet/kubeconfig
export KUBECONFIG PATH=/opt/bin:/usr/local/bin:$PATH

node=$(hostname)
# The cloud provider names nodes in lower case.
readonly node=${node,,}

# Prints an annotation of the node: NAME. Prints nothing if there is none; fails if the API server does not answer.
annotation() {
	bounded 60 kubectl get node "$node" --output json |
		jq -r --arg name "kubernetes.azure.com/live-patching-$1" '.metadata.annotations[$name] // empty'
}

has_kubeconfig() {
	[ -s "$KUBECONFIG" ]
}

# Sets `wanted`, the state in the form 20250623T000000Z, and `server`, the address of the cluster's server or nothing. Ends the
# script if there is nothing to do.
find_out_what_is_wanted() {
	local current
	wanted='' server=''
	wait_until 300 has_kubeconfig || fail 1 "kubelet has no $KUBECONFIG after five minutes"
	if ! { wanted=$(annotation golden-timestamp) && current=$(annotation current-timestamp) && server=$(annotation repo-service); }; then
		fail 1 'the API server does not say what to patch'
	fi
	if [ -z "$wanted" ] || [ "$wanted" = "$current" ]; then
		log 'nothing is to be patched'
		exit 0
	fi
	[[ $wanted =~ ^[0-9]{8}T[0-9]{6}Z$ ]] || fail 1 "the golden timestamp \"$wanted\" does not have the form 20250623T000000Z"
	if [ -n "$server" ] && ! is_private_ipv4 "$server"; then
		warn "the repository server \"$server\" is ignored, because it is no private IPv4 address"
		server=
	fi
	log "packages are patched from ${current:-the image} to $wanted"
}

# Whether an address is one of RFC 1918.
is_private_ipv4() {
	is_ipv4 "$1" && [[ $1 =~ ^(10|192\.168|172\.(1[6-9]|2[0-9]|3[01]))\. ]]
}

record_what_was_done() {
	bounded 60 kubectl annotate --overwrite node "$node" "kubernetes.azure.com/live-patching-current-timestamp=$wanted" >/dev/null ||
		fail 1 'the packages are patched, but the node cannot be annotated'
	log "packages are patched to $wanted"
}
