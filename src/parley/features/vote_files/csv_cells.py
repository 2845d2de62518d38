"""CSV cells that no spreadsheet runs as a formula."""

import re

import msgspec

UNSEEN = (
    r"[\s\x00-\x20\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202f"
    r"\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc]"
)
"""Spaces, controls and characters without width: some programs skip them when they look for a formula."""

OPERATORS = "=+-@＝＋－＠﹦﹢﹣﹫⁼⁺⁻₌₊₋−"
"""The beginnings of formulas, in every width: some programs treat wide characters as narrow ones."""

_RISKY = re.compile(rf"['\t\r\n]|{UNSEEN}*[{re.escape(OPERATORS)}]")


def escape_formula(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet could run as a formula."""
    return f"'{text}" if _RISKY.match(text) else text


def unescape_formula(text: str) -> str:
    """Return the text that `escape_formula` was given."""
    return text[1:] if text.startswith("'") and _RISKY.match(text[1:]) else text


def csv_cell(value: object) -> object:
    """Return a value as a cell; lists and objects become JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return escape_formula(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value)
    return value if isinstance(value, int) else msgspec.json.encode(value).decode()
