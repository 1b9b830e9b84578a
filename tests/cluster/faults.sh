#!/usr/bin/env bash
# What is wrong with a cluster, a machine or a document, and what the node says of it. Sourced by machine.sh.
# shellcheck disable=SC2154 # machine.sh has the names

# shellcheck disable=SC2034 # run.sh runs them
readonly FAULTS=()
