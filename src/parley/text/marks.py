"""The marks of Markdown, which stand around words and between them."""

import re

# Each alternative begins with a letter of its own, so that the engine skips to the next of these.
_AROUND = re.compile(
    r"\\([!-/:-@\[-`{-~])|\*\*|~~|``*"
    r"|\*(?<![\w*]\*)(?=\w)|\*(?<=\w\*)(?![\w*])"
    r"|__(?<!\w__)(?=[^\W_])|_(?<!\w_)(?=[^\W_])|__(?<=[^\W_]__)(?!\w)|_(?<=[^\W_]_)(?!\w)"
)
_BEGINNING = re.compile(r"\n[ \t]*(?:(?:#{1,6}|>|[*+-])[ \t]+)+")
_IN_TABLES = re.compile(r"\||[-:|]*-{3,}[-:|]*")
_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\(((?:[^()\s]|\([^()\s]*\))*)(?:[ \t]+\"[^\"\n]*\")?\)")


def without_marks(text: str) -> str:
    """Return a text without marks of Markdown, of links only their words, with single spaces."""
    bare = _BEGINNING.sub("\n", f"\n{text}")
    if "](" in bare:
        bare = _LINK.sub(r"\1", bare)
    words = _AROUND.sub(r"\1", bare).split()
    joined = " ".join([word for word in words if word[0] not in "|-:" or not _IN_TABLES.fullmatch(word)])
    before, after = (" " if end.isspace() else "" for end in (text[:1], text[-1:]))
    return f"{before}{joined}{after}" if joined else before


def searchable(text: str) -> str:
    """Return what search finds of a text with Markdown: the text without marks, then where its links lead."""
    addresses = [address for _, address in _LINK.findall(text)] if "](" in text else []
    return without_marks(" ".join([text, *addresses]))
