# shellcheck shell=bash
# Writes files without which the run cannot go on.
# shellcheck disable=SC2034 # other scripts read these

readonly KUBERNETES=/etc/kubernetes
readonly KUBELET_DROPINS=$UNITS/kubelet.service.d
readonly CONTAINERD_DROPINS=$UNITS/containerd.service.d
readonly KUBELET_ROOT=/var/lib/kubelet

# Writes a file of the node's configuration, or ends the run: what follows needs it.
must_put() {
	put "$@" || fail "$ERR_NODE_FILE_WRITE_FAIL" "$1 cannot be written"
}

must_put_text() {
	put_text "$@" || fail "$ERR_NODE_FILE_WRITE_FAIL" "$1 cannot be written"
}

must_put_section() {
	put_section "$@" || fail "$ERR_NODE_FILE_WRITE_FAIL" "$1 cannot be written"
}

# Writes the bytes of a variable that carries base64: PATH MODE VARIABLE.
must_put_decoded() {
	decoded "$3" >/dev/null || fail "$ERR_NODE_INPUT_INVALID" "$3 is not base64"
	must_put "$1" "$2" decoded "$3"
}
