#!/bin/sh
# Prints a Python ≥ 3.11 that can make virtual environments, or says what is missing.
for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.14 python3.11 python}; do
    command -v "$candidate" >/dev/null 2>&1 || continue
    "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || continue
    if "$candidate" -c 'import venv, ensurepip' >/dev/null 2>&1; then
        command -v "$candidate"
        exit 0
    fi
    without_venv="$candidate"
done
if [ -n "$without_venv" ]; then
    echo "error: $without_venv cannot make virtual environments. On Debian or Ubuntu: apt install python3-venv" >&2
else
    echo "error: Parley needs Python 3.11 or newer. Install one, or name it: make setup PYTHON=/path/to/python" >&2
fi
exit 1
