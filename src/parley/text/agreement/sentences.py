"""Sentences of a Markdown text, with their places."""

import re
from collections.abc import Iterator

import msgspec

from parley.text.agreement.markdown_blocks import Block, Form, blocks

SHORT_LINE = 60
"""A shorter line that is followed by a capital ends its sentence: nobody wraps lines so early."""

_END = re.compile(
    r"(?:(?<![.!?…؟۔।])[.!?…؟۔।]++[\"'”’»“)\]*_`]*+(?=\s|\Z))"
    r"|(?:[。！？｡]+[」』”’）)》*]*)"
    r"|(?:(?:(?<= ) |\\)\n)"
    r"|(?P<line>\n)"
)
_BEFORE = re.compile(r"(?:[^\W_]+\.[ \u00a0]?)*[^\W_]+$")
_SPACE = re.compile(r"[\s*_>\"'“”„«»(\[¿¡]*")
_ABBREVIATIONS = frozenset(
    """mr mrs ms dr prof st jr sr vs etc inc ltd corp co dept est fig figs eq no nos vol vols pp ed eds al cf approx
    max min resp incl excl ca e.g i.e a.m p.m u.s u.k u.n ph.d b.c a.d a.k.a
    jan feb mar apr jun jul aug sep sept oct nov dec
    bzw z.b d.h u.a o.ä usw ggf evtl inkl exkl nr abb tab bd kap str ca vgl s.o s.u u.u i.d.r z.t v.a sog max min
    mio mrd tsd hr fr st geb gest jh jhd art abs
    p.ex c.-à-d m mm mme mlle env chap av apr art n.b""".split()  # noqa: SIM905
)
_MAY_END = frozenset(
    {"etc", "usw", "al", "a.m", "p.m", "inc", "ltd", "corp", "u.s", "u.k", "b.c", "a.d", "mio", "mrd"}
)
"""Abbreviations that often end a sentence: a capital after them opens the next one."""
_AFTER_ORDINAL = re.compile(
    r"(?:jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez|jahrh|jh|klasse|auflage|platz|stock|mal|tag|woche|monat|"
    r"kapitel|generation|grad|weltkrieg|oktober)",
    re.IGNORECASE,
)


class Span(msgspec.Struct, frozen=True):
    """A sentence, or a unit that counts as one: `start` to `end`, code points of the text."""

    start: int
    end: int
    form: Form = "prose"


def sentences(text: str) -> tuple[Span, ...]:
    """Return the sentences of a Markdown text in order; they do not overlap, and each has a letter or digit.

    A heading, a row of a table and a block of code are one unit each; paragraphs and list items are split. The marks of
    headings, lists and quotations are left out. Linear in the text's length.
    """
    return tuple(span for block in blocks(text) for span in _spans(text, block))


def _spans(text: str, block: Block) -> Iterator[Span]:
    if block.form in ("code", "row", "heading"):
        yield from _trimmed(text, block.start, block.end, block.form)
        return
    start = block.start
    for match in _END.finditer(text, block.start, block.end):
        if _is_end(text, start, match, block.end):
            yield from _trimmed(text, start, match.end(), block.form)
            start = match.end()
    yield from _trimmed(text, start, block.end, block.form)


def _trimmed(text: str, start: int, end: int, form: Form) -> Iterator[Span]:
    """Yield the span without surrounding white space, or nothing if it has neither letter nor digit."""
    part = text[start:end]
    if not any(map(str.isalnum, part)):
        return
    left = len(part) - len(part.lstrip())
    yield Span(start + left, start + len(part.rstrip()), form)


def _is_end(text: str, start: int, match: re.Match[str], end: int) -> bool:
    mark = match[0]
    if mark[0] in "。！？｡ \\":
        return True
    after = _SPACE.match(text, match.end(), min(end, match.end() + 40))
    opening = text[after.end() : after.end() + 14] if after else ""
    if match["line"]:
        return _breaks(text, match.start(), opening)
    if not opening:
        return True
    if opening[0].islower():
        return False
    return (
        mark[0] != "." or mark.startswith("..") or not _is_abbreviation(text, start, match.start(), opening)
    )


def _breaks(text: str, at: int, opening: str) -> bool:
    """Return whether a line break inside a paragraph is intentional: after a colon, or after a short line."""
    line = text[text.rfind("\n", max(0, at - 2 * SHORT_LINE), at) + 1 : at]
    if line.rstrip().endswith(":"):
        return True
    return (
        len(line) < SHORT_LINE
        and bool(opening)
        and not opening[0].islower()
        and not line.rstrip().endswith(",")
    )


def _is_abbreviation(text: str, start: int, at: int, opening: str) -> bool:
    """Return whether the full stop at `at` belongs to the word before it."""
    before = _BEFORE.search(text[max(start, at - 24) : at])
    if before is None:
        return False
    word = before[0].replace(" ", "").replace("\u00a0", "")
    if word.isdigit():
        alone = not text[start:at].strip(" \t\n*_(")[: -len(word)]
        return len(word) <= 2 and (alone or _AFTER_ORDINAL.match(opening) is not None)
    last = word.rpartition(".")[2]
    if len(last) == 1 and last.isalpha() and opening[1:2] == ".":
        return True
    if len(last) == 1 and last.isupper() and not last.isdigit():
        return last not in "IC" or "." in word
    known = {word.lower(), last.lower()} & _ABBREVIATIONS
    if not known or (word in ("no", "No", "art", "fig") and not opening[0].isdigit()):
        return False
    return not (known & _MAY_END and opening[0].isupper())
