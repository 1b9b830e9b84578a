#!/bin/bash
# Readies the node for its cloud, before everything else. Public clouds need nothing; for the others the certificates and
# repositories are not part of this version yet.
set -u

case ${LOCATION:-} in
[uU][sS][sS][eE][cC]* | [uU][sS][nN][aA][tT]*) needed="location $LOCATION" ;;
*) needed=${REPO_DEPOT_ENDPOINT:+"repository $REPO_DEPOT_ENDPOINT"} ;;
esac
if [ -n "$needed" ]; then
	printf 'error: this version of aks-node-controller cannot ready a node for %s yet\n' "$needed" >&2
	exit 1
fi
