#!/bin/bash
# What is different on Azure Container Linux. Sourced by provision.sh.

#include provisioning/shared/no_package_updates.sh
#include provisioning/shared/networkd.sh

# `networkctl reload` does not apply new files here.
apply_network_cards() {
	retry 5 5 30 systemctl restart systemd-networkd.service
}
#EOF
