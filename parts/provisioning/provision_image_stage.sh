#!/bin/bash
# What an image stage does besides its steps: it leaves programs, packages, container images and directories on the image, but
# nothing of the configuration that it ran with. A node that is made from the image may have another one.
#
# provision.sh sources it after all other scripts: in a stage, and on a node with the leftovers of a failed stage.
# provision_start.sh calls its functions when a stage has ended. Nodes without an image stage do not have this file.

# What files of the system were before the image stage, and the list of these files.
readonly BEFORE_STAGE=/opt/azure/containers/before_image_stage

# Keeps a file as it is: PATH. What an interrupted stage has kept is what was there first. The drop-in of containerd is the same on every
# node; if it is on the image, systemd need not read all units again before containerd can start.
remember() {
	[ "$1" != "$CONTAINERD_DROPINS/exec_start.conf" ] || return 0
	! grep -qsxF "$1" "$BEFORE_STAGE/list" || return 0
	mkdir -p "$BEFORE_STAGE${1%/*}" && { [ ! -e "$1" ] || cp -a "$1" "$BEFORE_STAGE$1"; } && printf '%s\n' "$1" >>"$BEFORE_STAGE/list"
}

# Prints programs, packages and archives of which a node uses one version or kind.
choices() {
	local path
	for path in /opt/bin/kube*-* /opt/*/downloads/* /opt/cni/bin/* /etc/extensions/*; do
		if [ -e "$path" ] || [ -L "$path" ]; then
			printf '%s\n' "$path"
		fi
	done
}

# Keeps the choices that the image has: the steps use them up. Links, because they are large.
remember_choices() {
	[ ! -e "$BEFORE_STAGE/choices" ] || return 0
	local path
	mkdir -p "$BEFORE_STAGE" && choices >"$BEFORE_STAGE/choices.new" || return
	while IFS= read -r path; do
		mkdir -p "$BEFORE_STAGE${path%/*}" && rm -rf "$BEFORE_STAGE$path" && cp -al "$path" "$BEFORE_STAGE$path" || return
	done <"$BEFORE_STAGE/choices.new"
	mv -f "$BEFORE_STAGE/choices.new" "$BEFORE_STAGE/choices"
}

# Restores the choices that the stage has used up, and lists for `is_installed_from` what goes if a node is made from the same source
# (`unused`) or from another one (`added`).
restore_choices() {
	local path
	while IFS= read -r path; do
		if [ -e "$path" ] || [ -L "$path" ]; then
			continue
		fi
		# First the list: a stage that fails here and runs again does not find what it has restored missing.
		list_choice unused "$path" && mkdir -p "${path%/*}" && cp -al "$BEFORE_STAGE$path" "$path" || return
	done <"$BEFORE_STAGE/choices"
	while IFS= read -r path; do
		list_choice added "$path" || return
	done < <(choices | grep -vxF -f "$BEFORE_STAGE/choices")
}

# Lists a choice for those nodes that do not need it: unused|added PATH. A stage that has installed nothing from a source has no list.
list_choice() {
	local name=${2#/opt/}
	case $2 in
	*credential-provider* | */credentialprovider/*) name=credentialprovider ;;
	*/kube*) name=kubernetes ;;
	*) name=${name%%/*} ;;
	esac
	[ ! -e "/opt/$name/installed-from" ] || {
		printf '%s\n' "$2" >>"/opt/$name/$1" && : >>"/opt/$name/unused" && : >>"/opt/$name/added"
	}
}

# Restores the files that the stage has changed. The copies stay until all of them are restored.
seal_image() {
	local path
	if [ -e "$BEFORE_STAGE/choices" ]; then
		restore_choices || fail "$ERR_NODE_FILE_WRITE_FAIL" 'programs of the image cannot be put back'
	fi
	while IFS= read -r path; do
		rm -f "$path"
		[ ! -e "$BEFORE_STAGE$path" ] || cp -a "$BEFORE_STAGE$path" "$path" || fail "$ERR_NODE_FILE_WRITE_FAIL" "$path cannot be put back"
	done <"$BEFORE_STAGE/list"
	# It updates the trust store, regardless of the origin of a certificate.
	[ ! -x /opt/scripts/update_certs.sh ] || bounded 120 /opt/scripts/update_certs.sh || fail "$ERR_UPDATE_CA_CERTS" 'update_certs.sh failed'
	rm -rf "$BEFORE_STAGE"
}

# Marks the image, and removes the document and the logs of the stage, to which a node would append.
mark_image() {
	rm -f "$CONTAINERS"/aks-node-controller-{config.json,nbc-cmd.sh} "$EVENTS"/*.json "$LOGS"/{aks-node-controller.log,aks/cloud-config.txt} /opt/m
	: >"${PROVISION_OUTPUT:-$LOGS/cluster-provision-cse-output.log}"
	printf 'the image is prepared; nodes are made from it later\n' >"$LOGS/cluster-provision.log"
	sync --file-system "$CONTAINERS" && put "$CONTAINERS/base_prep.complete" 0644 true && sync "$CONTAINERS"
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
	# shellcheck source=provision_source.sh
	. /opt/azure/containers/provision_source.sh || exit 6
	"$1"
elif makes_an_image; then
	# What a step writes there is kept first, by another `put` around that of the helpers.
	eval "really_$(declare -f put)"
	put() {
		{ [[ ! $1 =~ ^/(etc|usr|opt/certs)/ ]] || remember "$1"; } && really_put "$@"
	}
	# oras writes the login.
	{ remember_choices && remember "$REGISTRY_LOGIN"; } || fail "$ERR_NODE_FILE_WRITE_FAIL" "$BEFORE_STAGE cannot be written"
	# The client comes back with the files: another node may use it.
	installSecureTLSBootstrapClient() {
		on ENABLE_SECURE_TLS_BOOTSTRAPPING || { remember "$BIN/aks-secure-tls-bootstrap-client" && rm -f "$BIN/aks-secure-tls-bootstrap-client"; }
	}
	# The slices are made by systemd, and nothing else of them is a file.
	ensure_reserved_cgroups() { :; }
else
	seal_image
fi
#EOF
