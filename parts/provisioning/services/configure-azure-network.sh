#!/bin/bash
# Enlarges the receive ring of a network card. Called by udev with the name of the card.
# https://learn.microsoft.com/azure/virtual-network/virtual-network-optimize-network-bandwidth
set -u

card=${1:-}
# Only the cards of accelerated networking have these sizes.
case $card in
enP*) ;;
*) exit 0 ;;
esac

if [ "$(nproc)" -ge 4 ]; then
	wanted=2048
else
	wanted=1024
fi
# ethtool prints the largest size first and the current one last.
current=$(ethtool -g "$card" 2>/dev/null | awk '$1 == "RX:" { size = $2 } END { print size }')
# An administrator chose a size other than the default.
if [ "$current" = 1024 ] && [ "$wanted" != 1024 ]; then
	ethtool -G "$card" rx "$wanted"
fi
