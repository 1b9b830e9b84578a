# shellcheck shell=bash
# Writes files without which the run cannot continue.
# shellcheck disable=SC2034 # other scripts read these

readonly KUBERNETES=/etc/kubernetes
readonly KUBELET_DROPINS=$UNITS/kubelet.service.d
readonly CONTAINERD_DROPINS=$UNITS/containerd.service.d
readonly KUBELET_ROOT=/var/lib/kubelet

# As `put`, but ends the run if the file cannot be written.
must_put() {
	put "$@" || fail "$ERR_NODE_FILE_WRITE_FAIL" "$1 cannot be written"
}

must_put_text() {
	put_text "$@" || fail "$ERR_NODE_FILE_WRITE_FAIL" "$1 cannot be written"
}

must_put_section() {
	put_section "$@" || fail "$ERR_NODE_FILE_WRITE_FAIL" "$1 cannot be written"
}

# Writes standard input as a unit or a drop-in: PATH MODE, with a path below /etc/systemd/system. Other users may read some; such a file
# is not written again if it is the same.
must_put_unit() {
	local path=$UNITS/$1 mode=$2 text there=
	IFS= read -r -d '' text || true
	if [ "$mode" = 0644 ] && [ -f "$path" ] && [ ! -L "$path" ]; then
		IFS= read -r -d '' there <"$path" || true
		[ "$there" != "$text" ] || return 0
	fi
	UNITS_CHANGED=yes
	must_put "$path" "$mode" printf %s "$text"
}

# Writes the bytes of a variable that carries base64: PATH MODE VARIABLE.
must_put_decoded() {
	is_base64 "${!3:-}" || fail "$ERR_NODE_INPUT_INVALID" "$3 must be base64"
	must_put "$1" "$2" decoded "$3"
}
