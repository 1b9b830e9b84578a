#!/bin/bash


install_tool_packages() { return 1; }
installDeps() { :; }
install_containerd_package() { command -v containerd >/dev/null; }
install_package_file() { return 1; }
install_reference_plugins_package() { return 1; }
cleanUpGPUDrivers() { remove_gpu_files; }
setupAmdAma() { log 'the driver of this accelerator is available for Azure Linux only'; }

has_kube_packages() { :; }
install_packaged_program() { extract_program "$@"; }

package_pattern() {
	printf '%s-%s[-~]*.rpm' "$1" "$2"
}

download_package() {
	retry 10 5 120 "${RPM_DOWNLOAD[@]}" "$3" "$1-$2"
}

RPM_DOWNLOAD=(tdnf install --assumeyes --downloadonly --downloaddir)

fail_without_gpu_support() {
	fail "$ERR_GPU_DRIVERS_START_FAIL" 'OS Guard does not support GPU nodes'
}

install_gpu_driver() { fail_without_gpu_support; }
install_fabric_manager() { fail_without_gpu_support; }
install_managed_gpu_packages() { fail_without_gpu_support; }
#EOF
