#!/usr/bin/env bash
# Makes .venv-perception: torch without CUDA, and what tests of detectors and of training need
# beside .venv.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/pip_settings.sh
uv=.cache/uv/bin/uv
"$uv" venv --quiet --clear --python .venv/bin/python .venv-perception
export VIRTUAL_ENV=$PWD/.venv-perception
install=("$uv" pip install --quiet --no-deps -r requirements/models.txt
    -r requirements/training.txt)
# From PyTorch's own index of builds without CUDA; else what the configured indexes and folders have.
"${install[@]}" --torch-backend cpu 2>/dev/null || "${install[@]}"
# Everything else is .venv's: found after what is installed here.
site=lib/python3.11/site-packages
echo "$PWD/.venv/$site" > ".venv-perception/$site/beside.pth"
# One built for CUDA does not load without its libraries.
.venv-perception/bin/python -c "import torch"
