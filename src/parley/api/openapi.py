"""Writes the OpenAPI document to a file: `python -m parley.api.openapi PATH`."""

import sys
from pathlib import Path

import msgspec

from parley.api.app import describe_app
from parley.api.document import build


def main() -> None:
    """Write the document to the path given, for the page's types and for the check of drift."""
    text = msgspec.json.format(msgspec.json.encode(build(describe_app()), order="sorted"), indent=2)
    Path(sys.argv[1]).write_bytes(text + b"\n")


if __name__ == "__main__":
    main()
