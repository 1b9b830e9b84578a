# shellcheck shell=bash
# Families whose systems cannot install packages: the image has a program, or the node cannot be provisioned.

install_tool_packages() { return 1; }
installDeps() { :; }
install_containerd_package() { command -v containerd >/dev/null; }
install_package_file() { return 1; }
install_reference_plugins_package() { return 1; }
cleanUpGPUDrivers() { remove_gpu_files; }
setupAmdAma() { log 'the driver of this accelerator is available for Azure Linux only'; }
