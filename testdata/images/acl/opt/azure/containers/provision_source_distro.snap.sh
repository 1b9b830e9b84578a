#!/bin/bash


holdWALinuxAgent() { :; }
releaseWALinuxAgent() { :; }
configureUnattendedUpgrades() { :; }
prepare_message_of_the_day() { :; }

configure_network_card() {
	networkd_network_card "$@"
}

apply_network_cards() {
	retry 5 5 30 systemctl restart systemd-networkd.service
}
#EOF
