#!/usr/bin/env bash
# Makes .venv with the pinned packages and the command pactwin, and installs the few system
# libraries it needs (through apt when root). Mirrors and certificates set up for pip or uv are used.
# tools/bootstrap.sh dev: what the demo and `make check` need; test: also what only tests need.
set -euo pipefail
what=${1:-dev}
cd "$(dirname "$0")/.."

# Drawing without a display: EGL, OpenGL and a driver for them.
system_packages=(libegl1 libgl1-mesa-dri libopengl0)

find_python() {
    local candidate
    for candidate in ${PYTHON:-} python3.11 python3 python /usr/bin/python3.11; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    echo "Python 3.11 was not found: install it (Debian 12: apt-get install python3.11)" \
        "or name it: make env PYTHON=/path/to/python3.11" >&2
    return 1
}

make_uv() { # uv from the package index, in an environment of its own
    local home=.cache/uv
    [ -x $home/bin/uv ] && [ requirements/uv.txt -ot $home/bin/uv ] && return
    rm -rf $home
    if ! "$python" -m venv $home >/dev/null 2>&1; then # Debian's Python comes without it
        tools/apt.sh python3.11-venv
        rm -rf $home
        "$python" -m venv $home
    fi
    $home/bin/python -m pip install --quiet --disable-pip-version-check -r requirements/uv.txt
    touch $home/bin/uv
}

python=$(find_python)
tools/apt.sh "${system_packages[@]}" || echo "going on; drawing will not work before" >&2
make_uv
. tools/pip_settings.sh
uv=.cache/uv/bin/uv
[ -x .venv/bin/python ] || "$uv" venv --quiet --python "$python" .venv
export VIRTUAL_ENV=$PWD/.venv
# Once here, not at every start: where PYTHONDONTWRITEBYTECODE is set, as in many containers, a
# command would else take seconds longer each time.
export UV_COMPILE_BYTECODE=${UV_COMPILE_BYTECODE:-true}
# The pins are complete, and mend what the packages' own metadata get wrong (docs/setup.md).
quiet=; [ -t 2 ] || quiet=--quiet # a progress bar is for people
"$uv" pip install $quiet --no-deps -r "requirements/$what.txt"
if [ "$what" = test ]; then
    "$uv" pip install $quiet --no-deps -r requirements/robosuite.txt
fi
"$uv" pip install --quiet --no-deps --no-build-isolation --editable .
