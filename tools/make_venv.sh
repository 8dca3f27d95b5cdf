#!/bin/sh
# Makes a virtual environment: make_venv.sh PYTHON FOLDER. Debian and Ubuntu ship venv apart.
set -eu
python=$1
folder=$2
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "sitegen needs Python 3.11 or newer; $python is $("$python" -V 2>&1)." >&2
    echo "Name another one: make PYTHON=python3.12 site" >&2
    exit 1
}
[ -x "$folder/bin/pip" ] && exit 0
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    package=$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get update -q && apt-get install -q -y --no-install-recommends "$package"
    else
        echo "Python's venv module is missing. Install it: sudo apt-get install $package" >&2
        exit 1
    fi
fi
"$python" -m venv "$folder"
