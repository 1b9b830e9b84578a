#!/usr/bin/env bash
# What is wrong with a cluster, a machine or a document, and what the node says of it. Sourced by machine.sh.
#
# Each of these machines gets what a new node gets: cloud-init reads CustomData and runs its boothook, which starts the
# controller, and the extension runs the CSE command.
# shellcheck disable=SC2154,SC2016 # machine.sh has the names; what is quoted is for others

# shellcheck disable=SC2034 # run.sh runs them
readonly FAULTS=(
	token_is_rejected
	api_server_refuses_connections
	api_server_is_silent
	authority_is_of_another_cluster
	clock_is_behind
	clock_is_ahead
	node_is_never_ready
	machine_is_switched_off_on_the_way
	power_is_lost_on_the_way
	node_is_switched_off
	provisioner_is_killed
	provisioner_and_its_starters_are_killed
	script_stands_still
	everything_stands_still
	command_comes_first_and_twice
	document_has_an_unknown_version
	document_has_the_former_version
	document_is_cut_off
	outbound_is_blocked
	proxy_is_down
	disk_of_programs_is_full
	disk_of_containerd_is_full
	disk_of_logs_is_full
)

# Hands the machine over to a first boot, with a Configuration that a filter of jq has changed: [FILTER].
deliver() {
	configuration | jq "${1:-.}" >"$test/configuration.json"
	hand_over scriptless --config "$test/configuration.json"
}

# STEP: whether the scripts have come that far.
has_ended() {
	grep -qE " $1: [0-9]+ ms$" "$log/cluster-provision.log" 2>/dev/null
}

# How often the scripts have begun on this machine.
runs_begun() {
	grep -c ' begins$' "$root/opt/m"
}

# CODE REASON CAUSE: the run ends with this code, in the end of the CSE command as well as in the result. Its reason is the
# result's, and the cause is what this program says of the result, and of the machine. All three are regular expressions.
fails_with() {
	expect "the CSE command ends with $1, not $code" test "$code" = "$1"
	expect 'it prints the result' test "$(jq -r .ExitCode "$test/stdout")" = "$1"
	expect 'the result has the code' said "$1"
	expect "the reason says: $2" reason "$2"
	"$program" explain "$log/aks/provision.json" >"$test/explained" || fail 'the result is not explained'
	expect "its explanation says: $3" grep -qE "$3" "$test/explained"
	"$program" diagnose --root "$root" >"$test/diagnosed" && fail 'nothing is found on the machine'
	expect "the diagnosis says: $3" grep -qE "$3" "$test/diagnosed"
	# One that fails is active for a moment at each attempt.
	eventually 'no kubelet runs' not inside systemctl is-active --quiet kubelet.service
	no_secret_is_seen
}

succeeds() {
	expect "the CSE command ends with 0, not $code: $(tail -c 600 "$test/stdout")" test "$code" = 0
	expect 'it prints the result' test "$(jq -r .ExitCode "$test/stdout")" = 0
	eventually 'the node is ready' kubelet_is_ready
	no_secret_is_seen
}

there_is_no_node() {
	[ "$(api GET /api/v1/nodes/machine-test 2>/dev/null | jq -r .reason)" = NotFound ]
}

## The API server

api_server_refuses_connections() {
	start_machine
	deliver
	inside pkill -KILL kube-apiserver
	come_up
	fails_with 51 "API server $api_server cannot be reached: .*Connection refused" '1\. The cluster is stopped or was deleted'
}

api_server_is_silent() {
	start_machine
	deliver '.cse_timeout = 60'
	inside iptables -I INPUT -d "$api_address" -p tcp --dport 443 -j DROP
	come_up
	fails_with 51 "API server $api_server cannot be reached: .*(timed out|no answer in time)" '1\. A firewall, network security group or route table blocks the API server'
	inside iptables -D INPUT -d "$api_address" -p tcp --dport 443 -j DROP
	expect 'there is no node' there_is_no_node
}

authority_is_of_another_cluster() {
	start_machine
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=other -keyout /dev/null -out "$test/other.pem" 2>/dev/null
	deliver ".kubernetes_ca_cert = \"$(base64 -w 0 <"$test/other.pem")\""
	come_up
	fails_with 51 'certificate .* is not of this cluster' '1\. .*the CA is another one'
	expect 'there is no node' there_is_no_node
}

# The clock of the machine is that of this system, and there is no namespace for it. To a clock that is an hour off, a certificate
# is not valid yet or has expired.
clock_is_behind() { clock_is_off '1 hour' '2 days' 'not yet valid'; }
clock_is_ahead() { clock_is_off '-2 days' '-1 hour' 'has expired'; }

# FROM UNTIL WORDS: the certificate of the API server is valid between these times.
clock_is_off() {
	start_machine
	deliver
	inside pkill -KILL kube-apiserver
	eventually 'nothing has its port' not inside nc -z "$api_address" 443
	certificate_between "$1" "$2"
	start_api_server
	eventually 'the API server listens' inside nc -z "$api_address" 443
	come_up
	fails_with 51 "certificate .* is not valid at the time of this machine \\(20.* UTC\\): .*$3" '1\. The machine.s clock is wrong'
}

# FROM UNTIL: gives the API server's certificate other times.
certificate_between() {
	local directory=$test/other-times
	mkdir -p "$directory"
	: >"$directory/index"
	printf '01\n' >"$directory/serial"
	openssl req -new -key "$cluster/api-server.key" -subj /CN=kube-apiserver -out "$directory/request" 2>/dev/null
	openssl ca -batch -notext -in "$directory/request" -out "$cluster/api-server.crt" -cert "$test/authority.pem" \
		-keyfile "$test/authority.key" -startdate "$(date -u -d "$1" +%y%m%d%H%M%SZ)" -enddate "$(date -u -d "$2" +%y%m%d%H%M%SZ)" \
		-extfile <(printf 'subjectAltName=DNS:%s' "$api_server") \
		-config <(printf '[ca]\ndefault_ca = c\n[c]\ndir = %s\ndatabase = $dir/index\nserial = $dir/serial\nnew_certs_dir = $dir\ndefault_md = sha256\npolicy = p\n[p]\ncommonName = supplied\n' "$directory") \
		2>"$directory/said" || fail "$(cat "$directory/said")"
}

## kubelet

# The cluster has another secret for it.
token_is_rejected() {
	start_machine
	real_pauses
	deliver ".bootstrapping_config.tls_bootstrapping_token = \"${token%.*}.0123456789abcdef\""
	come_up
	expect "the CSE command ends with 34, not $code" test "$code" = 34
	expect 'the reason names the token' reason 'asked for a client certificate for a minute: the API server rejects the bootstrap token\. kubelet: .*Unauthorized'
	expect 'its explanation does as well' test "$("$program" explain --format json "$log/aks/provision.json" | jq -r '.causes[0].cause')" = \
		'The bootstrap token has expired or belongs to another cluster'
	expect 'there is no node' there_is_no_node
}

# Without a network plugin. The machine is provisioned all the same.
node_is_never_ready() {
	start_machine
	deliver '.network_config.network_plugin = "NETWORK_PLUGIN_NONE"'
	come_up
	expect "the CSE command ends with 0, not $code" test "$code" = 0
	eventually 'kubelet has reported its state' not_ready_is_said
	wait_for_the_node --ready=require
	expect "the waiter ends with 246, not $code" test "$code" = 246
	expect 'so does its answer' test "$(jq -r '.ExitCode' "$test/stdout")" = 246
	expect 'it says why' test "$(jq -r '.Error | test("not Ready after [0-9]+ s: KubeletNotReady: .*NetworkPluginNotReady")' "$test/stdout")" = true
	expect 'the certificate is there' test "$(jq -c '.Ready | [.Certificate, .Node, .Name]' "$test/stdout")" = '["True","False","machine-test"]'
	expect 'the result stays' said 0
	expect 'it is explained' test "$("$program" explain --format json "$test/stdout" | jq -r .name)" = ERR_NODE_NOT_READY
	wait_for_the_node --ready
	expect "a waiter that only reports ends with 0, not $code" test "$code" = 0
	expect 'and says that the node is not ready' test "$(jq -r .Ready.Node "$test/stdout")" = False
	inside /opt/azure/containers/aks-node-controller diagnose --live >"$test/diagnosed" || true
	expect 'the diagnosis says it as well' grep -qE 'node .*is not Ready since .*NetworkPluginNotReady' "$test/diagnosed"
	no_secret_is_seen
}

not_ready_is_said() {
	[ "$(of_the_node '.status.conditions[] | select(.type == "Ready").reason')" = KubeletNotReady ]
}

wait_for_the_node() {
	code=0
	inside /opt/azure/containers/aks-node-controller provision-wait --timeout 5 "$@" >"$test/stdout" 2>"$test/stderr" || code=$?
}

## The machine

machine_is_switched_off_on_the_way() { comes_back_on_the_way switch_off; }
power_is_lost_on_the_way() { comes_back_on_the_way crash; }

# The cluster and the world end first: they are on the machine only here, and systemd would wait for them.
switch_off() {
	inside pkill -KILL -f '^/usr/bin/etcd |^/opt/cluster/kube-|/opt/test/world.py' || true
	power_off
}

# The next boot makes a node of a machine that was on its way.
comes_back_on_the_way() {
	start_machine
	deliver
	begin
	eventually 'the scripts are at work' has_ended configureCNI
	"$1"
	end_command
	expect 'nothing says that it is all' not is_complete
	start_machine
	begin
	end_command
	succeeds
	expect 'the scripts have begun again' test "$(runs_begun)" = 2
	unfinished_files
	is_a_node
}

node_is_switched_off() {
	local result renewed
	data_of_the_cluster=/opt/cluster/etcd
	start_machine
	deliver
	come_up
	succeeds
	result=$(cat "$test/stdout")
	eventually 'its lease is there' lease
	renewed=$(lease)
	switch_off
	start_machine
	inside systemctl start --no-block multi-user.target
	come_up
	succeeds
	expect 'the command returns the same result' test "$(cat "$test/stdout")" = "$result"
	eventually 'kubelet is back' is_renewed_since "$renewed"
	eventually 'the node is ready again' kubelet_is_ready
	expect 'the scripts have run once' test "$(runs_begun)" = 1
}

# When kubelet has renewed its lease.
lease() {
	api GET /apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/machine-test 2>/dev/null | jq -re .spec.renewTime
}

is_renewed_since() {
	[[ $(lease) > $1 ]]
}

## The provisioner

# What was being written when its writer was killed stays, under a name of its own.
unfinished_files() {
	local file
	while IFS= read -r file; do
		spoilt+=("$file")
	done < <(inside find /etc /opt /var/lib -xdev -type f -name '.*.[0-9A-Za-z]*' -newer /opt/test/started | grep -E '/\.[^/]+\.[0-9A-Za-z]{6}$')
}

# The unit of the image has started another one, which waits for its turn.
provisioner_is_killed() {
	start_machine
	deliver
	begin
	eventually 'the scripts are at work' has_ended configureCNI
	inside kill -KILL "$(inside jq .pid /run/aks-node-controller/started.json)"
	end_command
	succeeds
	unfinished_files
	is_a_node
}

provisioner_and_its_starters_are_killed() {
	start_machine
	deliver
	begin
	eventually 'the scripts are at work' has_ended configureCNI
	# The path of the unit would start the next one at once, and here the command is to say what has happened.
	inside pkill -KILL -f 'aks-node-controller-launcher.sh'
	inside pkill -KILL -f 'aks-node-controller provision --'
	# They may have ended with it.
	inside pkill -KILL -f 'provision_start.sh|provision.sh' || true
	end_command
	expect "the CSE command ends with 240, not $code" test "$code" = 240
	expect 'it says what has happened' grep -qE '"Error":"[^"]*provisioner \(process [0-9]+\) was killed before it wrote a result' "$test/stdout"
	expect 'nothing says that it is all' not is_complete
	expect 'there is no node' there_is_no_node
	inside systemctl reset-failed aks-node-controller.service
	inside systemctl start --no-block aks-node-controller.service
	start_command
	end_command
	succeeds
	unfinished_files
	is_a_node
}

# A script stands still, as one does whose disk does not answer.
script_stands_still() {
	stands_still '^/bin/bash /opt/azure/containers/provision.sh' 'it was stopped after 12 seconds'
}

# What limits its time stands still as well.
everything_stands_still() {
	stands_still provision.sh 'exceeded its time limit and was terminated; the last completed step was'
}

# PATTERN REASON
stands_still() {
	start_machine
	deliver '.cse_timeout = 12'
	begin
	eventually 'the scripts are at work' has_ended prepareKubeletDirectories
	inside pkill -STOP -f "$1"
	end_command
	fails_with 124 "$2" 'The cause is never the time limit'
	expect 'there is no node' there_is_no_node
}

## The CSE command

command_comes_first_and_twice() {
	local first
	start_machine
	deliver
	start_command
	first=$command
	start_command again
	eventually 'both wait' waiters_are 2
	start_cloud_init
	wait "$first" || fail "the first command ends with $?"
	end_command
	succeeds
	expect 'both print the same' cmp -s "$test/stdout" "$test/again"
	start_command after
	end_command
	expect 'the third does too' test "$code" = 0
	expect 'the third prints the same' cmp -s "$test/stdout" "$test/after"
	expect 'the scripts have run once' test "$(runs_begun)" = 1
	is_a_node
}

# NUMBER: whether so many waiters have noted that they began.
waiters_are() {
	[ "$(grep -lsE 'ProvisionWait.*"Starting ' "$log"/Microsoft.Azure.Extensions.CustomScript/events/*.json | wc -l)" = "$1" ]
}

## The document

# OLD NEW: changes the document in what cloud-init is given, which a `generate` of this version would not write.
spoil() {
	python3 - "$root/var/lib/cloud/seed/nocloud/user-data" "$1" "$2" <<-'PYTHON'
		import base64, re, sys
		path, old, new = sys.argv[1:]
		def spoilt(found):
		    text = base64.b64decode(found[2]).decode()
		    assert old in text
		    text = text[: text.index(old)] + new + (text[text.index(old) + len(old) :] if new else "")
		    return found[1] + base64.b64encode(text.encode()).decode() + found[3]
		with open(path, encoding="utf-8") as file:
		    text = file.read()
		with open(path, "w", encoding="utf-8") as file:
		    file.write(re.sub(r"(base64 -d [^\n]*\n)([A-Za-z0-9+/=]+)(\n)", spoilt, text, count=1))
	PYTHON
}

document_has_an_unknown_version() {
	start_machine
	deliver
	spoil '"version": "v1"' '"version": "v9"'
	come_up
	fails_with 240 'version: must be .*v1.*found .*v9' '1\. The Configuration is missing, cannot be read, or has a version that this controller does not support'
	expect 'there is no node' there_is_no_node
}

# It is deprecated, and it works.
document_has_the_former_version() {
	start_machine
	deliver
	spoil '"version": "v1"' '"version": "v0"'
	come_up
	succeeds
	expect 'the log says so' grep -q 'version v0, the former name of v1' "$log/aks-node-controller.log"
}

document_is_cut_off() {
	start_machine
	deliver
	spoil '"kubernetes_version"' ''
	come_up
	fails_with 240 'aks-node-controller-config.json is invalid: ' '1\. The Configuration is missing, cannot be read'
	expect 'there is no node' there_is_no_node
}

## The network

# The registry has an address that nobody answers.
outbound_is_blocked() {
	start_machine
	deliver '.cse_timeout = 60'
	printf 'mcr.microsoft.com 10.9.0.3\n' >>"$test/addresses"
	inside ip address add 10.9.0.3/32 dev lo
	inside iptables -I INPUT -d 10.9.0.3 -j DROP
	come_up
	fails_with 50 'https://mcr.microsoft.com/v2/ cannot be reached: .*no answer in time' '1\. A firewall, network security group or route table blocks the traffic'
	expect 'there is no node' there_is_no_node
}

proxy_is_down() {
	start_machine
	deliver ".http_proxy_config = {http_proxy: \"http://10.9.0.1:3128/\", https_proxy: \"http://user:$proxy_password@10.9.0.1:3128/\",
		no_proxy_entries: [\"$api_server\", \"packages.aks.azure.com\", \"169.254.169.254\", \"168.63.129.16\"]}"
	come_up
	fails_with 50 'https://mcr.microsoft.com/v2/ cannot be reached: .*10.9.0.1 port 3128 .*\(this is the proxy\)' '1\. The proxy cannot be used'
	expect 'there is no node' there_is_no_node
}

## Disks

# DIRECTORY SIZE: has a disk of its own that is full.
fill() {
	inside mkdir -p "$1"
	inside mount -t tmpfs -o "size=$2" tmpfs "$1"
	inside sh -c "head -c 100000000 /dev/zero >$1/filler" 2>/dev/null || true
}

disk_of_programs_is_full() {
	start_machine
	deliver
	fill /opt/kubernetes 1m
	come_up
	fails_with 31 'cannot be downloaded .*: curl: \(23\)' 'disk is full'
	expect 'there is no node' there_is_no_node
}

disk_of_containerd_is_full() {
	start_machine
	deliver
	inside umount /var/lib/containerd
	fill /var/lib/containerd 64k
	come_up
	fails_with 4 'containerd does not answer' 'disk is full'
	expect 'there is no node' there_is_no_node
}

# What is logged is lost, and the node is one all the same.
disk_of_logs_is_full() {
	start_machine
	deliver
	fill /var/log/azure 64k
	come_up
	expect "the CSE command ends with 0, not $code" test "$code" = 0
	expect 'it prints the result' test "$(jq -r .ExitCode "$test/stdout")" = 0
	eventually 'the node is ready' kubelet_is_ready
}
