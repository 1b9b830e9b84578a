#!/bin/bash

readonly BEFORE_STAGE=/opt/azure/containers/before_image_stage

remember() {
	[ "$1" != "$CONTAINERD_DROPINS/exec_start.conf" ] || return 0
	! grep -qsxF "$1" "$BEFORE_STAGE/list" || return 0
	mkdir -p "$BEFORE_STAGE${1%/*}" && { [ ! -e "$1" ] || cp -a "$1" "$BEFORE_STAGE$1"; } && printf '%s\n' "$1" >>"$BEFORE_STAGE/list"
}

seal_image() {
	local path
	while IFS= read -r path; do
		rm -f "$path"
		[ ! -e "$BEFORE_STAGE$path" ] || cp -a "$BEFORE_STAGE$path" "$path" || fail "$ERR_NODE_FILE_WRITE_FAIL" "$path cannot be put back"
	done <"$BEFORE_STAGE/list"
	[ ! -x /opt/scripts/update_certs.sh ] || bounded 120 /opt/scripts/update_certs.sh || fail "$ERR_UPDATE_CA_CERTS" 'update_certs.sh failed'
	rm -rf "$BEFORE_STAGE"
}

mark_image() {
	rm -f "$CONTAINERS"/aks-node-controller-{config.json,nbc-cmd.sh} "$EVENTS"/*.json "$LOGS"/{aks-node-controller.log,aks/cloud-config.txt} /opt/m
	: >"${PROVISION_OUTPUT:-$LOGS/cluster-provision-cse-output.log}"
	printf 'the image is prepared; nodes are made from it later\n' >"$LOGS/cluster-provision.log"
	sync --file-system "$CONTAINERS" && put "$CONTAINERS/base_prep.complete" 0644 true && sync "$CONTAINERS"
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
	. /opt/azure/containers/provision_source.sh || exit 6
	"$1"
elif makes_an_image; then
	eval "really_$(declare -f put)"
	put() {
		{ [[ ! $1 =~ ^/(etc|usr|opt/certs)/ ]] || remember "$1"; } && really_put "$@"
	}
	remember "$REGISTRY_LOGIN"
	installSecureTLSBootstrapClient() {
		on ENABLE_SECURE_TLS_BOOTSTRAPPING || { remember "$BIN/aks-secure-tls-bootstrap-client" && rm -f "$BIN/aks-secure-tls-bootstrap-client"; }
	}
	ensure_reserved_cgroups() { :; }
else
	seal_image
fi
#EOF
