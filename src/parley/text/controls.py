"""Makes terminal control characters visible: escapes, controls, and those that change the writing direction."""

import re

_CONTROLS = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 without tab and line feed, DEL, C1
    r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # direction
    r"\u2028\u2029\ufff9-\ufffb\ud800-\udfff"  # other ends of lines, annotations, halves of characters
)
_COMMANDING = re.compile(f"[{_CONTROLS}]")
_COMMANDING_OR_BREAKING = re.compile(f"[\t\n{_CONTROLS}]")


def visible(text: str) -> str:
    r"""Return a text that is safe to print to a terminal: an escape becomes \x1b. Line breaks stay."""
    return _COMMANDING.sub(_escaped, text.replace("\r\n", "\n"))


def in_one_line(text: str) -> str:
    r"""Return the same for a name: line breaks are shown too, as \x0a."""
    return _COMMANDING_OR_BREAKING.sub(_escaped, text)


def visible_json(text: str) -> str:
    """Return an equivalent JSON document without such characters."""
    return _COMMANDING.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def _escaped(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
