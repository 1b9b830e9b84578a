#!/bin/bash
# How programs are installed on Azure Linux with OS Guard: packages are unpacked below /opt, because /usr is read-only. Sourced
# by provision.sh.

#include provisioning/shared/no_package_manager.sh
#include provisioning/shared/rpm.sh

# shellcheck disable=SC2034 # shared/rpm.sh reads it
RPM_DOWNLOAD=(tdnf install --assumeyes --downloadonly --downloaddir)

fail_without_gpu_support() {
	fail "$ERR_GPU_DRIVERS_START_FAIL" 'OS Guard does not support GPU nodes'
}

install_gpu_driver() { fail_without_gpu_support; }
install_fabric_manager() { fail_without_gpu_support; }
install_managed_gpu_packages() { fail_without_gpu_support; }
#EOF
