#!/usr/bin/env bash
# Azure as a VM sees it: the network, its servers, the emulator, and the extension that runs the CSE command. Sourced by machine.sh,
# which runs in a network namespace of its own.
# shellcheck disable=SC2154,SC2034 # machine.sh has the names

readonly gateway=10.9.0.254 servers=10.9.0.3
# shellcheck disable=SC2034 # deliveries.sh reads it
host_listens=(--wire 127.0.0.1:8080 --host 127.0.0.1:32526 --url 168.63.129.16:80)
serial=$report/serial.log
emulator=

# Notes when something happened, as seen from outside.
note() {
	printf '%s %s\n' "${EPOCHREALTIME:0:-3}" "${1// /-}" >>"$report/timeline"
}

# The cluster is outside of the VM.
beside() {
	"$@"
}

# Runs a command on the VM. Its exit code is 255 if the VM cannot be asked.
inside() {
	local script code=255 out='' err=''
	script="exec /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin $(printf '%q ' "$@")"
	read -r code out err < <(
		exec 4<>/dev/tcp/10.9.0.1/2222 && base64 -w 0 <<<"$script" >&4 && echo >&4 && exec timeout 1000 head -n 1 <&4
	) 2>/dev/null || true
	base64 -d <<<"${out%=}"
	base64 -d <<<"${err%=}" >&2
	return "${code:-255}"
}
export -f inside

# The files of a VM are not on this system.
is_there() {
	inside test -e "$1"
}

runs_begun() {
	inside grep -c ' begins$' /opt/m
}

start_azure() {
	local address
	ip link set lo up
	ip tuntap add dev node mode tap
	ip address add "$gateway/24" dev node
	ip link set node up
	for address in "$servers" 169.254.169.254 168.63.129.16; do
		ip address add "$address/32" dev lo
	done
	rm -f "$test/up"
	# The scripts ask the wire server for more than protected settings.
	! has_protected_settings || printf '127.0.0.1' >"$test/host"
	python3 "$test/world.py" "$test" "$servers" >"$test/world.out" 2>&1 &
	eventually 'the world is up' test -e "$test/up"
}

# The second disk: what cloud-init gets from the platform, CustomData as it is after Azure's decoding.
instance=$scenario
make_user_data() {
	local seed=$disk/cidata
	mkdir -p "$seed"
	local spoilt=cat
	[ ! -e "$directory/spoil" ] || spoilt="$directory/spoil"
	jq -r .customData "$test/generated" | base64 -d | "$spoilt" >"$seed/user-data"
	printf 'instance-id: %s\nlocal-hostname: machine-test\n' "$instance" >"$seed/meta-data"
	[ ! -e "$directory/vendor-data" ] || cp "$directory/vendor-data" "$seed/"
	cat >"$seed/network-config" <<-YAML
		version: 2
		ethernets:
		  eth0:
		    match: {macaddress: "00:11:22:33:44:55"}
		    set-name: eth0
		    addresses: [10.9.0.1/24]
		    gateway4: $gateway
		    nameservers: {addresses: [168.63.129.16]}
	YAML
}

# Starts the VM. Its disk keeps what an earlier start has written. CPUS and MEMORY (in MiB) are those of the environment, of the
# scenario's file `machine`, or enough. What is in `kernel_words`, `disk_options` and `more_devices` is for this start.
# Mitigations protect nothing on an emulated processor, and take a fifth of its work.
kernel_words=() disk_options='' more_devices=()
power_on() {
	local cpus=2 memory=4096
	[ ! -e "$directory/machine" ] || read -r cpus memory <"$directory/machine"
	cpus=${CPUS:-$cpus} memory=${MEMORY:-$memory}
	[ "$memory" -ge 4096 ] || kernel_words+=(harness.memory)
	[ -e "$disk/disk" ] || qemu-img create -q -f qcow2 -b "$image/disk" -F raw "$disk/disk"
	note power-on
	"qemu-system-$processor" "${board[@]}" -accel tcg,thread=multi -smp "$cpus" -m "$memory" -nodefaults -display none \
		-kernel "$image/kernel" -initrd "$image/initrd" -append "rw console=$console quiet mitigations=off net.ifnames=0 systemd.show_status=0 ${kernel_words[*]}" \
		-drive "file=$disk/disk,if=virtio,cache=unsafe$disk_options" \
		-drive "file.driver=vvfat,file.dir=$disk/cidata,file.label=cidata,driver=raw,read-only=on,if=virtio" \
		-netdev tap,id=node,ifname=node,script=no,downscript=no -device virtio-net-pci,netdev=node,mac=00:11:22:33:44:55 \
		-device virtio-rng-pci "${more_devices[@]}" \
		-serial "file:$serial" </dev/null >>"$report/qemu.log" 2>&1 &
	emulator=$!
}

is_reachable() {
	kill -0 "$emulator" || fail 'the emulator has ended'
	inside true 2>/dev/null
}

# Runs the CSE command as the extension does, which is there as soon as the network is, and waits for nothing else:
# https://github.com/Azure/custom-script-extension-linux. `code` is its exit code.
run_extension() {
	code=0
	inside sh -c 'until systemctl --quiet is-active network-online.target; do sleep 0.2; done'
	note 'the CSE command starts'
	inside timeout 900 /bin/sh -c "$(jq -r .cse "$test/generated")" >"$report/cse.stdout" 2>"$report/cse.stderr" || code=$?
	note "the CSE command ends with $code"
}
