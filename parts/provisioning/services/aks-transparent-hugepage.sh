#!/bin/bash
# Applies the settings of transparent huge pages at boot, on systems without sysfsutils. An empty file keeps the setting.
for name in enabled defrag; do
	value=$(cat "/opt/azure/containers/aks-transparent-hugepage/$name")
	[ -z "$value" ] || printf '%s\n' "$value" >/sys/kernel/mm/transparent_hugepage/$name
done
