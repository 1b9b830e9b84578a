#!/usr/bin/env bash
# Nodes of other families, with hardware, and of isolated clusters: stand-ins tell how they were called.
# Sourced by machine.sh, which calls one of these functions.
# shellcheck disable=SC2154,SC2016,SC2034 # machine.sh has the names; what is quoted is for the machine

# Makes the machine one of another family: NAME of `bake`, ID, VERSION_ID, VARIANT_ID.
use_family() {
	printf 'ID=%s\nVERSION_ID="%s"\nVARIANT_ID=%s\n' "$2" "$3" "${4:-}" >"$root/etc/os-release.new"
	rm "$root/etc/os-release"
	mv "$root/etc/os-release.new" "$root/etc/os-release"
	"$program" bake --root "$root" --os "$1" >/dev/null 2>&1
	rm -f "$root/etc/systemd/system/containerd.service"
}

# Programs of Kubernetes as the packages that an image of Ubuntu has.
cache_debian_packages() {
	local name
	for name in kubelet kubectl; do
		rm -rf "$test/package"
		mkdir -p "$test/package/DEBIAN" "$test/package/usr/bin" "$root/opt/$name/downloads"
		printf 'Package: %s\nVersion: %s-ubuntu24.04u1\nArchitecture: amd64\nMaintainer: test <test@example.com>\nDescription: test\n' "$name" "$version" >"$test/package/DEBIAN/control"
		cp "$test/tree/kubernetes/node/bin/$name" "$test/package/usr/bin/$name"
		dpkg-deb --build --nocheck "$test/package" "$root/opt/$name/downloads/${name}_$version-ubuntu24.04u1_amd64.deb" >/dev/null
	done
}

# Programs of Kubernetes as a package file that a stand-in for its tool unpacks.
cache_package() {
	local name
	for name in kubelet kubectl; do
		mkdir -p "$root/opt/$name/downloads" "$test/package/usr/bin"
		cp "$test/tree/kubernetes/node/bin/$name" "$test/package/usr/bin/$name"
		tar -cf "$root/opt/$name/downloads/$name-$version-1.rpm" -C "$test/package" usr
	done
	mkdir -p "$root/opt/azure-acr-credential-provider/downloads"
	cp "$test/tree/acr-credential-provider" "$test/package/usr/bin/azure-acr-credential-provider"
	tar -cf "$root/opt/azure-acr-credential-provider/downloads/azure-acr-credential-provider-${version%.*}.0-1.rpm" -C "$test/package" usr
	stand_in rpm2cpio 'cat "$1"'
	stand_in cpio 'exec tar -xf -'
}

use_version() {
	version=$1
	rm -rf "$test/files" "$test/tree"
	make_archives
}

readonly provider_flags='--client-ca-file=/etc/kubernetes/certs/ca.crt --image-credential-provider-config=/var/lib/kubelet/credential-provider-config.yaml --image-credential-provider-bin-dir=/var/lib/kubelet/credential-provider'

## Families

ubuntu_with_packages() {
	local name
	use_version 1.34.1
	use_family ubuntu ubuntu 24.04
	cache_debian_packages
	mkdir -p "$root/etc/update-motd.d" "$root/run/systemd/resolve"
	for name in apt-daily apt-daily-upgrade; do
		printf '[Service]\nType=oneshot\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n' >"$root/etc/systemd/system/$name.service"
		printf '[Timer]\nOnCalendar=daily\n[Install]\nWantedBy=timers.target\n' >"$root/etc/systemd/system/$name.timer"
	done
	printf '[Timer]\nOnCalendar=daily\n[Install]\nWantedBy=timers.target\n' >"$root/etc/systemd/system/snapshot-update.timer"
	printf '[Service]\nExecStart=/bin/true\n' >"$root/etc/systemd/system/snapshot-update.service"
	printf 'install esp4 /bin/false\nblacklist esp4\noptions other x=1\n' >"$root/etc/modprobe.d/stale.conf"
	stand_in uname 'case $1 in -r) echo 6.8.0-1058-azure ;; *) exec /bin/uname "$@" ;; esac'
	stand_in dpkg '[ "$1" != --set-selections ] || cat >>/opt/test/selections'
	start_machine
	run_well SKIP_WAAGENT_HOLD=false ENABLE_UNATTENDED_UPGRADES=true "MESSAGE_OF_THE_DAY=$(base64_of hello)" "KUBELET_FLAGS=$provider_flags"
	expect 'kubelet is the packages' test "$(inside /opt/bin/kubelet --version)" = 'Kubernetes v1.34.1'
	expect 'the agent was held' has_line /opt/test/selections 'walinuxagent hold'
	eventually 'the agent is released' has_line /opt/test/selections 'walinuxagent install'
	expect 'upgrades are on' has_text /etc/apt/apt.conf.d/99periodic 'Unattended-Upgrade "1"'
	expect 'upgrades are scheduled' inside systemctl is-enabled --quiet apt-daily-upgrade.timer
	expect 'live patching is scheduled' inside systemctl is-active --quiet snapshot-update.timer
	expect 'the message is shown' mode_of /etc/update-motd.d/99-aks-custom-motd 755
	expect 'a fixed kernel keeps no module out' not has_text /etc/modprobe.d/stale.conf esp4
	expect 'other rules stay' has_text /etc/modprobe.d/stale.conf 'options other'
}

# The stage takes one of the versions that the image has, and the node another one.
an_image_keeps_its_versions() {
	local name
	use_family ubuntu ubuntu 24.04
	stand_in uname 'case $1 in -r) echo 6.8.0-1058-azure ;; *) exec /bin/uname "$@" ;; esac'
	stand_in dpkg
	mkdir -p "$root/run/systemd/resolve"
	for version in 1.34.2 1.34.1; do
		use_version "$version"
		cache_debian_packages
	done
	for name in kubelet kubectl; do
		put_program "$root/opt/bin/$name-1.32.9" <<<'#!/bin/sh
echo "Kubernetes v1.32.9 of the image"'
	done
	mkdir -p "$root/opt/cni/downloads/cni-plugins-linux-amd64-v1.6.2"
	cp "$test/tree/azure-vnet" "$root/opt/cni/downloads/cni-plugins-linux-amd64-v1.6.2/of-the-image"
	start_machine
	variables PRE_PROVISION_ONLY=true "KUBELET_FLAGS=$provider_flags"
	run_scripts
	expect 'the stage is marked' test -e "$containers/base_prep.complete"
	for name in kubelet kubectl; do
		expect "$name has two packages" test "$(find "$root/opt/$name/downloads" -name '*.deb' | wc -l)" = 2
		expect "$name 1.32.9 is kept" test "$(inside "/opt/bin/$name-1.32.9")" = 'Kubernetes v1.32.9 of the image'
	done
	expect 'the plugins are kept' test -x "$root/opt/cni/downloads/cni-plugins-linux-amd64-v1.6.2/of-the-image"
	expect 'nothing is kept twice' not is_there /opt/azure/containers/before_image_stage
	variables KUBERNETES_VERSION=1.34.2 "KUBELET_FLAGS=$provider_flags"
	run_scripts
	expect 'the node is made' is_complete
	expect 'kubelet is that of the other package' test "$(inside /opt/bin/kubelet --version)" = 'Kubernetes v1.34.2'
	expect 'other versions go' test -z "$(find "$root/opt/bin" -name 'kubelet-*')"
	expect 'the lists go' test -z "$(find "$root/opt" -name unused -o -name added)"
}

a_kernel_with_the_hole() {
	use_family ubuntu ubuntu 22.04
	stand_in uname 'case $1 in -r) echo 5.15.0-1115-azure ;; *) exec /bin/uname "$@" ;; esac'
	stand_in dpkg
	start_machine
	run_well
	expect 'modules are kept out' has_line /etc/modprobe.d/disable-rxrpc.conf 'install rxrpc /bin/false'
}

azure_linux() {
	use_version 1.34.1
	use_family azurelinux azurelinux 3.0
	cache_package
	mkdir -p "$root/usr/share/pki/ca-trust-source/anchors" "$root/etc/dnf"
	# As dnf-automatic brings it. https://dnf.readthedocs.io/en/latest/automatic.html
	printf '[commands]\nupgrade_type = default\napply_updates = no\n[emitters]\nemit_via = motd\n' >"$root/etc/dnf/automatic.conf"
	stand_in update-ca-trust
	printf '#!/bin/bash\necho "update-ca-trust $*" >>/opt/test/calls\n' | put_program "$root/usr/local/sbin/update-ca-trust"
	printf '[Timer]\nOnCalendar=daily\n[Install]\nWantedBy=timers.target\n' >"$root/etc/systemd/system/dnf-automatic-install.timer"
	printf '[Service]\nType=oneshot\nExecStart=/bin/true\n' >"$root/etc/systemd/system/dnf-automatic-install.service"
	start_machine
	run_well ENABLE_UNATTENDED_UPGRADES=true SHOULD_CONFIGURE_CUSTOM_CA_TRUST=true CUSTOM_CA_TRUST_COUNT=1 \
		"CUSTOM_CA_CERT_0=$(base64 -w 0 <"$test/authority.pem")" SHOULD_CONFIG_TRANSPARENT_HUGE_PAGE=true THP_ENABLED=madvise \
		"MESSAGE_OF_THE_DAY=$(base64_of hello)" "KUBELET_FLAGS=$provider_flags"
	expect 'the CA is in the trust store' is_there /usr/share/pki/ca-trust-source/anchors/aks-custom-00000000000000cert0.crt
	expect 'the trust store was updated' was_called update-ca-trust
	expect 'upgrades are scheduled' inside systemctl is-active --quiet dnf-automatic-install.timer
	expect 'huge pages come back' inside systemctl is-active --quiet aks-transparent-hugepage.service
	expect 'dnf leaves the message alone' has_line /etc/dnf/automatic.conf 'emit_via = stdio'
	expect 'search domains are used' has_line /etc/systemd/networkd.conf UseDomains=yes
}

os_guard() {
	use_version 1.34.1
	use_family osguard azurelinux 3.0 osguard
	cache_package
	start_machine
	run_well
	expect 'modules are kept out' has_line /etc/modprobe.d/disable-rxrpc.conf 'blacklist rxrpc'
}

with_system_extensions() {
	local name
	use_version 1.34.1
	use_family "$@"
	for name in kubelet kubectl; do
		mkdir -p "$root/opt/$name/downloads"
		# Names as in the scenarios of the reference: version, counter, architecture as systemd names it.
		cp "$test/tree/kubernetes/node/bin/$name" "$root/opt/$name/downloads/$name-v$version-1-x86-64.raw"
	done
	name=azure-acr-credential-provider
	mkdir -p "$root/opt/$name/downloads"
	cp "$test/tree/acr-credential-provider" "$root/opt/$name/downloads/$name-v$version-1-x86-64.raw"
	stand_in chown 'exec /bin/chown "$@"'
	stand_in chmod 'exec /bin/chmod "$@"'
	# Merging puts them below /usr.
	stand_in systemd-sysext 'for image in /etc/extensions/*.raw; do name=${image##*/}; cp -L "$image" "/usr/bin/${name%.raw}"; chmod 0755 "/usr/bin/${name%.raw}"; done'
	start_machine
	run_well "KUBELET_FLAGS=$provider_flags"
	expect 'what an extension brings is read-only' not was_called 'ch(own|mod) .*/opt/bin/kube'
	expect 'kubelet is the extensions' test "$(readlink "$root/opt/bin/kubelet")" = /usr/bin/kubelet
	expect 'the extension is linked' test "$(readlink "$root/etc/extensions/kubelet.raw")" = "/opt/kubelet/downloads/kubelet-v$version-1-x86-64.raw"
	expect 'the provider is the extensions' test "$(readlink "$root/var/lib/kubelet/credential-provider/acr-credential-provider")" = /usr/bin/azure-acr-credential-provider
}

flatcar() { with_system_extensions flatcar flatcar 4230.2.1; }

azure_container_linux() {
	with_system_extensions acl azurecontainerlinux 3.0
	expect 'the extension does not start kubelet' test "$(readlink "$root/etc/systemd/system/multi-user.target.d/10-kubelet-kubelet.conf")" = /dev/null
}

# An image stage pulls extensions of one version, and its node is of another one.
extensions_of_the_image_are_of_another_version() {
	local name number
	for number in 1 2; do
		use_version "1.34.$number"
		for name in kubelet kubectl; do
			cp "$test/tree/kubernetes/node/bin/$name" "$test/$name-v$version.raw"
		done
		cp "$test/tree/acr-credential-provider" "$test/azure-acr-credential-provider-v$version.raw"
	done
	use_family flatcar flatcar 4230.2.1
	# The names of tags and files are those of the registry.
	stand_in oras 'reference=${!#} dir=
while [ $# -gt 1 ]; do [ "$1" != --output ] || dir=$2; shift; done
name=${reference##*/} tag=${reference##*:}
name=${name%%-sysext*}
case $dir in
"") printf "v1.34.%s-1-azlinux3-x86-64\n" 1 2 ;;
*) cp "/opt/test/$name-${tag%%-*}.raw" "$dir/$name-${tag%%-*}-1-x86-64.raw" ;;
esac'
	stand_in systemd-sysext 'for image in /etc/extensions/*.raw; do name=${image##*/}; cp -L "$image" "/usr/bin/${name%.raw}"; chmod 0755 "/usr/bin/${name%.raw}"; done'
	start_machine
	variables PRE_PROVISION_ONLY=true KUBERNETES_VERSION=1.34.1 "KUBELET_FLAGS=$provider_flags"
	run_scripts
	expect 'the stage is marked' test -e "$containers/base_prep.complete"
	for name in kubelet kubectl azure-acr-credential-provider; do
		expect "the image has the extension $name" is_there "/opt/$name/downloads/$name-v1.34.1-1-x86-64.raw"
	done
	run_well "KUBELET_FLAGS=$provider_flags"
	expect 'kubelet is that of the other extension' test "$(inside /opt/bin/kubelet --version)" = 'Kubernetes v1.34.2'
	for name in kubelet kubectl azure-acr-credential-provider; do
		expect "the extension $name of the image goes" test "$(cd "$root/opt/$name/downloads" && printf '%s\n' *)" = "$name-v1.34.2-1-x86-64.raw"
		expect "$name is linked" test "$(readlink "$root/etc/extensions/$name.raw")" = "/opt/$name/downloads/$name-v1.34.2-1-x86-64.raw"
	done
	expect 'the lists go' test -z "$(find "$root/opt" -name unused -o -name added)"
}

an_extension_is_missing() {
	use_version 1.34.1
	use_family flatcar flatcar 4230.2.1
	stand_in oras 'exit 1'
	stand_in systemd-sysext
	start_machine
	variables KUBE_BINARY_URL=
	run_scripts
	[ "$code" = 231 ] || fail "the scripts end with $code"
	expect 'the reason names it' reason 'package of Kubernetes 1.34.1'
	rm -f "$containers/provision.complete"
	run_well
	expect 'kubelet is the archives' test ! -L "$root/opt/bin/kubelet"
	expect 'nothing is merged' not is_there /etc/extensions/kubelet.raw
}

## GPUs

# A driver and what belongs to it, all working.
make_gpu() {
	local name
	stand_in nvidia-modprobe
	stand_in nvidia-smi
	stand_in dkms
	stand_in shutdown
	stand_in ctr 'case $* in *" images "* | *" run "*) ;; *) exec /usr/bin/ctr "$@" ;; esac'
	for name in nvidia-fabricmanager nvidia-gridd nvidia-device-plugin nvidia-dcgm nvidia-dcgm-exporter dra-driver-nvidia-gpu; do
		printf '[Service]\nExecStart=/bin/sleep infinity\n[Install]\nWantedBy=multi-user.target\n' >"$root/etc/systemd/system/$name.service"
	done
	for name in nvidia-device-plugin dra-driver-nvidia-gpu datacenter-gpu-manager-4-core datacenter-gpu-manager-4-proprietary dcgm-exporter; do
		mkdir -p "$root/opt/$name/downloads"
		: >"$root/opt/$name/downloads/${name}_1.0.deb"
		: >"$root/opt/$name/downloads/$name-1.0.rpm"
	done
	stand_in apt-get
	# repoquery prints the epoch, rpm does not: https://dnf.readthedocs.io/en/latest/command_ref.html#repoquery-command
	stand_in dnf 'case $* in
*repoquery*amd-*) echo "amd-ama-driver-0:1.5.0_20260424_$(uname -r | tr - .)" ;;
*repoquery*) echo "${*: -1}" | sed "s/\*$/-580.1.2-1_$(uname -r | tr - .)/" ;;
esac'
	stand_in rpm 'case $* in "-qa cuda-open") echo "cuda-open-580.1.2-1_x" ;; "-q "*) exit 1 ;; esac'
	stand_in nvidia-ctk
	printf '#!/bin/sh\nexec /bin/sleep infinity\n' | put_program "$root/usr/bin/gpu-kubelet-plugin"
	cp "$root/opt/bin/nvidia-smi" "$root/usr/local/sbin/"
	printf '#!/bin/sh\n/bin/sleep infinity &\n' | put_program "$root/usr/bin/nvidia-persistenced"
}

readonly gpu=(GPU_NODE=true CONFIG_GPU_DRIVER_IF_NEEDED=true GPU_DRIVER_TYPE=cuda GPU_DRIVER_VERSION=580.1.2 GPU_IMAGE_SHA=20260101)

gpu_on_ubuntu() {
	use_family ubuntu ubuntu 22.04
	stand_in dpkg
	make_gpu
	set_tag EnableManagedGPUExperience true
	start_machine
	run_well "${gpu[@]}" GPU_NEEDS_FABRIC_MANAGER=true MIG_NODE=true GPU_INSTANCE_PROFILE=MIG1g NVIDIA_MIG_STRATEGY=Mixed
	expect 'the driver was pulled' was_called 'ctr --namespace k8s.io images pull mcr.microsoft.com/aks/aks-gpu-cuda:580.1.2-20260101'
	expect 'the driver was installed' was_called 'ctr --namespace k8s.io run --rm --privileged'
	expect 'the fabric manager runs' inside systemctl is-active --quiet nvidia-fabricmanager.service
	expect 'GPUs are cut' was_called 'nvidia-smi mig --create-gpu-instance 19,19,19,19,19,19,19'
	expect 'the machine boots again' was_called 'shutdown -r \+1'
	expect 'the plugin knows the strategy' has_text /etc/systemd/system/nvidia-device-plugin.service.d/10-device-plugin-config.conf MIG_STRATEGY=mixed
	expect 'the exporter is a label' test "$(jq -r '."node-labels"' "$root/var/lib/kubelet/accepted.json" | grep -c dcgm-exporter=enabled)" = 1
	expect 'the experience is marked' is_there /opt/azure/containers/managed-gpu-experience.enabled
}

gpu_on_azure_linux() {
	use_family azurelinux azurelinux 3.0
	make_gpu
	start_machine
	run_well "${gpu[@]}" GPU_DRIVER_TYPE=grid ENABLE_MANAGED_GPU_DRA=True GPU_NEEDS_FABRIC_MANAGER=true
	expect 'the driver is that of the kernel' was_called 'dnf install --assumeyes nvidia-vgpu-guest-driver-580.1.2-1_'
	expect 'the toolkit is there' was_called 'dnf install --assumeyes nvidia-container-toolkit-1.16.2$'
	expect 'the fabric manager is the drivers' was_called 'dnf install --assumeyes nvidia-fabric-manager-580.1.2 nvidia-fabric-manager-devel-580.1.2'
	expect 'the devices are linked' was_called 'nvidia-ctk system create-dev-char-symlinks --create-all'
	expect 'the licence is fetched' inside systemctl is-active --quiet nvidia-gridd.service
	expect 'the DRA driver runs' inside systemctl is-active --quiet dra-driver-nvidia-gpu.service
	expect 'the device plugin does not' not inside systemctl is-active --quiet nvidia-device-plugin.service
}

gpu_of_an_older_kind() {
	use_family azurelinux azurelinux 3.0
	make_gpu
	jq '.compute.vmSize = "Standard_ND40rs_v2"' "$test/metadata.json" >"$test/new"
	mv "$test/new" "$test/metadata.json"
	start_machine
	run_well "${gpu[@]}"
	expect 'the driver is the proprietary one' was_called 'dnf install --assumeyes cuda-580.1.2-1_'
}

# Images of AKS have the driver under the name of the public cloud.
gpu_in_another_cloud() {
	use_family ubuntu ubuntu 22.04
	stand_in dpkg
	make_gpu
	start_machine
	run_well "${gpu[@]}" MCR_REPOSITORY_BASE=mcr.azure.cn/
	expect 'the driver is the clouds' was_called 'ctr --namespace k8s.io images pull mcr.azure.cn/aks/aks-gpu-cuda:580.1.2-20260101'
	expect 'it has the usual name' was_called 'ctr --namespace k8s.io images tag --force mcr.azure.cn/aks/aks-gpu-cuda:580.1.2-20260101 mcr.microsoft.com/aks/aks-gpu-cuda:580.1.2-20260101'
	expect 'it was installed' was_called 'ctr --namespace k8s.io run .* mcr.microsoft.com/aks/aks-gpu-cuda:580.1.2-20260101'
}

# A node whose tag says that somebody else brings the driver.
gpu_without_a_driver() {
	use_family ubuntu ubuntu 22.04
	stand_in dpkg
	make_gpu
	mkdir -p "$root/opt/azure/aks-gpu" "$root/var/lib/dkms/nvidia/580.1.2"
	printf 'driver_kind=cuda\n' >"$root/opt/azure/aks-gpu/dkms-marker"
	: >"$root/usr/bin/nvidia-debugdump"
	stand_in lsmod 'printf "Module Size Used by\nnvidia_uvm 1 0\nnvidia 1 1 nvidia_uvm\n" | grep -vwFf <(cat /opt/test/unloaded 2>/dev/null)'
	stand_in rmmod 'printf "%s\n" "$1" >>/opt/test/unloaded'
	set_tag SkipGpuDriverInstall True
	start_machine
	run_well "${gpu[@]}"
	expect 'no driver was installed' not was_called 'ctr --namespace k8s.io run'
	expect 'the modules are unloaded' was_called 'rmmod nvidia$'
	expect 'DKMS does not know it' not is_there /var/lib/dkms/nvidia
	expect 'its programs are gone' not is_there /usr/bin/nvidia-debugdump
	expect 'the image is cleaned' not is_there /opt/azure/aks-gpu/dkms-marker
}

# What breaks one GPU node: CODE REASON VARIABLE=VALUE...
gpu_ends_with() {
	local wanted=$1 why=$2
	shift 2
	start_machine
	variables "${gpu[@]}" "$@"
	run_scripts
	[ "$code" = "$wanted" ] || fail "the scripts end with $code, not $wanted"
	expect "the reason says: $why" reason "$why"
}

the_driver_does_not_answer() {
	use_family ubuntu ubuntu 22.04
	make_gpu
	stand_in nvidia-smi 'exit 1'
	gpu_ends_with 84 'nvidia-smi does not answer'
}

the_info_rom_is_corrupted() {
	use_family ubuntu ubuntu 22.04
	make_gpu
	stand_in nvidia-smi 'echo "WARNING: infoROM is corrupted at gpu 0"; exit 14'
	gpu_ends_with 87 'info ROM'
}

the_driver_is_not_pulled() {
	use_family ubuntu ubuntu 22.04
	make_gpu
	stand_in ctr 'case $* in *"images pull"*) exit 1 ;; *" images "*) ;; *) exec /usr/bin/ctr "$@" ;; esac'
	gpu_ends_with 84 'cannot be pulled'
}

no_driver_is_for_the_kernel() {
	use_family azurelinux azurelinux 3.0
	make_gpu
	stand_in dnf
	gpu_ends_with 10 'for the kernel'
}

the_driver_is_for_ubuntu_only() {
	use_family azurelinux azurelinux 3.0
	make_gpu
	gpu_ends_with 224 'for Ubuntu only' GPU_DRIVER_TYPE=grid-v20
}

plugin_and_dra_exclude_each_other() {
	use_family ubuntu ubuntu 22.04
	make_gpu
	gpu_ends_with 123 'exclude each other' ENABLE_MANAGED_GPU=true ENABLE_MANAGED_GPU_DRA=true
}

a_gpu_package_is_missing() {
	use_family ubuntu ubuntu 22.04
	make_gpu
	rm -r "$root/opt/dcgm-exporter"
	gpu_ends_with 227 'no package of dcgm-exporter' ENABLE_MANAGED_GPU=true
}

the_dra_driver_does_not_start() {
	use_family ubuntu ubuntu 22.04
	make_gpu
	rm "$root/etc/systemd/system/dra-driver-nvidia-gpu.service"
	gpu_ends_with 129 'dra-driver-nvidia-gpu.service does not start' ENABLE_MANAGED_GPU_DRA=true
}

an_amd_accelerator() {
	use_family azurelinux azurelinux 3.0
	make_gpu
	jq '.compute.vmSize = "Standard_NM16ads_MA35D"' "$test/metadata.json" >"$test/new"
	mv "$test/new" "$test/metadata.json"
	stand_in sysctl
	start_machine
	run_well
	expect 'the repository comes first' was_called 'dnf install --assumeyes azurelinux-repos-amd'
	expect 'the driver was installed' was_called 'dnf install --assumeyes amd-ama-driver-0:1.5.0_'
	expect 'its firmware was installed' was_called 'dnf install --assumeyes amd-ama-firmware-0:1.5.0_'
	expect 'its core was installed' was_called 'dnf install --assumeyes https://download.microsoft.com/.*/amd-ama-core_1.5.0-'
	expect 'its plugin was installed' was_called 'dnf install --assumeyes amdama-device-plugin.x86_64'
	expect 'its pages are reserved' has_line /etc/sysctl.d/99-ama_transcoder.conf vm.nr_hugepages=4096
}

## Isolated clusters

# A registry that wants a login: the token of the world is the one that opens it.
make_registry() {
	stand_in oras 'case $1/$2$6 in
repo/ls*) [ -e /etc/oras/config.yaml ] || { echo "Error: unauthorized: authentication required" >&2; exit 1; } ;;
login/*) [ "$(cat)" = "$(cat /opt/test/refresh)" ] && printf "secret %s\n" "$(cat /opt/test/refresh)" >/etc/oras/config.yaml ;;
pull/*credential-provider*) cp /opt/test/files/azure-acr-credential-provider-linux-amd64-v1.33.0.tar.gz "$5/" ;;
pull/*) [ ! -e /opt/test/no_pull ] && cp /opt/test/files/kubernetes-node-linux-amd64.tar.gz "$5/" ;;
copy/*) [ ! -e /opt/test/no_copy ] && mkdir -p /opt/pod-infra-container-image && echo "{}" >/opt/pod-infra-container-image/index.json ;;
esac'
	stand_in ctr 'case $* in *" images "*) ;; *) exec /usr/bin/ctr "$@" ;; esac'
}

readonly isolated=(BOOTSTRAP_PROFILE_CONTAINER_REGISTRY_SERVER=registry.test/mirror OUTBOUND_COMMAND=
	PRIVATE_EGRESS_PROXY_ADDRESS=http://10.0.0.1 USER_ASSIGNED_IDENTITY_ID=11111111-2222-3333-4444-555555555555)

an_isolated_cluster() {
	make_registry
	start_machine
	watch_arguments &
	run_well "${isolated[@]}"
	expect 'kubelet is the registrys' was_called "oras pull --registry-config /etc/oras/config.yaml --output /opt/kubernetes/downloads/registry registry.test/mirror/oss/binaries/kubernetes/kubernetes-node:v$version-linux-amd64"
	expect 'containerd asks the mirror' has_text /etc/containerd/certs.d/mcr.microsoft.com/hosts.toml 'https://registry.test/v2/mirror'
	expect 'the pause image is there' was_called 'ctr --namespace k8s.io images import'
	expect 'the pause image stays' was_called 'ctr --namespace k8s.io images label .* io.cri-containerd.pinned=pinned'
	expect 'others are told' is_there /opt/azure/outbound-check-skipped
	expect 'the login is for root' mode_of /etc/oras/config.yaml 600
	no_secret_is_seen
}

# CODE REASON: a run of an isolated cluster that fails.
isolated_ends_with() {
	make_registry
	start_machine
	variables "${isolated[@]}" "${@:3}"
	run_scripts
	[ "$code" = "$1" ] || fail "the scripts end with $code, not $1"
	expect "the reason says: $2" reason "$2"
}

no_identity_token() { fault 169.254.169.254/metadata/identity 500 && isolated_ends_with 210 'no token for the identity'; }
# A registry that accepts tokens of the resource manager only.
the_registry_wants_another_audience() {
	: >"$test/arm_only"
	make_registry
	start_machine
	run_well "${isolated[@]}"
	expect 'the login worked' is_there /etc/oras/config.yaml
}
the_registry_is_silent() { fault registry.test/ 503 && isolated_ends_with 211 'does not answer'; }
the_registry_refuses() { fault registry.test/ 401 && isolated_ends_with 212 'refuses the identity'; }
the_identity_may_not_read() {
	printf 'x.%s.y' "$(base64_of '{"permissions":{"actions":["write"]}}' | tr -d =)" >"$test/refresh"
	isolated_ends_with 212 'may not read'
}
nothing_is_in_the_registry() { : >"$test/no_pull" && isolated_ends_with 207 'cannot be downloaded'; }
the_pause_image_is_missing() { : >"$test/no_copy" && isolated_ends_with 233 'cannot be copied'; }

## What goes with a node

other_parts_of_a_node() {
	local unit
	for unit in acr-mirror overlaybd-tcmu overlaybd-snapshotter node-exporter; do
		printf '[Service]\nExecStart=/bin/sleep infinity\n[Install]\nWantedBy=multi-user.target\n' >"$root/etc/systemd/system/$unit.service"
	done
	printf '[Timer]\nOnCalendar=daily\n[Install]\nWantedBy=timers.target\n' >"$root/etc/systemd/system/aks-log-collector.timer"
	printf '[Service]\nExecStart=/bin/true\n' >"$root/etc/systemd/system/aks-log-collector.service"
	printf '[Mount]\nWhat=tmpfs\nWhere=/mnt\nType=tmpfs\n' >"$root/etc/systemd/system/mnt.mount"
	mkdir -p "$root/opt/acr/tools/mirror" "$root/etc/node-exporter.d"
	: >"$root/etc/node-exporter.d/skip_vhd_node_exporter"
	printf '#!/bin/sh\necho "setup.sh $*" >>/opt/test/calls\n' | put_program "$root/opt/acr/tools/mirror/setup.sh"
	jq '.network.interface += [{macAddress: "02AABBCCDDEE", ipv4: {ipAddress: []}, ipv6: {ipAddress: [{privateIpAddress: "fd00::9"}]}}]' "$test/metadata.json" >"$test/new"
	mv "$test/new" "$test/metadata.json"
	stand_in networkctl
	stand_in realm 'cat >/opt/test/realm'
	stand_in apt-get
	printf '[Service]\nType=oneshot\nExecStart=/bin/true\n' >"$root/etc/systemd/system/networking.service"
	mkdir -p "$root/etc/network/interfaces.d"
	# As cloud-init writes it. https://cloudinit.readthedocs.io/en/latest/reference/network-config.html
	printf 'auto lo\niface lo inet loopback\n\nauto eth0\niface eth0 inet dhcp\n' >"$root/etc/network/interfaces.d/50-cloud-init.cfg"
	start_machine
	inside ip link add nic1 type veth peer name nic1peer
	inside ip link set nic1 address 02:aa:bb:cc:dd:ee
	run_well ARTIFACT_STREAMING_ENABLED=true HAS_KUBELET_DISK_TYPE=true STANDARD_SECONDARY_NIC_COUNT=1 IPV6_DUAL_STACK_ENABLED=true \
		HAS_CUSTOM_SEARCH_DOMAIN=true CUSTOM_SEARCH_DOMAIN_NAME=corp.example CUSTOM_SEARCH_REALM_USER=joiner "CUSTOM_SEARCH_REALM_PASSWORD=$realm"
	expect 'streaming is set up' was_called 'setup.sh aks'
	expect 'the second card is configured' has_line /etc/systemd/network/10-secondary-nic-1.network MACAddress=02:aa:bb:cc:dd:ee
	expect 'the second card has IPv6 too' has_line /etc/systemd/network/10-secondary-nic-1.network DHCP=yes
	expect 'the directory of kubelet is on the other disk' inside findmnt --noheadings --source tmpfs --mountpoint /mnt
	expect 'the directory of kubelet is on the other disk' is_there /opt/azure/containers/bind-sentinel
	expect 'the exporter runs' inside systemctl is-active --quiet node-exporter.service
	expect 'the collector is scheduled' inside systemctl is-active --quiet aks-log-collector.timer
	expect 'the realm got the password' has_line /opt/test/realm "$realm"
	expect 'the search domain is there once' test "$(grep -c 'dns-search corp.example' "$root/etc/network/interfaces.d/50-cloud-init.cfg")" = 1
	no_secret_is_seen
}

in_china() {
	start_machine
	run_well TARGET_CLOUD=AzureChinaCloud
	expect 'the mirror is configured' has_text /etc/containerd/certs.d/mcr.azk8s.cn/hosts.toml X-Forwarded-For
}

a_custom_cloud() {
	start_machine
	run_well IS_CUSTOM_CLOUD=true TARGET_ENVIRONMENT=akscustom "CUSTOM_ENV_JSON=$(base64_of '{"name":"akscustom"}')"
	expect 'its endpoints are there' mode_of /etc/kubernetes/akscustom.json 600
	rm -f "$containers/provision.complete"
	run_well IS_CUSTOM_CLOUD=true TARGET_ENVIRONMENT=akscustom 'CUSTOM_ENV_JSON={"name":"plain"}'
	expect 'they may be text' grep -qx '{"name":"plain"}' "$root/etc/kubernetes/akscustom.json"
}

## More of the steps

a_machine_without_tools() {
	rm -f "$root/opt/azure/vhd-install.complete" "$root/usr/sbin/ethtool" "$root/sbin/ethtool"
	use_family ubuntu debian 12
	rm -f "$root/usr/sbin/ethtool"
	make_repository "${debian_packages[@]}"
	# What is installed here is the one that is missing.
	stand_in apt-get 'case $* in *install*ethtool*) cp /bin/true /usr/sbin/ethtool ;; *install*) ;; *) exec /usr/bin/apt-get "$@" ;; esac'
	start_machine
	run_well IS_VHD=false
	expect 'the tools were installed first' is_there /usr/sbin/ethtool
}

an_ubuntu_that_is_no_prepared_image() {
	rm -f "$root/opt/azure/vhd-install.complete"
	use_family ubuntu ubuntu 22.04
	make_repository "${debian_packages[@]}"
	cp "$test/files/debian/pigz.deb" "$test/files/packages-microsoft-prod.deb"
	stand_in apt-get 'case $* in *install*) ;; *) exec /usr/bin/apt-get "$@" ;; esac'
	stand_in dpkg
	start_machine
	run_well IS_VHD=false
	expect 'the repository is added' was_called 'dpkg --install /opt/azure/packages-microsoft-prod.deb'
	expect 'the packages are installed' was_called 'apt-get install .* ceph-common'
}

the_repository_is_not_there() {
	rm -f "$root/opt/azure/vhd-install.complete"
	use_family ubuntu ubuntu 22.04
	start_machine
	fault packages.microsoft.com/ 500
	variables IS_VHD=false
	run_scripts
	[ "$code" = 42 ] || fail "the scripts end with $code"
}

containerd_from_an_address() {
	make_repository containerd runc
	cp "$test/files/debian/containerd.deb" "$test/files/containerd-9.deb"
	cp "$test/files/debian/runc.deb" "$test/files/runc-9.deb"
	stand_in apt-get
	start_machine
	run_well CONTAINERD_PACKAGE_URL=https://packages.aks.azure.com/containerd-9.deb RUNC_PACKAGE_URL='https://packages.aks.azure.com/runc-9.deb?sig=x'
	expect 'containerd is the given one' was_called 'apt-get install .* /opt/containerd/downloads/containerd-9.deb'
	expect 'runc is the given one' was_called 'apt-get install .* /opt/runc/downloads/runc-9.deb'
	fault packages.aks.azure.com/runc-10.deb 500
	rm "$containers/provision.complete"
	variables RUNC_PACKAGE_URL=https://packages.aks.azure.com/runc-10.deb
	run_scripts
	[ "$code" = 71 ] || fail "the scripts end with $code"
}

the_agent_is_not_held() {
	use_family ubuntu ubuntu 22.04
	stand_in dpkg 'exit 1'
	start_machine
	variables SKIP_WAAGENT_HOLD=false
	run_scripts
	[ "$code" = 7 ] || fail "the scripts end with $code"
}

packages_come_from_the_other_host() {
	fault packages.aks.azure.com/ 503
	start_machine
	run_well
	expect 'the archive came from the other host' grep -q 'GET acs-mirror.azureedge.net/kubernetes' "$test/requests.log"
}

ssh_is_off() {
	start_machine
	inside systemctl enable --quiet --now ssh.service
	run_well DISABLE_SSH=true
	expect 'nothing listens' not inside systemctl is-active --quiet ssh.service
	expect 'nothing will' not inside systemctl is-enabled --quiet ssh.service
}

ssh_cannot_be_stopped() {
	printf '[Unit]\nRefuseManualStop=yes\n[Service]\nExecStart=/bin/sleep infinity\n' >"$root/etc/systemd/system/ssh.service"
	start_machine
	inside systemctl start ssh.service
	variables DISABLE_SSH=true
	run_scripts
	[ "$code" = 172 ] || fail "the scripts end with $code"
}

# The tag keeps the self-signed certificate.
serving_certificates_by_tag() {
	set_tag aks-disable-kubelet-serving-certificate-rotation true
	start_machine
	run_well ENABLE_KUBELET_SERVING_CERTIFICATE_ROTATION=true KUBELET_NODE_LABELS=a=b,kubernetes.azure.com/kubelet-serving-ca=cluster \
		'KUBELET_FLAGS=--client-ca-file=/etc/kubernetes/certs/ca.crt --rotate-server-certificates=true --tls-cert-file=/etc/kubernetes/certs/kubeletserver.crt --tls-private-key-file=/etc/kubernetes/certs/kubeletserver.key'
	expect 'kubelet does not rotate' test "$(jq -r '."rotate-server-certificates"' "$root/var/lib/kubelet/accepted.json")" = false
	expect 'the label is gone' test "$(jq -r '."node-labels"' "$root/var/lib/kubelet/accepted.json")" = a=b
	expect 'the key is for root' mode_of /etc/kubernetes/certs/kubeletserver.key 600
	expect 'the certificate names the node' inside sh -c 'openssl x509 -noout -ext subjectAltName -in /etc/kubernetes/certs/kubeletserver.crt | grep -q DNS:'
}

a_promiscuous_bridge() {
	mkdir -p "$root/etc/cni/net.d"
	printf '{"plugins":[{"type":"bridge","bridge":"cbr0","ipam":{"ranges":[[{"subnet":"10.244.3.0/24"}]]}}]}\n' >"$root/etc/cni/net.d/10-containerd-net.conflist"
	start_machine
	inside ip link add cbr0 type bridge
	inside ip address add 10.244.3.1/24 dev cbr0
	inside ip link set cbr0 promisc on up
	run_well ENSURE_NO_DUPE_PROMISCUOUS_BRIDGE=true
	eventually 'the rules are there' inside sh -c 'ebtables -t filter -L OUTPUT | grep -q AKS-DEDUP-PROMISC'
}

kubelet_has_failed() {
	printf '[Unit]\nStartLimitBurst=1\nStartLimitIntervalSec=600\n[Service]\nType=oneshot\nExecStart=/bin/false\n' >"$root/etc/systemd/system/kubelet.service"
	start_machine
	variables
	run_scripts
	[ "$code" = 34 ] || fail "the scripts end with $code"
	expect 'the reason says so' reason 'kubelet.service'
}

# The machine goes down in the middle: the result is there, and the next boot tries again.
a_shutdown_on_the_way() {
	stand_in chage '/bin/sleep 60'
	stand_in systemctl 'case $1 in is-system-running) echo stopping ;; *) exec /usr/bin/systemctl "$@" ;; esac'
	start_machine
	variables
	run_scripts &
	local running=$!
	eventually 'the step runs' was_called chage
	inside pkill -TERM -o -f provision_start.sh
	wait "$running" || true
	expect 'the result tells of it' said 143
	expect 'no marker says that it is all' not is_complete
	rm "$root/opt/bin/chage" "$root/opt/bin/systemctl"
	run_well
}

# The result does not wait for a systemd that says nothing.
systemd_is_silent_at_the_end() {
	start_machine
	stand_in systemctl 'case $1/$2 in status/kubelet | show/--property=Exec* | show/--property=Kernel*) exec /bin/sleep infinity ;; *) exec /usr/bin/systemctl "$@" ;; esac'
	variables
	run_scripts
	[ "$code" = 0 ] || fail "the scripts end with $code"
	expect 'the result says so' said 0
}
