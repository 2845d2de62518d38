"""Canary keys: unmistakable secrets, and the search for them in every form in which one might leak."""

import base64
from collections.abc import Iterator
from urllib.parse import quote

import msgspec


def canary(number: int) -> str:
    """Return a key that a request can carry, and that every encoding writes differently."""
    return f'sk-canary-{number:02d}+/"{number * 7919:06x}\\<&>=~end'


def forms(key: str) -> Iterator[tuple[str, bytes]]:
    """Yield the name of an encoding and the key in it."""
    raw = key.encode()
    yield "plain", raw
    yield "hex", raw.hex().encode()
    yield "url-quoted", quote(key, safe="").encode()
    yield "reversed", raw[::-1]
    yield "JSON", msgspec.json.encode(key)[1:-1]
    for shift in range(3):
        # Within a longer text a key's base64 depends on where it begins; its ends depend on the neighbours.
        inside = base64.b64encode(b"\0" * shift + raw)[4:-4]
        yield f"base64 at {shift}", inside
        yield f"base64url at {shift}", inside.replace(b"+", b"-").replace(b"/", b"_")


def found_in(text: bytes, keys: list[str]) -> list[str]:
    """Return where keys stand in a text, as in "key 3 as hex"."""
    lower = text.lower()
    return [
        f"key {number} as {name}"
        for number, key in enumerate(keys)
        for name, form in forms(key)
        if (form.lower() in lower if name == "hex" else form in text)
    ]
