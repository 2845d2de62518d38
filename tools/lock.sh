#!/bin/sh
# Writes the lock files: sh tools/lock.sh UV [--upgrade]. The second is bound to the versions of the first, the third (for
# servers, with Redis and Kubernetes) to those of the second.
set -e
uv="$1"
shift
options="--quiet --universal --generate-hashes --python-version 3.11 --no-emit-index-url --no-emit-find-links"
$uv pip compile $options "$@" pyproject.toml -o requirements.lock
$uv pip compile $options "$@" --group dev -c requirements.lock pyproject.toml -o requirements-dev.lock
$uv pip compile $options "$@" --extra redis --extra kubernetes -c requirements-dev.lock pyproject.toml -o requirements-server.lock
