#!/bin/bash
# What is different on Flatcar. Sourced by provision.sh.

#include provisioning/shared/no_package_updates.sh
#include provisioning/shared/networkd.sh

apply_network_cards() {
	retry 5 3 10 networkctl reload
}
#EOF
