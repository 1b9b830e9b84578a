#!/bin/bash
# How programs are installed on Flatcar: as system extensions. Sourced by provision.sh.

#include provisioning/shared/no_package_manager.sh
#include provisioning/shared/sysext.sh

before_kube_sysext() { :; }

# A service of the image builds the driver at boot.
install_gpu_driver() {
	enable_and_start nvidia.service 600 || fail "$ERR_GPU_DRIVERS_START_FAIL" 'nvidia.service does not build the GPU driver'
}

after_gpu_driver() { :; }
install_fabric_manager() { :; }

install_managed_gpu_packages() {
	fail "$ERR_MANAGED_NVIDIA_EXP_INSTALL_FAIL" 'the managed GPU experience is not available for Flatcar'
}
#EOF
