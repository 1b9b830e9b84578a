#!/bin/bash
set -uo pipefail

for port in 80 32526; do
	rule=(-d 168.63.129.16 -p tcp --dport "$port" -j DROP)
	iptables -w 30 -C FORWARD "${rule[@]}" 2>/dev/null || iptables -w 30 -I FORWARD "${rule[@]}" || exit 1
done
