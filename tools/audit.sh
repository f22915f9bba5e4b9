#!/usr/bin/env bash
# Are there known vulnerabilities in what requirements/ pins? Asks PyPI's advisories, through
# pip-audit. Ends with 1 and a table if there are; where nobody can be asked, says that it was
# skipped. Run before a release, and by hand: what is known changes without a commit.
set -euo pipefail
cd "$(dirname "$0")/.."

AUDIT=pip-audit==2.10.1
UV=${UV:-.cache/uv/bin/uv}
found=$(mktemp -d)
trap 'rm -rf "$found"' EXIT

sort -u requirements/*.txt >"$found/pins.txt"
status=0
"$UV" tool run --from "$AUDIT" pip-audit --requirement "$found/pins.txt" --no-deps --disable-pip \
    --progress-spinner off --format json --output "$found/report.json" 2>"$found/errors" || status=$?
if [ ! -s "$found/report.json" ]; then
    echo "skipped: no advisories could be asked for ($(tail -n 1 "$found/errors"))" >&2
    exit 0
fi
python3 - "$found/report.json" <<'EOF'
import json
import sys

with open(sys.argv[1]) as file:
    pins = json.load(file)["dependencies"]
asked = [pin for pin in pins if "skip_reason" not in pin]
for pin in asked:
    for known in pin["vulns"]:
        mended = ", ".join(known["fix_versions"]) or "no version"
        print(f"{pin['name']} {pin['version']}: {known['id']}, mended in {mended}")
if asked:
    print(f"asked about {len(asked)} of {len(pins)} pins")
else:
    print("skipped: the index that is set up here knows no advisories", file=sys.stderr)
EOF
exit "$status"
