#!/usr/bin/env bash
# What differs between VMs of different architectures. ARCHITECTURE is Debian's and Go's name of one: amd64, which is the default, or
# arm64. Sourced.
# shellcheck disable=SC2034 # base.sh, run.sh and azure.sh have the names
export ARCHITECTURE=${ARCHITECTURE:-amd64}
case $ARCHITECTURE in
# Programs use AVX where they find it, which takes the emulator at least 40 % more time.
amd64) processor=x86_64 board=(-machine q35 -cpu Westmere) console=ttyS0 package_of_qemu=qemu-system-x86 ;;
arm64) processor=aarch64 board=(-machine virt -cpu cortex-a76) console=ttyAMA0 package_of_qemu=qemu-system-arm ;;
*)
	printf 'error: there is no VM for the architecture %s\n' "$ARCHITECTURE" >&2
	exit 1
	;;
esac
# What runs its programs on this system, if that has another one.
user_emulator=
[ "$processor" = "$(uname -m)" ] || user_emulator=qemu-$processor-static
