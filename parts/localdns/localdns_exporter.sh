#!/bin/bash
# Answers one HTTP request for /metrics on standard input and output, for localdns-exporter@.service.
set -uo pipefail

readonly folder=/opt/azure/containers/localdns

answer() {
	printf 'HTTP/1.1 %s\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: %s\r\nConnection: close\r\n\r\n%s' "$1" "${#2}" "$2"
}

IFS=$' \r' read -r -t 5 method path _ || exit 0
# Reads the rest of the request: closing a socket with unread data would reset the connection before the answer is sent.
while IFS= read -r -t 5 line && [ -n "${line%$'\r'}" ]; do :; done
if [ "$method" = GET ] && [ "$path" = /metrics ]; then
	answer '200 OK' "$(cat "$folder"/*.prom 2>/dev/null)
"
else
	answer '404 Not Found' $'only /metrics exists\n'
fi
