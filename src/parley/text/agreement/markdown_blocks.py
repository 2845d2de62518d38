"""Splits Markdown into its blocks, as far as sentences need it."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

Form = Literal["prose", "heading", "item", "row", "code"]

_LINE = re.compile(r"[^\n]*\n|[^\n]+\Z")
_FENCE = re.compile(r"[ \t>]{0,16}(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?(`{3,}|~{3,})")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+")
_UNDERLINE = re.compile(r"[ \t]{0,3}(?:=+|-{2,})[ \t]*$")
_RULE = re.compile(r"[ \t]{0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_ITEM = re.compile(r"[ \t]*(?:[-*+•‣◦–—]|\(?\d{1,3}[.)]|\(?[a-zA-Z]\))[ \t]+(?:\[[ xX]\][ \t]+)?")
_QUOTE = re.compile(r"[ \t]{0,3}>[ \t]?")
_RULING = re.compile(r"[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*$")
_INDENTED = re.compile(r"(?: {4}|\t)[ \t]*\S")


class Block(NamedTuple):
    """A heading, an item of a list, a row of a table, a piece of code or a paragraph: `start` to `end`."""

    start: int
    end: int
    form: Form


class _Line(NamedTuple):
    start: int
    end: int
    """Without the line's end."""
    text: str


def blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a text in order, without their opening marks; they do not overlap.

    Offsets are code points. Rules, underlines and separator rows of tables belong to no block. Linear in the text's
    length.
    """
    lines = [_line(match) for match in _LINE.finditer(text)]
    at = 0
    in_list = False
    while at < len(lines):
        line = lines[at]
        if fence := _FENCE.match(line.text):
            last = _closing(lines, at, fence[1])
            yield Block(line.start, lines[last].end, "code")
            at = last + 1
        elif not line.text.strip() or _RULE.match(line.text):
            at += 1
        elif heading := _HEADING.match(line.text):
            yield Block(line.start + heading.end(), line.end, "heading")
            at, in_list = at + 1, False
        elif _is_row(lines, at):
            if not _RULING.match(line.text):
                yield _row(line)
            at += 1
        elif not in_list and _INDENTED.match(line.text) and not _ITEM.match(line.text):
            last = _last_indented(lines, at)
            yield Block(line.start, lines[last].end, "code")
            at = last + 1
        else:
            in_list = bool(_ITEM.match(line.text)) or (in_list and line.text[:1].isspace())
            block, at = _paragraph(lines, at)
            yield block


def _line(match: re.Match[str]) -> _Line:
    text = match[0].rstrip("\r\n")
    return _Line(match.start(), match.start() + len(text), text)


def _closing(lines: list[_Line], at: int, fence: str) -> int:
    """Return the line that closes a fence, or the last one."""
    for number in range(at + 1, len(lines)):
        text = lines[number].text.strip(" \t>")
        if text.startswith(fence) and not text.strip(fence[0]):
            return number
    return len(lines) - 1


def _is_row(lines: list[_Line], at: int) -> bool:
    """Return whether a line belongs to a table: it has bars outside, or a ruling beneath or above it."""
    text = lines[at].text.strip()
    if text.startswith("|") and text.count("|") > 1:
        return True
    if "|" not in text:
        return False
    near = lines[max(0, at - 1) : at + 2]
    if any("|" in line.text and _RULING.match(line.text) for line in near):
        return True
    return at > 1 and "|" in lines[at - 1].text and _RULING.match(lines[at - 2].text) is not None


def _row(line: _Line) -> Block:
    left = len(line.text) - len(line.text.lstrip(" \t|"))
    return Block(line.start + left, max(line.start + left, line.start + len(line.text.rstrip(" \t|"))), "row")


def _last_indented(lines: list[_Line], at: int) -> int:
    last = at
    for number in range(at, len(lines)):
        if _INDENTED.match(lines[number].text):
            last = number
        elif lines[number].text.strip():
            break
    return last


def _paragraph(lines: list[_Line], at: int) -> tuple[Block, int]:
    """Return the paragraph or item that begins at a line, and the line after it."""
    first = lines[at]
    form: Form = "prose"
    start = first.start
    if quote := _QUOTE.match(first.text):
        start += quote.end()
    if item := _ITEM.match(first.text[start - first.start :]):
        form, start = "item", start + item.end()
    end, number = first.end, at + 1
    while number < len(lines) and not _opens(lines, number):
        end = lines[number].end
        number += 1
    if number < len(lines) and _UNDERLINE.match(lines[number].text):
        return Block(start, end, "heading" if form == "prose" else form), number + 1
    return Block(start, max(start, end), form), number


def _opens(lines: list[_Line], at: int) -> bool:
    """Return whether a line ends the paragraph before it."""
    text = lines[at].text
    if not text.strip() or _FENCE.match(text) or _HEADING.match(text) or _RULE.match(text):
        return True
    if _UNDERLINE.match(text) or _ITEM.match(_QUOTE.sub("", text, count=1)) or _is_row(lines, at):
        return True
    return bool(_QUOTE.match(text)) and (
        not _QUOTE.match(lines[at - 1].text) or not _QUOTE.sub("", text, 1).strip()
    )
