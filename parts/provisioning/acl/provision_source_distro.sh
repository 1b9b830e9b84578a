#!/bin/bash
# What Azure Container Linux does its own way. Sourced by provision.sh.
# shellcheck source=../provision_source.sh

holdWALinuxAgent() { :; }
releaseWALinuxAgent() { :; }

# The image is replaced as a whole.
configureUnattendedUpgrades() { :; }

configure_network_card() {
	networkd_network_card "$@"
}

# A reload does not take new files here.
apply_network_cards() {
	retry 5 5 30 systemctl restart systemd-networkd.service
}

prepare_message_of_the_day() { :; }
#EOF
