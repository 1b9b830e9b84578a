# shellcheck shell=bash
# Families whose network cards systemd-networkd configures.

configure_network_card() {
	networkd_network_card "$@"
}
