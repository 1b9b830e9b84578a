# shellcheck shell=bash
# The helpers, for scripts of images that source the file of a family by itself.

# shellcheck source=/dev/null # they are checked as they are shipped
declare -F bounded >/dev/null || . "${BASH_SOURCE[0]%/*}/provision_source.sh"
