#!/usr/bin/env bash
# Installs the wheel as a user would, by plain pip into a bare environment, and makes, checks,
# answers and compares a small suite from a folder that has nothing of the repository; then tests
# that need neither it nor pictures run there. The wheel must resolve for Python 3.11 to 3.13.
# tools/wheel.sh [PYTHON]: of version 3.11 to 3.13; default: that of .venv.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${1:-$PWD/.venv/bin/python}
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset PYTHONPATH VIRTUAL_ENV

.venv/bin/python -m hatchling build --target wheel --directory "$work/dist" >/dev/null
# Modules lie in the wheel, and so does what they read beside them.
comm -23 <(git ls-files pactwin | LC_ALL=C sort) \
    <("$python" -m zipfile --list "$work"/dist/*.whl | awk '{print $1}' | LC_ALL=C sort) |
    sed 's/^/not in the wheel: /' | tee "$work/missing"
[ ! -s "$work/missing" ] || exit 1

. tools/pip_settings.sh
cd "$work" # or uv would hold to pyproject.toml's pins
for version in 3.11 3.12 3.13; do
    if echo "pactwin @ file://$(echo "$work"/dist/*.whl)" | "$root/.cache/uv/bin/uv" pip compile - \
        --quiet --python-version $version --python-platform linux --only-binary :all: \
        --output-file "resolved-$version.txt" >/dev/null 2>resolver.log; then
        echo "resolves for Python $version: $(grep -c == "resolved-$version.txt") packages," \
            "$(grep -E '^(mujoco|numpy)==' "resolved-$version.txt" | paste -sd ' ')"
    elif grep -qiE 'failed to fetch|error sending request|connect|timed out' resolver.log; then
        echo "skipped: whether it resolves for Python $version, the index cannot be reached" >&2
    else
        cat resolver.log >&2
        exit 1
    fi
done

"$python" -m venv bare
start=$SECONDS
"$work/bare/bin/python" -m pip --disable-pip-version-check install --quiet --only-binary :all: \
    "$work"/dist/*.whl 2>"$work/pip.log" || { cat "$work/pip.log" >&2; exit 1; }
echo "the wheel, installed by pip in $((SECONDS - start)) s:" \
    "$(du -sm "$work/bare" | cut -f1) MB"

start=$SECONDS
pactwin=$work/bare/bin/pactwin
$pactwin make constraints --out suite --seed 1 --pairs 2 --domains size_mismatch,support \
    --cameras head --size 320x240
$pactwin check suite
$pactwin eval suite --log-dir logs --model pactwin/oracle --fail-under informedness=1
$pactwin compare logs --out report.html --json scores.json
test -s report.html && test -s scores.json
echo "a suite of two pairs, made, checked, answered and compared in $((SECONDS - start)) s"

# Fewer than all, since all take long: records, the catalogue and actions, but for what needs the
# extra export, or robosuite, and the slowest. newest_mujoco.sh tests physics.
tested=(suite catalogue sim/scene sim/actions)
left_out=(exports leaks reader storage writer)
pins=$(grep -E '^(pytest|pytest-timeout|hypothesis)==' "$root/requirements/test.txt")
"$work/bare/bin/python" -m pip --disable-pip-version-check install --quiet $pins 2>"$work/pip.log" ||
    { cat "$work/pip.log" >&2; exit 1; }
# A test of the catalogue reads its page. Other tests may be running there, and writing caches.
(cd "$root" && git ls-files -z tests stand_ins docs | xargs -0 cp --parents --target-directory "$work")
cat >tests/test_installed.py <<'EOF'
"""What these tests import is the wheel."""

import sys
from pathlib import Path

import pactwin


def test_the_package_is_the_installed_one() -> None:
    assert Path(pactwin.__file__).is_relative_to(sys.prefix)
EOF
PYTHONPATH=stand_ins "$work/bare/bin/python" -m pytest -q tests/test_installed.py "${tested[@]/#/tests/}" \
    --ignore=tests/suite/test_untrusted_files.py --ignore=tests/suite/test_lerobot_export.py \
    $(printf -- "--ignore=tests/suite/test_suite_%s.py " "${left_out[@]}") -k "not robosuite"
