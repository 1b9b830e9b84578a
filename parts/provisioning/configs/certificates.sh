# shellcheck shell=bash
# Certificates of the cluster and of kubelet, and the configuration of kubelet that names them.

# The mode is 0600 because only kubelet and other services of root read certificates.
ensureKubeCACert() {
	must_put "$KUBERNETES/certs/ca.crt" 0600 decoded_certificate KUBE_CA_CRT
}

# Creates the self-signed certificate that kubelet serves, in each run: machines that are made from the same image must not share
# a key. The certificate is removed first and renamed last, so it never exists without its key. openssl keeps the mode of a file that
# exists.
make_serving_certificate() {
	local dir=$KUBERNETES/certs name=${HOSTNAME,,} key certificate
	key=$dir/.kubeletserver.key.new certificate=$dir/.kubeletserver.crt.new
	[ -d "$dir" ] || mkdir -p "$dir" || return
	rm_existing "$key" "$certificate"
	if (umask 077 && : >"$key") && : >"$certificate" &&
		openssl req -x509 -newkey rsa:2048 -nodes -days 7300 -subj "/CN=$name" -addext "subjectAltName=DNS:$name" \
			-keyout "$key" -out "$certificate" 2>/dev/null &&
		{ [ ! -e "$dir/kubeletserver.crt" ] || rm -f "$dir/kubeletserver.crt"; } &&
		mv -fT "$key" "$dir/kubeletserver.key" && mv -fT "$certificate" "$dir/kubeletserver.crt"; then
		return 0
	fi
	rm -f "$key" "$certificate"
	return 1
}

# Beside other steps, it is not interrupted, because it would leave half of a pair. openssl needs a second at most.
makeServingCertificate() {
	[ "$BASHPID" = "$$" ] || trap '' TERM
	make_serving_certificate || fail "$ERR_NODE_FILE_WRITE_FAIL" "kubelet's serving certificate cannot be created"
}

# Whether kubelet's serving certificate is self-signed, whatever the tags of the machine say. Its key takes longer than other steps.
makes_serving_certificate_early() {
	! makes_an_image && ! on ENABLE_KUBELET_SERVING_CERTIFICATE_ROTATION
}

# Changes kubelet's configuration file, if there is one, with a jq filter: FILTER.
# shellcheck disable=SC2034 # a later step writes it
change_kubelet_config() {
	local changed
	given KUBELET_CONFIG_FILE_CONTENT || return 0
	changed=$(decoded KUBELET_CONFIG_FILE_CONTENT | jq --indent 4 "$1") ||
		fail "$ERR_NODE_INPUT_INVALID" 'KUBELET_CONFIG_FILE_CONTENT must be base64 of JSON'
	KUBELET_CONFIG_FILE_CONTENT=$(base64 --wrap=0 <<<"$changed")
}

# Decides whether kubelet's serving certificate comes from the cluster or is self-signed. A tag of the machine opts out of the
# cluster's. Changes KUBELET_FLAGS, KUBELET_CONFIG_FILE_CONTENT and KUBELET_NODE_LABELS, so it comes before the steps that write
# them. https://learn.microsoft.com/azure/aks/certificate-rotation#kubelet-serving-certificate-rotation
# shellcheck disable=SC2034 # later steps write them
configureKubeletServing() {
	local label=kubernetes.azure.com/kubelet-serving-ca
	! makes_serving_certificate_early || return 0
	if on ENABLE_KUBELET_SERVING_CERTIFICATE_ROTATION; then
		has_tags ||
			fail "$ERR_LOOKUP_DISABLE_KUBELET_SERVING_CERTIFICATE_ROTATION_TAG" 'the tags of this machine cannot be read from the metadata'
		if ! has_tag aks-disable-kubelet-serving-certificate-rotation; then
			KUBELET_FLAGS=$(list_without ' ' "$KUBELET_FLAGS" --tls-cert-file --tls-private-key-file)
			change_kubelet_config 'del(.tlsCertFile, .tlsPrivateKeyFile)'
			KUBELET_NODE_LABELS=$(list_with , "${KUBELET_NODE_LABELS:-}" "$label=cluster")
			return 0
		fi
		if kubelet_flag --rotate-server-certificates >/dev/null; then
			KUBELET_FLAGS=$(list_with ' ' "$KUBELET_FLAGS" --rotate-server-certificates=false)
		fi
		change_kubelet_config '.serverTLSBootstrap = false'
		KUBELET_NODE_LABELS=$(list_without , "${KUBELET_NODE_LABELS:-}" "$label")
	fi
	makeServingCertificate
}

# Writes the client certificate, which only clusters without TLS bootstrapping have, and kubelet's configuration file.
configureK8s() {
	if given APISERVER_PUBLIC_KEY; then
		must_put_decoded "$KUBERNETES/certs/apiserver.crt" 0644 APISERVER_PUBLIC_KEY
	fi
	if ! on ENABLE_SECURE_TLS_BOOTSTRAPPING && ! given TLS_BOOTSTRAP_TOKEN && given KUBELET_CLIENT_CONTENT; then
		must_put_decoded "$KUBERNETES/certs/client.key" 0600 KUBELET_CLIENT_CONTENT
		must_put_decoded "$KUBERNETES/certs/client.crt" 0644 KUBELET_CLIENT_CERT_CONTENT
	fi
	if on KUBELET_CONFIG_FILE_ENABLED; then
		must_put_decoded /etc/default/kubeletconfig.json 0600 KUBELET_CONFIG_FILE_CONTENT
		must_put_unit kubelet.service.d/10-componentconfig.conf 0600 <<'UNIT'
#include provisioning/units/kubelet.service.d/10-componentconfig.conf
UNIT
	fi
}
