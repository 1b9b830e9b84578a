#!/bin/bash
# What is different on Azure Linux with OS Guard. Sourced by provision.sh.

#include provisioning/shared/no_package_updates.sh
#include provisioning/shared/networkd.sh
#include provisioning/shared/search_domains.sh

apply_network_cards() {
	retry 5 3 10 networkctl reload
}
#EOF
