#!/bin/bash
# Steps that write configuration and start the units that read it. Sourced by provision.sh.
# Joined from configs/ by the build; see parts/README.md.

#include provisioning/configs/files.sh
#include provisioning/configs/inputs.sh
#include provisioning/configs/demands.sh
#include provisioning/configs/logs.sh
#include provisioning/configs/machine.sh
#include provisioning/configs/accounts.sh
#include provisioning/configs/proxy.sh
#include provisioning/configs/trust.sh
#include provisioning/configs/network.sh
#include provisioning/configs/network_cards.sh
#include provisioning/configs/kernel.sh
#include provisioning/configs/swap.sh
#include provisioning/configs/containerd.sh
#include provisioning/configs/reserved_memory.sh
#include provisioning/configs/localdns.sh
#include provisioning/configs/cloud_provider.sh
#include provisioning/configs/certificates.sh
#include provisioning/configs/secure_tls_bootstrap.sh
#include provisioning/configs/connectivity.sh
#include provisioning/configs/kubelet.sh
#include provisioning/configs/credential_provider.sh
#include provisioning/configs/gpu.sh
#EOF
