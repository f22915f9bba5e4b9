#!/usr/bin/env bash
# Runs the quick tests of scenes and physics on the newest MuJoCo, in an environment of its own:
# the tested set holds an older one, which RoboCasa and robosuite need. Where it cannot be had,
# that is said, and nothing fails.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/pip_settings.sh
uv=$PWD/.cache/uv/bin/uv
venv=$PWD/.venv-newest
"$uv" venv --quiet --clear --python .venv/bin/python "$venv"
# Without pyproject.toml's versions, but for NumPy's: what else is used was built for that.
if ! "$uv" pip install --quiet --no-config --python "$venv/bin/python" mujoco \
    "$(grep -E '^numpy==' requirements/base.txt)"; then
    echo "skipped: tests on the newest MuJoCo, since it cannot be installed" >&2
    exit 0
fi
# Everything else is .venv's: found after what is installed here.
site=lib/python3.11/site-packages
echo "$PWD/.venv/$site" >"$venv/$site/beside.pth"
echo "on MuJoCo $("$venv/bin/python" -c 'import mujoco; print(mujoco.__version__)'):"
PYTHONPATH=.:tests:stand_ins "$venv/bin/python" -m pytest -q -c /dev/null --rootdir . --noconftest \
    -p no:cacheprovider -p no:dash -W ignore tests/sim/scene tests/sim/physics
