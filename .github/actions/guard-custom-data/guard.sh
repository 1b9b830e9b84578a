#!/usr/bin/env bash
# guard.sh PROGRAM ROUTE BASE: prints, as Markdown, what differs on the node between a commit and the work tree, for each document whose
# path is a line of standard input. Fails if a document of the work tree cannot be rendered.
set -euo pipefail
program=$1 route=$2 base=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 077
# A comment can have 65,536 characters.
limit=50000
failed=0

# A text as a block that it cannot end: its lines are indented.
block() {
	head -c "$limit" "$1" | iconv -c -f UTF-8 -t UTF-8 | sed 's/^/    /'
	[ "$(wc -c <"$1")" -le "$limit" ] || printf '\n\nThe rest is omitted.\n'
}

printf '### CustomData, route %s\n' "$route"
while IFS= read -r path; do
	[ -n "$path" ] || continue
	mkdir -p "$work/before" "$work/after"
	printf '\n**%s**\n\n' "${path//[^A-Za-z0-9._\/ -]/?}"
	if ! "$program" generate "$path" --route "$route" --format json >"$work/after/node.json" 2>"$work/text"; then
		printf 'It cannot be rendered:\n\n'
		block "$work/text"
		failed=1
	elif ! git cat-file -e "$base:$path" 2>/dev/null; then
		printf 'It is new, and can be rendered.\n'
	elif git show "$base:$path" | "$program" generate - --route "$route" --format json >"$work/before/node.json" 2>/dev/null; then
		if cmp -s "$work/before/node.json" "$work/after/node.json"; then
			printf 'The same bytes.\n'
		else
			# They exit with 1 where the two differ, and then have printed what differs.
			(
				cd "$work"
				"$program" diff --color never --summary before/node.json after/node.json >summary 2>error || true
				"$program" diff --color never --format text before/node.json after/node.json >"$work/changes" 2>>error || true
			)
			if [ -s "$work/summary" ] && [ -s "$work/changes" ]; then
				block "$work/summary"
				printf '\n<details><summary>What differs</summary>\n\n'
				block "$work/changes"
				printf '\n</details>\n'
			else
				block "$work/error"
				failed=1
			fi
		fi
	else
		printf 'It could not be rendered before, and can be now.\n'
	fi
done
exit "$failed"
