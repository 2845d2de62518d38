"""The key by which commands on this computer prove to a shared server that they may read its data folder."""

import os
import secrets
from pathlib import Path

KEY_FILE = "parley.command"


def make_command_key(folder: Path) -> str:
    """Write a new key into the data folder, readable by its owner only, and return it."""
    key, file = secrets.token_urlsafe(32), folder / KEY_FILE
    part = file.with_suffix(".new")
    part.unlink(missing_ok=True)
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as out:
        out.write(key)
    part.replace(file)
    return key


def read_command_key(folder: Path) -> str:
    """Return the key of the server that uses a data folder; empty if it needs none."""
    try:
        return (folder / KEY_FILE).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
