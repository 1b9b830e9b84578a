#!/usr/bin/env bash
# Makes a node, for real: systemd as first process, containerd, iptables, sshd and a world of servers on loopback.
# Call: unshare --mount machine.sh PROGRAM SCENARIO [ARGUMENT...]
set -euo pipefail

program=$1
scenario=$2
shift 2
here=${BASH_SOURCE[0]%/*}
# shellcheck source=../machine/boot.sh
. "$here/../machine/boot.sh"
# shellcheck source=scenarios.sh
. "$here/scenarios.sh"
# shellcheck source=failures.sh
. "$here/failures.sh"
# shellcheck source=families.sh
. "$here/families.sh"
# shellcheck source=services.sh
. "$here/services.sh"
# shellcheck source=costs.sh
. "$here/costs.sh"
# shellcheck source=images.sh
. "$here/images.sh"

readonly containers=$root/opt/azure/containers test=$root/opt/test log=$root/var/log/azure
readonly api_server=node-test-4c7e19ab.hcp.westeurope.azmk8s.io
version=1.33.5
# Of the machine, as Debian and Go name it; tests/vm has another one. A size has its processors.
architecture=${ARCHITECTURE:-amd64} vm_size=Standard_D4s_v5
[ "$architecture" = amd64 ] || vm_size=Standard_D4ps_v5

more_of_the_failure() {
	tail -n 40 "$log/cluster-provision.log"
	cat "$log/aks/provision.json"
	tail -n 5 "$log/cluster-provision-cse-output.log"
	inside journalctl --no-pager -b -n 30
}

## What is put on the machine

# Words that may be seen nowhere but in files for root alone.
readonly token=abcdef.canary0tokenword principal=canary-principal-word realm=canary-realm-word proxy_password=canary-proxy-word
readonly identity=canary-identity-word refresh=canary-refresh-word key_word=canary-client-key-word

# Other tests make nodes on this machine too, and define these again: what the archive has as kubelet, what is on the machine
# and in the world besides, and what the Configuration says besides.
put_kubelet() {
	sed "s/@VERSION@/$version/" "$here/kubelet.py" >"$1"
}
prepare_more() { :; }
start_more() {
	case $scenario in
	a_node_is_made | what_* | time_until_kubelet) ;;
	*) quick_keys ;;
	esac
}
say_more() {
	cat
}

# Certificates of the world and the cluster: one CA, one server.
make_certificates() {
	local names="DNS:$api_server" name
	for name in packages.aks.azure.com acs-mirror.azureedge.net mcr.microsoft.com '*.azmk8s.io' registry.test packages.microsoft.com; do
		names+=",DNS:$name"
	done
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj '/CN=authority of the test' \
		-keyout "$test/authority.key" -out "$test/authority.pem" 2>/dev/null
	openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$api_server" -keyout "$test/server.key" 2>/dev/null |
		openssl x509 -req -days 2 -CA "$test/authority.pem" -CAkey "$test/authority.key" -CAcreateserial \
			-extfile <(printf 'subjectAltName=%s' "$names") -out "$test/server.crt" 2>/dev/null
	cat "$test/server.key" "$test/server.crt" >"$test/server.pem"
	cp "$test/authority.pem" "$root/usr/local/share/ca-certificates/test.crt"
	cat "$test/authority.pem" >>"$root/etc/ssl/certs/ca-certificates.crt"
}

# Archives as the given addresses serve them.
make_archives() {
	local directory=$test/files name
	mkdir -p "$directory" "$test/tree/kubernetes/node/bin"
	put_kubelet "$test/tree/kubernetes/node/bin/kubelet"
	printf '#!/bin/sh\nexit 0\n' >"$test/tree/kubernetes/node/bin/kubectl"
	chmod 0755 "$test/tree/kubernetes/node/bin/"*
	tar -c -C "$test/tree" kubernetes | gzip -1 >"$directory/kubernetes-node-linux-$architecture.tar.gz"
	for name in azure-vnet azure-vnet-ipam acr-credential-provider; do
		printf '#!/bin/sh\nexit 0\n' >"$test/tree/$name"
		chmod 0755 "$test/tree/$name"
	done
	printf '{"cniVersion":"0.3.0","name":"azure","plugins":[{"type":"azure-vnet","mode":"bridge"}]}\n' >"$test/tree/10-azure.conflist"
	tar -czf "$directory/azure-vnet-cni-linux-$architecture-v1.6.26.tgz" -C "$test/tree" azure-vnet azure-vnet-ipam 10-azure.conflist
	for name in 1.28.14 1.33.0; do
		tar -czf "$directory/azure-acr-credential-provider-linux-$architecture-v$name.tar.gz" -C "$test/tree" acr-credential-provider
	done
}

make_metadata() {
	cat >"$test/metadata.json" <<JSON
{"compute": {"vmSize": "$vm_size", "tagsList": []},
 "network": {"interface": [{"macAddress": "001122334455", "ipv4": {"ipAddress": [{"privateIpAddress": "10.9.0.1"}]}, "ipv6": {"ipAddress": []}}]}}
JSON
}

set_tag() {
	jq --arg name "$1" --arg value "$2" '.compute.tagsList += [{name: $name, value: $value}]' "$test/metadata.json" >"$test/new"
	mv "$test/new" "$test/metadata.json"
}

# Makes a program of standard input: PATH. It is renamed into place, because Linux does not run a file that is being written, and
# does not write one that is being started.
put_program() {
	cat >"$1.new"
	chmod 0755 "$1.new"
	mv -f "$1.new" "$1"
}

# A program that only tells how it was called, instead of one that needs hardware: NAME [SCRIPT].
stand_in() {
	printf '#!/bin/bash\nprintf "%%s\\n" "%s $*" >>/opt/test/calls\n%s\n' "$1" "${2:-}" | put_program "$root/opt/bin/$1"
}

was_called() {
	grep -qE "^$1" "$test/calls"
}

# A fault of the world: HOST/PATH KIND.
fault() {
	printf '%s %s\n' "$1" "$2" >>"$test/faults"
}

no_faults() {
	rm -f "$test/faults"
}

# What fails three times with the same words and the same input fails from then on without being called: NAME PATH. A loop of a
# hundred tries still counts to a hundred, and costs next to nothing. Of systemctl, what these loops call between the tries is
# answered as it was the third time, too.
tires() {
	mkdir -p "$test/answers"
	put_program "$root/opt/bin/$1" <<STAND_IN
#!/bin/bash
input=
[[ " \$* " != *' --config - '* ]] || IFS= read -r -d '' input
key="\$* \$input"
key=/opt/test/answers/\${key//[^[:alnum:].]/_}
key=\${key:0:240}
times=0 code=0
[ ! -e "\$key" ] || read -r times code <"\$key"
if [ "\$times" -ge 3 ]; then
	[ ! -s "\$key.out" ] || cat "\$key.out"
	exit "\$code"
fi
code=0
case \${0##*/}/\$1 in
systemctl/daemon-reload | systemctl/show)
	$2 "\$@" >"\$key.out" || code=\$?
	cat "\$key.out"
	;;
*)
	if [ -n "\$input" ]; then $2 "\$@" <<<"\$input" || code=\$?; else $2 "\$@" || code=\$?; fi
	[ "\$code" != 0 ] || exit 0
	;;
esac
printf '%s %s\n' "\$((times + 1))" "\$code" >"\$key"
exit "\$code"
STAND_IN
	tired+=("$1")
}
tired=()

# Pauses are not what is tested.
short_pauses() {
	printf '#!/bin/sh\nexec /bin/sleep 0.02\n' | put_program "$root/opt/bin/sleep"
}

# For loops that end with the time of the run: a pause costs nothing then, and the steps before have time enough even on a
# machine whose cores are all busy.
real_pauses() {
	rm "$root/opt/bin/sleep"
}
readonly time_for_the_run=CSE_TIMEOUT=160

# An RSA key takes a quarter of a second of a processor, in each of hundreds of runs. Some have one.
quick_keys() {
	# shellcheck disable=SC2016 # the text of a script
	put_program "$root/opt/bin/openssl" <<<'#!/bin/bash
[[ " $* " != *" rsa:2048 "* ]] || set -- "${@/#rsa:2048/ec}" -pkeyopt ec_paramgen_curve:P-256
exec /usr/bin/openssl "$@"'
}

# What is wrong with the world is right again.
all_is_well() {
	no_faults
	short_pauses
	[ "${#tired[@]}" = 0 ] || rm -f "${tired[@]/#/$root/opt/bin/}"
}

prepare() {
	mkdir -p "$test" "$root/opt/bin" "$root/opt/cni/bin" "$root/var/lib/cloud/instance"
	# The guest agent makes it.
	mkdir -p "$root/var/log/azure"
	"$program" bake --root "$root" --os ubuntu >/dev/null 2>&1
	: >"$root/opt/azure/vhd-install.complete"
	make_certificates
	make_archives
	make_metadata
	printf '%s' "$token" >"$test/token"
	printf '%s' "$identity" >"$test/identity"
	printf '%s' "$refresh" >"$test/refresh"
	cp "$here/world.py" "$here/readers.py" "$test/"
	mkdir "$test/tables"
	cp "$here/../../testdata/provisioning/azure-json.json" "$test/tables/"
	"$here/../kubelet-facts/flags.sh" >"$test/kubelet_flags"
	# Path, type, first minor version and the one that removed it.
	sed -nE 's/^    \("([^"]+)", "([^"]+)", ALWAYS(\.since\(([0-9]+)\))?(\.until\(([0-9]+)\))?\),$/\1|\2|\4|\6/p' \
		"$here/../../src/catalogue/kubelet_fields.rs" >"$test/tables/kubelet-fields"
	printf 'nameserver 10.9.0.1\n' >"$root/etc/resolv.conf"
	local plugin
	for plugin in bridge host-local loopback; do
		printf '#!/bin/sh\n' >"$root/opt/cni/bin/$plugin"
		chmod 0755 "$root/opt/cni/bin/$plugin"
	done
	# The settings of an image: vhdbuilder/scripts/linux/sysctl-d-60-CIS.conf of AgentBaker.
	printf '1\n' >"$disk/settings/vm/overcommit_memory"
	printf '10\n' >"$disk/settings/kernel/panic"
	printf '1\n' >"$disk/settings/kernel/panic_on_oops"
	short_pauses
	# This kernel has all of it built in.
	stand_in modprobe
	stand_in udevadm
	stand_in cloud-init
	ssh-keygen -q -t ed25519 -N '' -f "$root/etc/ssh/ssh_host_ed25519_key"
	prepare_more
}

# Starts the machine and its world.
start_machine() {
	rm -f "$test/up"
	# It would take half of the time of a run that fails.
	case $scenario in
	logs_are_*) ;;
	*) [ ! -e "$containers/aks-log-collector.sh" ] || printf '#!/bin/sh\necho aks-log-collector.sh >>/opt/test/calls\n' >"$containers/aks-log-collector.sh" ;;
	esac
	[ -e "$test/started" ] || touch "$test/started"
	boot
	inside ip link set lo up
	local address
	for address in 10.9.0.1 169.254.169.254 168.63.129.16; do
		inside ip address add "$address/32" dev lo
	done
	inside /usr/bin/python3 /opt/test/world.py /opt/test >"$test/world.out" 2>&1 &
	eventually 'the world is up' test -e "$test/up"
	start_more
}

## The document and the variables

configuration() {
	sed "s/linux-arm64/linux-$architecture/g" "$here/../../testdata/examples/arm64-minimal.json" |
		jq --arg ca "$(base64 -w 0 <"$test/authority.pem")" --arg name "$api_server" --arg token "$token" \
			--arg version "$version" --arg architecture "$architecture" --arg size "$vm_size" --arg secret "$(printf '%s' "$principal" | base64 -w 0)" '
			.vm_size = $size | .kubernetes_ca_cert = $ca | .api_server_config.api_server_name = $name | .kubernetes_version = $version
			| .auth_config.service_principal_secret = $secret
			| .bootstrapping_config.tls_bootstrapping_token = $token
			| .outbound_command = "curl -v --insecure --proxy-insecure https://mcr.microsoft.com/v2/"
			| .kube_binary_config.kube_binary_url = "https://packages.aks.azure.com/kubernetes/v\($version)/binaries/kubernetes-node-linux-\($architecture).tar.gz"
			| .kube_binary_config.linux_credential_provider_url = "https://packages.aks.azure.com/cloud-provider-azure/v1.33.0/binaries/azure-acr-credential-provider-linux-\($architecture)-v1.33.0.tar.gz"' |
		say_more
}

# The variables of the document, as lines NAME=VALUE that `env` takes; more of them as arguments win.
variables() {
	configuration >"$test/configuration.json"
	"$program" env --config "$test/configuration.json" --containerd-version 1.6.20 --show-secrets --format json 2>/dev/null |
		jq '. + {SYSCTL_CONTENT: ("net.core.somaxconn=16384\nnet.ipv4.tcp_retries2=8\n" | @base64)}
			+ ($ARGS.positional | map(index("=") as $at | {(.[:$at]): .[$at + 1:]}) | add // {})' \
			--args "$@" >"$test/variables.json"
}

# Runs the start script with the variables, as the CSE command does. Its code is in `code`.
code=
run_scripts() {
	last_run=run_scripts
	write_variables
	code=0
	inside timeout 600 env -i PATH=/opt/bin:/usr/sbin:/usr/bin:/sbin:/bin HOSTNAME=node-test /bin/bash /opt/test/variables.sh >"$test/stdout" 2>"$test/stderr" </dev/null || code=$?
}

# Writes the variables as a script that starts the scripts.
write_variables() {
	if [ ! "$test/variables.sh" -nt "$test/variables.json" ]; then
		jq -r 'to_entries[] | "export \(.key)=\(.value | @sh)"' "$test/variables.json" >"$test/variables.sh"
		printf 'exec /usr/bin/nohup /bin/bash -c "/bin/bash /opt/azure/containers/provision_start.sh"\n' >>"$test/variables.sh"
	fi
	chmod 0600 "$test/variables.sh" "$test/variables.json" "$test/configuration.json"
}

said() {
	[ "$(jq -r .ExitCode "$log/aks/provision.json")" = "$1" ]
}

reason() {
	jq -r .Error "$log/aks/provision.json" | grep -qE "$1"
}

is_complete() {
	[ -e "$containers/provision.complete" ]
}

kubelet_is_ready() {
	# The machine may have another disk there.
	inside test -e /var/lib/kubelet/accepted.json
}

mode_of() {
	[ "$(stat -c '%a %U:%G' "$root$1")" = "$2 root:root" ]
}

is_there() {
	[ -e "$root$1" ]
}

has_line() {
	grep -qxF -- "$2" "$root$1"
}

has_text() {
	grep -qF -- "$2" "$root$1"
}

# Everything that a run has made since `before`, but what changes from run to run.
made_files() {
	(cd "$root" && find etc opt var/lib/kubelet -xdev \( -path opt/test -o -path etc/ssl \) -prune -o -newer "$test/before" \( -type f -o -type l \) -print |
		grep -vE '^(opt/m|opt/azure/containers/(provision.complete|tls-bootstrap-start-time)|var/lib/kubelet/(accepted.json|kubeconfig|pki/.*))$' | LC_ALL=C sort)
}

# Mode, owner and content of the files on standard input.
tree() {
	local file
	while IFS= read -r file; do
		printf '%s %s %s\n' "$(stat -c '%a %U:%G' "$root/$file")" "$file" "$(if [ -L "$root/$file" ]; then readlink "$root/$file"; else sha256sum <"$root/$file"; fi)"
	done
}

# No secret word in a file that others may read, in a log, or in the arguments of a process.
no_secret_is_seen() {
	local word file patterns=$test/patterns
	for word in "$token" "$principal" "$realm" "$proxy_password" "$identity" "$refresh" "$key_word"; do
		printf '%s\n%s\n' "$word" "$(printf '%s' "$word" | base64 -w 0 | cut -c 1-14)"
	done >"$patterns"
	while IFS= read -r file; do
		case $file in
		"$changes"/var/log/*) fail "a secret is in $file: $(grep -aoF -f "$patterns" "$file" | head -n 1)" ;;
		esac
		[ "$(stat -c %A "$file" | cut -c 5-10)" = '------' ] || fail "a secret can be read in $file: $(grep -aoF -f "$patterns" "$file" | head -n 1)"
	done < <(grep -rlF -f "$patterns" "$changes" --exclude-dir=test --exclude-dir=ssl 2>/dev/null)
	# A pipe into a searcher that ends early would end the writer.
	inside journalctl --no-pager >"$test/journal" 2>/dev/null
	! grep -qaF -f "$patterns" "$test/journal" || fail "a secret is in the journal: $(grep -aoF -f "$patterns" "$test/journal" | head -n 1)"
	if [ -e "$test/arguments" ] && grep -qaF -f "$patterns" "$test/arguments"; then
		fail "a secret is in the arguments of a process: $(grep -aoF -f "$patterns" "$test/arguments" | head -n 1)"
	fi
}

# Notes the arguments of every process of the machine, again and again.
watch_arguments() {
	local process=$init
	while cat "/proc/$process/root/proc/"[0-9]*/cmdline >>"$test/arguments" 2>/dev/null || kill -0 "$process" 2>/dev/null; do
		/bin/sleep 0.01
	done 2>/dev/null
}

## What holds after every scenario

# What differs from run to run by its nature, below the root. Everything else is the same after a second run.
readonly differs=(
	# What the runs themselves have said: logs, results, events, and the list of runs.
	./var/log ./var/lib/waagent/logcollector ./opt/m
	# The world of the test.
	./opt/test
	# When the scripts have asked for the first certificate.
	./opt/azure/containers/tls-bootstrap-start-time
	# Programs that run: their sockets, data bases, caches and the times of their timers.
	./var/lib/containerd ./var/lib/systemd ./var/lib/apt ./var/lib/dpkg ./var/cache ./var/tmp ./tmp ./run ./dev ./root/.cache
	# What local DNS uses, and the time. The file is there with another name while it is written.
	'./opt/azure/containers/localdns/*resources.prom*'
	# The kubelet's own files.
	./var/lib/kubelet/pki ./var/lib/kubelet/kubeconfig ./var/lib/kubelet/accepted.json
	# The pair that each run makes anew, so that nodes of one image do not share it.
	./etc/kubernetes/certs/kubeletserver.key ./etc/kubernetes/certs/kubeletserver.crt
	# Karpenter's text, which is not ours, appends a line to it at each run.
	./opt/azure/manifest.json
	# Links of `openssl rehash`: of certificates with one name, which a test has, any is the first.
	'./etc/ssl/certs/*.[0-9]'
	# What chage keeps of the file before.
	./etc/shadow-
)

# Mode, owner and content of every file that differs from the prepared machine, and the rules of the firewall.
state_of_the_machine() {
	local place not=()
	for place in "${differs[@]}"; do
		not+=(-path "$place" -prune -o)
	done
	(
		cd "$changes"
		find . -xdev "${not[@]}" ! -type d ! -type s -printf '%m %U:%G %y %p %l\n' | LC_ALL=C sort
		find . -xdev "${not[@]}" -type f -print0 | xargs -0r sha256sum | LC_ALL=C sort -k 2
	)
	inside iptables-save 2>/dev/null | sed -E '/^#/d; s/ \[[0-9:]+\]$//'
	inside ebtables -t filter -L 2>/dev/null || true
	inside swapon --show=NAME --noheadings 2>/dev/null || true
	[ ! -e "$log/aks/provision.json" ] || jq -r '.ExitCode, .Error' "$log/aks/provision.json"
}

# The last run of a scenario once more: it changes nothing and ends the same.
last_run=
nothing_changes_in_a_second_run() {
	local before=$code
	state_of_the_machine >"$test/state_first"
	rm -f "$containers/provision.complete"
	"$last_run"
	[ "$code" = "$before" ] || fail "a second run ends with $code, not $before"
	state_of_the_machine >"$test/state_second"
	diff "$test/state_first" "$test/state_second" >"$test/state_changes" || {
		cat "$test/state_changes"
		fail 'a second run changes the machine'
	}
}

# Everything that was written is what its reader takes. Files that a scenario has spoilt on purpose are in `spoilt`.
spoilt=()
everything_can_be_read() {
	inside /usr/bin/python3 /opt/test/readers.py /opt/test/tables "$version" /opt/test/started "${spoilt[@]}" >"$test/complaints" 2>&1 || {
		cat "$test/complaints"
		fail 'the readers do not run'
	}
	if grep -q . "$test/complaints"; then
		cat "$test/complaints"
		fail 'what was written cannot be read'
	fi
}

afterwards() {
	[ -n "$machine" ] && [ -n "$last_run" ] || return 0
	nothing_changes_in_a_second_run
	everything_can_be_read
}

[ "${BASH_SOURCE[0]}" != "$0" ] || run_scenario "$@"
