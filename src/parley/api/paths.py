"""Paths without the ids in them."""

import re

_ID = re.compile(r"/[0-9a-f]{16,64}(?=/|$)")


def path_template(path: str) -> str:
    """Return a path with `{id}` in place of each id."""
    return _ID.sub("/{id}", path)
