"""Lists and objects as Python and NumPy print them, which pandas writes into CSV, read as JSON."""

import re

import msgspec

_TOKEN = re.compile(
    r"""(?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
    |(?P<option>,\s*[A-Za-z_]\w*=[\w.'<>]+)
    |(?P<call>[A-Za-z_][\w.]*\()
    |(?P<word>(?:True|False|None|nan)\b)
    |(?P<number>-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)
    |(?P<sign>[\[\](){},:])
    |(?P<space>\s+)""",
    re.DOTALL | re.VERBOSE,
)
_WORDS = {"True": "true", "False": "false", "None": "null", "nan": "null"}
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\n": ""}
_CLOSING = {"[": "]", "(": "]", "{": "}"}


def json_of_python(text: str) -> str | None:
    """Return Python's text of a list or object as JSON; None for anything else. Linear in the length of the text.

    NumPy puts no comma between elements and names its arrays: `array([{'a': 1} {'a': 2}], dtype=object)`.
    """
    written: list[str] = []
    open_brackets: list[str] = []
    ended = at = 0
    while at < len(text):
        # Not a search: it would begin anew at each quotation mark.
        if not (match := _TOKEN.match(text, at)):
            return None
        kind, piece, at = match.lastgroup, match[0], match.end()
        if kind == "call":
            open_brackets.append("")
        elif kind == "sign" and piece in "])}":
            if not open_brackets:
                return None
            if written and written[-1] == ",":
                written.pop()
            written.append(open_brackets.pop())
            ended = True
        elif kind == "sign" and piece in ",:":
            written.append(piece)
            ended = False
        elif kind not in ("space", "option"):
            if ended:
                written.append(",")
            written.append(_as_json(kind, piece))
            ended = piece not in _CLOSING
            if not ended:
                open_brackets.append(_CLOSING[piece])
    return "".join(written) if not open_brackets else None


def _as_json(kind: str | None, piece: str) -> str:
    if kind == "text":
        return msgspec.json.encode(_content(piece)).decode()
    return _WORDS.get(piece, "[" if piece == "(" else piece)


def _content(literal: str) -> str:
    """Return what a literal stands for."""
    return _ESCAPE.sub(_character, literal[1:-1]) if "\\" in literal else literal[1:-1]


def _character(match: re.Match[str]) -> str:
    escape = match[1]
    if escape[0] in "xuU":
        code = int(escape[1:], 16)
        return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
    return _ESCAPES.get(escape, escape)
