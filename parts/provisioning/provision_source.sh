#!/bin/bash
# Helpers of every other script: log, events, steps, time limits, files, units, the machine. Sourced by provision.sh and by
# some of the services.
# Joined from source/ by the build; see parts/README.md.

#include provisioning/source/exit_codes.sh
#include provisioning/source/paths.sh
#include provisioning/source/log.sh
#include provisioning/source/events.sh
#include provisioning/source/held_events.sh
#include provisioning/source/steps.sh
#include provisioning/source/time.sh
#include provisioning/source/put.sh
#include provisioning/source/files.sh
#include provisioning/source/forms.sh
#include provisioning/source/values.sh
#include provisioning/source/urls.sh
#include provisioning/source/downloads.sh
#include provisioning/source/units.sh
#include provisioning/source/os.sh
#include provisioning/source/trust_store.sh
#include provisioning/source/machine.sh
#EOF
