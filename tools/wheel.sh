#!/usr/bin/env bash
# Installs the wheel as a user would, by plain pip into a bare environment, and makes, checks,
# answers and compares a small suite from a folder that has nothing of the repository.
# tools/wheel.sh [PYTHON]: of version 3.11 to 3.13; default: that of .venv.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${1:-.venv/bin/python}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset PYTHONPATH VIRTUAL_ENV

.venv/bin/python -m hatchling build --target wheel --directory "$work/dist" >/dev/null
# Modules lie in the wheel, and so does what they read beside them.
comm -23 <(git ls-files pactwin | LC_ALL=C sort) \
    <("$python" -m zipfile --list "$work"/dist/*.whl | awk '{print $1}' | LC_ALL=C sort) |
    sed 's/^/not in the wheel: /' | tee "$work/missing"
[ ! -s "$work/missing" ] || exit 1

"$python" -m venv "$work/bare"
start=$SECONDS
"$work/bare/bin/python" -m pip --disable-pip-version-check install --quiet --only-binary :all: \
    "$work"/dist/*.whl 2>"$work/pip.log" || { cat "$work/pip.log" >&2; exit 1; }
echo "the wheel, installed by pip in $((SECONDS - start)) s:" \
    "$(du -sm "$work/bare" | cut -f1) MB"

cd "$work"
start=$SECONDS
pactwin=$work/bare/bin/pactwin
$pactwin make constraints --out suite --seed 1 --pairs 2 --domains size_mismatch,support \
    --cameras head --size 320x240
$pactwin check suite
$pactwin eval suite --log-dir logs --model pactwin/oracle --fail-under informedness=1
$pactwin compare logs --out report.html --json scores.json
test -s report.html && test -s scores.json
echo "a suite of two pairs, made, checked, answered and compared in $((SECONDS - start)) s"
