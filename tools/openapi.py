"""Writes the OpenAPI document to a file: python tools/openapi.py PATH."""

import sys
from pathlib import Path

import msgspec

from parley.api.app import describe_app
from parley.api.openapi import build
from parley.application import built_in_routes


def document() -> bytes:
    """Return the document as it is committed."""
    return (
        msgspec.json.format(
            msgspec.json.encode(build(describe_app(built_in_routes())), order="sorted"), indent=2
        )
        + b"\n"
    )


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(document())
