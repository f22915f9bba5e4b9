#!/usr/bin/env bash
# Makes sure that Debian packages are installed: tools/apt.sh NAME... Installs what is missing when
# root; otherwise names it and ends with 1. Elsewhere than on Debian it does nothing.
set -euo pipefail

command -v dpkg-query >/dev/null || exit 0
missing=()
for name in "$@"; do
    dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'ok installed' || missing+=("$name")
done
[ ${#missing[@]} = 0 ] && exit 0
if [ "$(id -u)" != 0 ]; then
    echo "missing, and installing needs root: sudo apt-get install ${missing[*]}" >&2
    exit 1
fi
echo "installing ${missing[*]}" >&2
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
