#!/bin/bash
# Steps that install programs: from the image, from packages, from addresses, from a registry. Sourced by provision.sh.
# Joined from installs/ by the build; see parts/README.md.

#include provisioning/installs/origins.sh
#include provisioning/installs/packages.sh
#include provisioning/installs/tools.sh
#include provisioning/installs/gpu.sh
#include provisioning/installs/bootstrap_client.sh
#include provisioning/installs/registry.sh
#include provisioning/installs/container_runtime.sh
#include provisioning/installs/network_plugins.sh
#include provisioning/installs/kubernetes.sh
#include provisioning/installs/credential_provider.sh
#EOF
