#!/bin/bash

readonly BEFORE_STAGE=/opt/azure/containers/before_image_stage

remember() {
	[ "$1" != "$CONTAINERD_DROPINS/exec_start.conf" ] || return 0
	! grep -qsxF "$1" "$BEFORE_STAGE/list" || return 0
	mkdir -p "$BEFORE_STAGE${1%/*}" && { [ ! -e "$1" ] || cp -a "$1" "$BEFORE_STAGE$1"; } && printf '%s\n' "$1" >>"$BEFORE_STAGE/list"
}

choices() {
	local path
	for path in /opt/bin/kube*-* /opt/*/downloads/* /opt/cni/bin/* /etc/extensions/*; do
		if [ -e "$path" ] || [ -L "$path" ]; then
			printf '%s\n' "$path"
		fi
	done
}

remember_choices() {
	[ ! -e "$BEFORE_STAGE/choices" ] || return 0
	local path
	mkdir -p "$BEFORE_STAGE" && choices >"$BEFORE_STAGE/choices.new" || return
	while IFS= read -r path; do
		mkdir -p "$BEFORE_STAGE${path%/*}" && rm -rf "$BEFORE_STAGE$path" && cp -al "$path" "$BEFORE_STAGE$path" || return
	done <"$BEFORE_STAGE/choices.new"
	mv -f "$BEFORE_STAGE/choices.new" "$BEFORE_STAGE/choices"
}

restore_choices() {
	local path
	while IFS= read -r path; do
		if [ -e "$path" ] || [ -L "$path" ]; then
			continue
		fi
		list_choice unused "$path" && mkdir -p "${path%/*}" && cp -al "$BEFORE_STAGE$path" "$path" || return
	done <"$BEFORE_STAGE/choices"
	while IFS= read -r path; do
		list_choice added "$path" || return
	done < <(choices | grep -vxF -f "$BEFORE_STAGE/choices")
}

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

seal_image() {
	local path
	if [ -e "$BEFORE_STAGE/choices" ]; then
		restore_choices || fail "$ERR_NODE_FILE_WRITE_FAIL" 'programs of the image cannot be put back'
	fi
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
	{ remember_choices && remember "$REGISTRY_LOGIN"; } || fail "$ERR_NODE_FILE_WRITE_FAIL" "$BEFORE_STAGE cannot be written"
	installSecureTLSBootstrapClient() {
		on ENABLE_SECURE_TLS_BOOTSTRAPPING || { remember "$BIN/aks-secure-tls-bootstrap-client" && rm -f "$BIN/aks-secure-tls-bootstrap-client"; }
	}
	ensure_reserved_cgroups() { :; }
else
	seal_image
fi
#EOF
