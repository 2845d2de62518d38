#!/bin/sh
# Prints a Python ≥ 3.11 that can make virtual environments, or says what is missing.
# PYTHON asks for one: a version (3.13; pyenv's are found too), a name or a path.
case "${PYTHON:-}" in
"") candidates="python3 python3.13 python3.12 python3.14 python3.11 python" ;;
3.[0-9]*)
    of_pyenv=$(ls -d "${PYENV_ROOT:-$HOME/.pyenv}/versions/$PYTHON"*/bin/python 2>/dev/null | sort -rV)
    candidates="python$PYTHON $of_pyenv python3"
    wanted=$PYTHON
    ;;
*) candidates=$PYTHON ;;
esac
for candidate in $candidates; do
    command -v "$candidate" >/dev/null 2>&1 || continue
    "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || continue
    case "$("$candidate" -c 'import platform; print(platform.python_version())')." in "${wanted:-3}".*) ;; *) continue ;; esac
    if "$candidate" -c 'import venv, ensurepip' >/dev/null 2>&1; then
        command -v "$candidate"
        exit 0
    fi
    without_venv="$candidate"
done
if [ -n "$without_venv" ]; then
    echo "error: $without_venv cannot make virtual environments. On Debian or Ubuntu: apt install python3-venv" >&2
elif [ -n "$PYTHON" ]; then
    echo "error: $PYTHON is not a Python 3.11 or newer that runs on this machine." >&2
else
    echo "error: Parley needs Python 3.11 or newer. Install one, or name it: make setup PYTHON=/path/to/python" >&2
fi
exit 1
