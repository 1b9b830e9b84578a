#!/bin/bash
# What Flatcar does its own way. Sourced by provision.sh.
# shellcheck source=../provision_source.sh

holdWALinuxAgent() { :; }
releaseWALinuxAgent() { :; }

# The image is replaced as a whole.
configureUnattendedUpgrades() { :; }

configureNic() {
	networkd_nic "$@"
}

applyNics() {
	retry 5 3 10 networkctl reload
}

configureMessageOfTheDayOfDistro() { :; }
#EOF
