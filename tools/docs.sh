#!/usr/bin/env bash
# Builds the site into site/, with MkDocs in an environment of its own beside .venv; offline once
# that environment is made.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ requirements/docs.txt -nt .venv-docs/.made ]; then
    . tools/pip_settings.sh
    uv=.cache/uv/bin/uv
    "$uv" venv --quiet --clear --python .venv/bin/python .venv-docs
    VIRTUAL_ENV=$PWD/.venv-docs "$uv" pip install --quiet --no-deps -r requirements/docs.txt
    # Everything else is .venv's: found after what is installed here.
    site=lib/python3.11/site-packages
    realpath ".venv/$site" > ".venv-docs/$site/beside.pth"
    touch .venv-docs/.made
fi
PYTHONPATH=$PWD NO_MKDOCS_2_WARNING=1 .venv-docs/bin/mkdocs build --quiet "$@"
