#!/bin/sh
# Prints the versions of Python on this machine that Parley is tested on, the oldest first.
for version in 3.11 3.12 3.13 3.14; do
    PYTHON=$version sh "$(dirname "$0")/find_python.sh" >/dev/null 2>&1 && echo "$version"
done
