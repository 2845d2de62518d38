"""Reads a Word document as Markdown: headings, lists, tables, notes."""

from collections import defaultdict
from collections.abc import Iterator
from xml.etree.ElementTree import Element

import msgspec

from parley.features.attachments.office_package import Package, markdown_table

_LEFT_OUT = frozenset(("del", "moveFrom", "Fallback", "pPr", "rPr", "instrText", "rt"))
"""Elements whose text nobody sees: deleted, moved away, shown twice, settings, the code of a field, a reading."""

_SIGNS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "softHyphen": ""}
_DEEPEST = 6


class Style(msgspec.Struct, frozen=True):
    """The level of a heading (1 to 6) and the list of paragraphs in a style; None for text."""

    heading: int | None = None
    numbered: tuple[str, int] | None = None


class Document:
    """The text of one document, and the counters of its lists."""

    def __init__(self, package: Package) -> None:
        self._main = package.main()
        self._package = package
        self._styles = _styles(package.of_type(self._main, "styles"))
        self._formats = _formats(package.of_type(self._main, "numbering"))
        self._counts: dict[str, list[int]] = defaultdict(lambda: [0] * 10)

    def text(self) -> str:
        """Return the document as Markdown."""
        root = self._package.part(self._main)
        body = root.find("body") if root is not None else None
        blocks = list(self._blocks(body)) if body is not None else []
        return "\n\n".join((*_joined(blocks), *self._notes("footnote"), *self._notes("endnote")))

    def _blocks(self, parent: Element) -> Iterator[tuple[str, bool]]:
        """Yield paragraphs and tables, and of each if it belongs to a list."""
        for child in parent:
            if child.tag == "p":
                text, listed = self._paragraph(child)
                if text.strip():
                    yield text, listed
            elif child.tag == "tbl":
                yield "\n".join(markdown_table(_rows(child))), False
            elif child.tag not in _LEFT_OUT:
                yield from self._blocks(child)

    def _paragraph(self, paragraph: Element) -> tuple[str, bool]:
        text = _text(paragraph).strip("\n ")
        properties = paragraph.find("pPr")
        own = properties if properties is not None else Element("pPr")
        style = self._styles.get(_value(own, "pStyle"), Style())
        heading = _heading(own) or style.heading
        if heading:
            return f"{'#' * heading} {' '.join(text.split())}" if text else "", False
        number, level = _numbered(own) or style.numbered or ("0", 0)
        if number == "0" or not text:
            return text, False
        return f"{'   ' * level}{self._mark(number, level)} {text}", True

    def _mark(self, number: str, level: int) -> str:
        """Return the mark of the next item of a list: a dash, or its number."""
        counts = self._counts[number]
        kind, start = self._formats.get((number, level), ("bullet", 1))
        counts[level] = counts[level] + 1 if counts[level] else start
        counts[level + 1 :] = [0] * (len(counts) - level - 1)
        return "-" if kind in ("bullet", "none") else f"{counts[level]}."

    def _notes(self, kind: str) -> Iterator[str]:
        root = self._package.of_type(self._main, f"{kind}s")
        for note in root if root is not None else ():
            text = " ".join(" ".join(_text(each) for each in note.iter("p")).split())
            if text and note.get("type", "normal") == "normal":
                yield f"[^{_note_name(kind, note)}]: {text}"


def document_text(package: Package) -> str:
    """Return the text of a Word document as Markdown. Raises KeyError if it has none."""
    return Document(package).text()


def _joined(blocks: list[tuple[str, bool]]) -> Iterator[str]:
    """Yield blocks; neighbouring items of lists become one."""
    items: list[str] = []
    for text, listed in blocks:
        if listed:
            items.append(text)
            continue
        if items:
            yield "\n".join(items)
            items = []
        yield text
    if items:
        yield "\n".join(items)


def _text(element: Element) -> str:
    """Return the visible text of an element, with paragraphs inside it (of text boxes) on lines of their own."""
    parts: list[str] = []
    for child in element:
        if child.tag == "t":
            parts.append(child.text or "")
        elif child.tag in _SIGNS:
            parts.append(_SIGNS[child.tag])
        elif child.tag in ("footnoteReference", "endnoteReference"):
            parts.append(f"[^{_note_name(child.tag.removesuffix('Reference'), child)}]")
        elif child.tag == "p":
            parts.append(f"\n{_text(child)}\n")
        elif child.tag not in _LEFT_OUT:
            parts.append(_text(child))
    return "".join(parts)


def _note_name(kind: str, element: Element) -> str:
    return f"{'' if kind == 'footnote' else 'e'}{element.get('id', '')}"


def _rows(table: Element) -> list[list[str]]:
    """Return the cells of a table; one that spans columns leaves the others empty, as does one that spans rows."""
    rows: list[list[str]] = []
    for row in _inside(table, "tr"):
        cells: list[str] = []
        for cell in _inside(row, "tc"):
            own = cell.find("tcPr")
            cells.append(_text(cell).strip())
            if own is not None:
                cells += [""] * min(int(_value(own, "gridSpan") or 1) - 1, 100)
        rows.append(cells)
    return rows


def _inside(parent: Element, tag: str) -> Iterator[Element]:
    """Yield the children with a tag, also those that a content control or a change wraps."""
    for child in parent:
        if child.tag == tag:
            yield child
        elif child.tag in ("sdt", "sdtContent", "ins", "customXml"):
            yield from _inside(child, tag)


def _styles(root: Element | None) -> dict[str, Style]:
    """Return what the styles of paragraphs say, by their ids; a style inherits from the one it is based on."""
    declared = {each.get("styleId", ""): each for each in (root.iter("style") if root is not None else ())}
    return {name: _style(declared, name, 0) for name in declared}


def _style(declared: dict[str, Element], name: str, depth: int) -> Style:
    element = declared.get(name)
    if element is None or depth > 20:
        return Style()
    base = _style(declared, _value(element, "basedOn"), depth + 1)
    properties = element.find("pPr")
    own = properties if properties is not None else Element("pPr")
    called = _value(element, "name").lower()
    heading = (
        1 if called == "title" else _level(called.removeprefix("heading ")) if "heading" in called else None
    )
    return Style(heading or _heading(own) or base.heading, _numbered(own) or base.numbered)


def _heading(properties: Element) -> int | None:
    """Return the level of a heading that is set for a paragraph; 9 stands for text."""
    outline = _value(properties, "outlineLvl")
    return _level(str(int(outline) + 1)) if outline.isdecimal() and int(outline) < 9 else None


def _level(number: str) -> int | None:
    return min(int(number), _DEEPEST) if number.isdecimal() and int(number) else None


def _numbered(properties: Element) -> tuple[str, int] | None:
    """Return the list of a paragraph, and the level there; list “0” is none."""
    numbering = properties.find("numPr")
    if numbering is None:
        return None
    level = _value(numbering, "ilvl")
    return _value(numbering, "numId") or "0", min(int(level), 8) if level.isdecimal() else 0


def _formats(root: Element | None) -> dict[tuple[str, int], tuple[str, int]]:
    """Return the format of the numbers of a list at a level, and the first of them."""
    if root is None:
        return {}
    abstract = {each.get("abstractNumId", ""): each for each in root.iter("abstractNum")}
    formats: dict[tuple[str, int], tuple[str, int]] = {}
    for number in root.findall("num"):
        levels = abstract.get(_value(number, "abstractNumId"))
        for level in levels.findall("lvl") if levels is not None else ():
            start = _value(level, "start")
            key = number.get("numId", ""), int(level.get("ilvl", "0"))
            formats[key] = _value(level, "numFmt") or "decimal", int(start) if start.isdecimal() else 1
    return formats


def _value(element: Element, child: str) -> str:
    """Return the value of a setting; nothing if it isn't set."""
    setting = element.find(child)
    return "" if setting is None else setting.get("val", "")
