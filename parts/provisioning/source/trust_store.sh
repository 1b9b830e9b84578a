# shellcheck shell=bash
# The trust store of the operating system.

# Sets the directory for certificates of the customer, the suffix that its tool expects, and the command that updates the store.
# Needs `read_os`.
# shellcheck disable=SC2034 # other scripts read these
read_trust_store() {
	CA_SUFFIX=crt
	case $OS_FAMILY in
	acl | osguard) CA_ANCHORS=/etc/pki/ca-trust/source/anchors CA_COMMAND=(update-ca-trust) ;;
	mariner) CA_ANCHORS=/usr/share/pki/ca-trust-source/anchors CA_COMMAND=(update-ca-trust) ;;
	flatcar) CA_ANCHORS=/etc/ssl/certs CA_SUFFIX=pem CA_COMMAND=(update-ca-certificates) ;;
	*) CA_ANCHORS=/usr/local/share/ca-certificates CA_COMMAND=(update-ca-certificates) ;;
	esac
}
