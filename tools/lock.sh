#!/bin/sh
# Writes both lock files: sh tools/lock.sh UV [--upgrade]. The second one is bound to the first one's versions.
set -e
uv="$1"
shift
options="--quiet --universal --generate-hashes --python-version 3.11 --no-emit-index-url --no-emit-find-links"
$uv pip compile $options "$@" pyproject.toml -o requirements.lock
$uv pip compile $options "$@" --group dev -c requirements.lock pyproject.toml -o requirements-dev.lock
