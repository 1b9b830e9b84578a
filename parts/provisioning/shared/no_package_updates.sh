# shellcheck shell=bash
# Families whose image is updated as a whole: no package is held, and no package is upgraded.

holdWALinuxAgent() { :; }
releaseWALinuxAgent() { :; }
configureUnattendedUpgrades() { :; }
prepare_message_of_the_day() { :; }
