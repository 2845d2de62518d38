"""Reads an Excel workbook as Markdown tables, one a sheet."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError
from zipfile import BadZipFile, ZipFile

import msgspec

from parley.features.attachments.file_content import too_much
from parley.features.attachments.limits import TEXT_CHARS
from parley.features.attachments.office_package import Package, markdown_table

_DATES = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))
_PERCENT = frozenset((9, 10))
"""Numbers of the formats that every workbook has, of dates and of percentages."""

_QUOTED = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]', re.IGNORECASE)
_COLUMN = re.compile(r"[A-Z]{1,3}")
_LEAP_BUG = 60
"""Excel counts a 29 February 1900."""


class Workbook(msgspec.Struct, frozen=True):
    """The parts that cells refer to: texts, the kinds of their formats, and the first day of dates."""

    texts: list[str]
    formats: list[str]
    epoch: datetime


def workbook_text(package: Package) -> str:
    """Return a workbook as Markdown: for each sheet a heading and a table. Raises RefusedFile, KeyError."""
    main = package.main()
    root = package.part(main)
    if root is None:
        raise KeyError(main)
    workbook = _workbook(package, main, root)
    parts = package.related(main)
    written: list[str] = []
    size = 0
    for sheet in root.iter("sheet"):
        kind, part = parts.get(sheet.get("id", ""), ("", ""))
        tree = package.part(part) if kind == "worksheet" else None
        rows = list(_rows(tree, workbook)) if tree is not None else []
        hidden = "" if sheet.get("state", "visible") == "visible" else " (hidden)"
        size += _check_size(rows)
        lines = list(markdown_table(rows)) or ["This sheet has no cells with values."]
        written.append("\n".join((f"## Sheet: {sheet.get('name', '')}{hidden}", "", *lines)))
        if size > TEXT_CHARS:
            raise _too_much()
    return "\n\n".join(written)


def workbook_rows(path: Path) -> Iterator[tuple[str, list[list[str]]]]:
    """Yield the sheets of a workbook, each with its rows. Raises ValueError if it can't be read."""
    try:
        with ZipFile(path) as archive:
            package = Package(archive)
            main = package.main()
            root = package.part(main)
            workbook = _workbook(package, main, root) if root is not None else None
            parts = package.related(main)
            for sheet in root.iter("sheet") if root is not None else ():
                kind, part = parts.get(sheet.get("id", ""), ("", ""))
                tree = package.part(part) if kind == "worksheet" else None
                if tree is not None and workbook is not None:
                    yield sheet.get("name", ""), list(_rows(tree, workbook))
    except (BadZipFile, ParseError, KeyError, IndexError, EOFError, RuntimeError, OSError) as error:
        raise ValueError(f"The workbook is damaged: {error}") from None


def _check_size(rows: list[list[str]]) -> int:
    """Return the characters of a table at least. Raises RefusedFile before a sparse one is filled up."""
    used = {column for row in rows for column, cell in enumerate(row) if cell}
    if len(rows) * len(used) * 3 > 4 * TEXT_CHARS:
        raise _too_much()
    return sum(map(len, (cell for row in rows for cell in row)))


def _too_much() -> Exception:
    return too_much(
        f"has too many cells; the limit is {TEXT_CHARS:,} characters of text.",
        "Attach the sheet or the rows that matter, for instance as CSV.",
    )


def _workbook(package: Package, main: str, root: Element) -> Workbook:
    shared = package.of_type(main, "sharedStrings")
    styles = package.of_type(main, "styles")
    settings = root.find("workbookPr")
    from_1904 = settings is not None and settings.get("date1904") in ("1", "true")
    return Workbook(
        texts=[_text(item) for item in (shared.findall("si") if shared is not None else ())],
        formats=_formats(styles) if styles is not None else [],
        epoch=datetime(1904, 1, 1) if from_1904 else datetime(1899, 12, 30),  # noqa: DTZ001 - cells have no zone
    )


def _text(item: Element) -> str:
    """Return a text, also one in several formats, without the readings of Japanese."""
    runs = [each for child in item if child.tag != "rPh" for each in (child.iter("t"))]
    return "".join(run.text or "" for run in runs)


def _formats(styles: Element) -> list[str]:
    """Return of each format of cells if it shows a date, a percentage or a number."""
    own = {each.get("numFmtId", ""): each.get("formatCode", "") for each in styles.iter("numFmt")}
    cells = styles.find("cellXfs")
    return [_format(each.get("numFmtId", "0"), own) for each in (cells if cells is not None else ())]


def _format(number: str, own: dict[str, str]) -> str:
    code = _QUOTED.sub("", own.get(number, "").partition(";")[0]).lower()
    if code:
        return (
            "date"
            if re.search(r"[ymdhs]", code) and "general" not in code
            else "percent"
            if "%" in code
            else ""
        )
    kind = int(number) if number.isdecimal() else 0
    return "date" if kind in _DATES else "percent" if kind in _PERCENT else ""


def _rows(sheet: Element, workbook: Workbook) -> Iterator[list[str]]:
    """Yield the cells of the rows that have any; a column without a cell is empty."""
    for row in sheet.iter("row"):
        cells: list[str] = []
        for cell in row.findall("c"):
            text = _value(cell, workbook)
            place = _column(cell.get("r", ""))
            if text:
                cells += [""] * ((place or 0) - len(cells))
                cells.append(text)
            elif place is None:
                cells.append("")
        if any(cells):
            yield cells


def _column(reference: str) -> int | None:
    """Return the index of the column in a reference such as “AB12”; None without one."""
    letters = _COLUMN.match(reference)
    if letters is None:
        return None
    index = 0
    for letter in letters[0]:
        index = index * 26 + ord(letter) - ord("A") + 1
    return index - 1


def _value(cell: Element, workbook: Workbook) -> str:
    """Return a cell as a person sees it; of a formula without a result, the formula."""
    kind, value = cell.get("t", "n"), cell.findtext("v") or ""
    if kind == "inlineStr":
        inline = cell.find("is")
        return _text(inline) if inline is not None else ""
    if not value:
        formula = cell.findtext("f")
        return f"={formula}" if formula else ""
    if kind == "s":
        return workbook.texts[int(value)]
    if kind == "b":
        return "TRUE" if value == "1" else "FALSE"
    style = int(cell.get("s", "0"))
    return _number(value, workbook, style) if kind == "n" else value


def _number(value: str, workbook: Workbook, style: int) -> str:
    shown = workbook.formats[style] if style < len(workbook.formats) else ""
    number = float(value)
    if shown == "percent":
        return f"{number * 100:.15g}%"
    return _date(number, workbook.epoch) if shown == "date" else f"{number:.15g}"


def _date(serial: float, epoch: datetime) -> str:
    """Return the day, the time, or both, that a number stands for."""
    days = serial + 1 if epoch.year < 1900 and 1 <= serial < _LEAP_BUG else serial
    try:
        moment = epoch + timedelta(seconds=round(days * 86_400))
    except OverflowError:
        return f"{serial:.15g}"
    if 0 <= serial < 1:
        return f"{moment:%H:%M:%S}"
    return f"{moment:%Y-%m-%d}" if serial == int(serial) else f"{moment:%Y-%m-%d %H:%M:%S}"
