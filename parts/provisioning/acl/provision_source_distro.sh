#!/bin/bash
# What Azure Container Linux does its own way. Sourced by provision.sh.
# shellcheck source=../provision_source.sh

holdWALinuxAgent() { :; }
releaseWALinuxAgent() { :; }

# The image is replaced as a whole.
configureUnattendedUpgrades() { :; }

configureNic() {
	networkd_nic "$@"
}

# A reload does not take new files here.
applyNics() {
	retry 5 5 30 systemctl restart systemd-networkd.service
}

configureMessageOfTheDayOfDistro() { :; }
#EOF
