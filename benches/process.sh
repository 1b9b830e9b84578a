#!/bin/sh
# What one process costs: size of the binary, time over /bin/true, memory, and whether it runs in an empty root.
set -eu

binary=$1
rounds=500

now() { date +%s%N; }

# Microseconds for one run of a command, the best of five means.
mean() {
	best=
	for _ in 1 2 3 4 5; do
		start=$(now)
		i=0
		while [ "$i" -lt "$rounds" ]; do
			"$@" >/dev/null 2>&1
			i=$((i + 1))
		done
		spent=$((($(now) - start) / rounds / 1000))
		if [ -z "$best" ] || [ "$spent" -lt "$best" ]; then best=$spent; fi
	done
	echo "$best"
}

echo "size: $(stat -c %s "$binary") bytes (at most 5000000)"
floor=$(mean /bin/true)
limit=2000
over() {
	spent=$(mean "$binary" "$@")
	echo "time over /bin/true: $((spent - floor)) us (at most $limit): $*"
}
over generate --config benches/document.json --route scriptless
over generate --config benches/document.json
over env --config benches/document.json
over validate testdata/examples/ubuntu-azure-cni.yaml
over version
# CustomData of about 64 KiB, and the smallest that has an environment.
for route in scripted scriptless; do
	custom_data=$(mktemp)
	"$binary" generate --example ubuntu-azure-cni --route "$route" --format custom-data >"$custom_data" 2>/dev/null
	limit=5000
	over inspect "$custom_data"
	rm "$custom_data"
done
if [ -x /usr/bin/time ]; then
	/usr/bin/time -f 'memory: %M KB (at most 8000)' "$binary" generate --config benches/document.json >/dev/null
fi
root=$(mktemp -d)
cp "$binary" "$root/aks-node-controller"
if chroot "$root" /aks-node-controller generate --example ubuntu-azure-cni >/dev/null 2>&1; then
	echo "runs in an empty root: yes"
else
	echo "runs in an empty root: no (or no right to chroot)"
fi
rm -r "$root"

# On a node, below a folder that stands for one.
node=$(mktemp -d)
mkdir -p "$node/log" "$node/opt/azure/containers" "$node/var/log/azure/aks"
if command -v strace >/dev/null; then
	echo 'exit 0' >"$node/command.sh"
	best=
	for round in 1 2 3 4 5 6 7 8 9 10; do
		strace -f --seccomp-bpf -ttt -e trace=execve -o "$node/trace" \
			"$binary" provision --nbc-cmd "$node/command.sh" --root "$node/$round" >/dev/null 2>&1
		spent=$(awk 'NR == 1 { began = $2 } /execve\("\/bin\/bash"/ { printf "%d", ($2 - began) * 1000000; exit }' "$node/trace")
		if [ -z "$best" ] || [ "$spent" -lt "$best" ]; then best=$spent; fi
	done
	echo "provision starts its child after: $best us (at most 5000)"
fi
if [ -x /usr/bin/time ]; then
	echo 'yes "a line of output" | head -c 100000000' >"$node/command.sh"
	/usr/bin/time -f 'memory of provision with 100 MB of output: %M KB (at most 8000)' -o "$node/memory" \
		"$binary" provision --nbc-cmd "$node/command.sh" --root "$node/much" >/dev/null 2>&1 || echo 'it failed'
	tail -n 1 "$node/memory"
fi
worst=0
for round in 1 2 3 4 5 6 7 8 9 10; do
	rm -f "$node/opt/azure/containers/provision.complete"
	"$binary" provision-wait --root "$node" >"$node/printed" 2>/dev/null &
	waiter=$!
	sleep 0.2
	echo '{"ExitCode":"0"}' >"$node/var/log/azure/aks/provision.json"
	start=$(now)
	: >"$node/opt/azure/containers/provision.complete"
	wait "$waiter"
	spent=$((($(now) - start) / 1000))
	if [ "$spent" -gt "$worst" ]; then worst=$spent; fi
done
echo "provision-wait has ended after the marker: $worst us at worst (at most 50000)"
rm -r "$node"
