#!/bin/bash
# What Azure Linux with OS Guard does its own way: /usr is read-only, and packages are only unpacked. Sourced by provision.sh.
# shellcheck source=../provision_source.sh

holdWALinuxAgent() { :; }
releaseWALinuxAgent() { :; }

# The image is replaced as a whole.
configureUnattendedUpgrades() { :; }

configure_network_card() {
	networkd_network_card "$@"
}

apply_network_cards() {
	retry 5 3 10 networkctl reload
}

prepare_message_of_the_day() { :; }
#EOF
