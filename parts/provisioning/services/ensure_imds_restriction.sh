#!/bin/bash
# Keeps pods from the metadata service: only the node's own address may reach it. Called before kubelet starts.
# https://learn.microsoft.com/azure/aks/imds-restriction
# Reads ENABLE_IMDS_RESTRICTION, INSERT_IMDS_RESTRICTION_RULE_TO_MANGLE_TABLE and PRIMARY_NIC_IP.
set -uo pipefail

readonly comment='aks: the metadata service is for the node only'
readonly service=169.254.169.254
tables=(mangle filter)

# Removes our rules from a table, for any address: TABLE.
remove_rules() {
	local rules rule numbers=() place
	# A kernel without the table has no rules in it.
	rules=$(iptables -w 30 -t "$1" -L FORWARD --line-numbers -n) || return 0
	while IFS= read -r rule; do
		[[ $rule != *"$comment"* ]] || numbers=("${rule%% *}" "${numbers[@]}")
	done <<<"$rules"
	# The last one first, because each removal changes the numbers of those after it.
	for place in "${numbers[@]}"; do
		iptables -w 30 -t "$1" -D FORWARD "$place" || return
	done
}

if [ "${ENABLE_IMDS_RESTRICTION:-false}" != true ]; then
	for table in "${tables[@]}"; do
		remove_rules "$table" || exit 1
	done
	exit 0
fi

address=${PRIMARY_NIC_IP:-}
if ! [[ $address =~ ^[0-9]+(\.[0-9]+){3}$ ]]; then
	printf 'error: PRIMARY_NIC_IP must be an IPv4 address, found "%s"; the metadata service cannot be restricted\n' "$address"
	exit 1
fi
table=filter other=mangle
if [ "${INSERT_IMDS_RESTRICTION_RULE_TO_MANGLE_TABLE:-false}" = true ]; then
	table=mangle other=filter
fi
rule=(FORWARD ! -s "$address/32" -d "$service/32" -p tcp -m tcp --dport 80 -m comment --comment "$comment" -j DROP)
remove_rules "$other" || exit 1
# The same rule stays, one for another address is replaced.
if ! iptables -w 30 -t "$table" -C "${rule[@]}" 2>/dev/null; then
	remove_rules "$table" && iptables -w 30 -t "$table" -I "${rule[0]}" 1 "${rule[@]:1}"
fi
