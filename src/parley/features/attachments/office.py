"""Opens Office documents (ZIP archives of XML parts), and tells which kind one is."""

import posixpath
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser
from zipfile import BadZipFile, ZipFile
from zlib import error as BadDeflate  # noqa: N812 - zlib's only exception

from parley.features.attachments.file_content import (
    EXCEL,
    WORD,
    RefusedFile,
    Text,
    damaged,
    too_much,
    unsupported,
)
from parley.features.attachments.limits import PART_BYTES
from parley.features.attachments.texts import write_text

_MAIN = ("wordprocessingml.document.main", "ms-word.document.macro", "wordprocessingml.template.main")
_SHEETS = ("spreadsheetml.sheet.main", "ms-excel.sheet.macro", "spreadsheetml.template.main")
_OTHERS = {
    "presentationml": ("a PowerPoint presentation", "Save it as PDF, and attach that."),
    "ms-powerpoint": ("a PowerPoint presentation", "Save it as PDF, and attach that."),
    "ms-excel.sheet.binary": ("a binary Excel workbook", "Save it as .xlsx, and attach that."),
    "opendocument.text": ("an OpenDocument text", "Save it as .docx or PDF, and attach that."),
    "opendocument.spreadsheet": ("an OpenDocument spreadsheet", "Save it as .xlsx or CSV, and attach that."),
    "opendocument.presentation": ("an OpenDocument presentation", "Save it as PDF, and attach that."),
    "epub+zip": ("an EPUB book", "Convert it to PDF or text, and attach that."),
}

# In the directory of an old document, names are in UTF-16.
_OLD = (
    ("WordDocument", "an old Word document (.doc)", "Save it as .docx or PDF, and attach that."),
    ("PowerPoint Document", "an old PowerPoint presentation (.ppt)", "Save it as PDF, and attach that."),
    ("Workbook", "an old Excel workbook (.xls)", "Save it as .xlsx or CSV, and attach that."),
    ("Book", "an old Excel workbook (.xls)", "Save it as .xlsx or CSV, and attach that."),
    ("__substg1.0_", "an Outlook message", "Save it as text or PDF, and attach that."),
)


class Package:
    """An open Office document: its parts by name, without namespaces, and how they refer to each other."""

    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive
        self._names = {name.lower(): name for name in archive.namelist()}

    def part(self, name: str) -> Element | None:
        """Return the root of a part; None if the document has no such part. Raises RefusedFile, ParseError."""
        stored = self._names.get(name.lower())
        return None if stored is None else _parsed(self.bytes(stored))

    def bytes(self, name: str) -> bytes:
        """Return the bytes of a part. Raises RefusedFile if there are too many, KeyError if there is none."""
        with self._archive.open(self._names[name.lower()]) as file:
            return _bounded(file)

    def related(self, part: str) -> dict[str, tuple[str, str]]:
        """Return what a part refers to inside the document: the last word of the type, and the part, by id."""
        folder, name = posixpath.split(part)
        root = self.part(posixpath.join(folder, "_rels", f"{name}.rels"))
        return {
            each.get("Id", ""): (
                each.get("Type", "").rpartition("/")[2],
                posixpath.normpath(posixpath.join("/", folder, each.get("Target", ""))).lstrip("/"),
            )
            for each in (root if root is not None else ())
            if each.get("TargetMode") != "External"
        }

    def main(self) -> str:
        """Return the part that is the document itself. Raises KeyError."""
        return dict(self.related("").values())["officeDocument"]

    def of_type(self, part: str, kind: str) -> Element | None:
        """Return the root of the part of a type to which a part refers; None if there is none."""
        name = dict(self.related(part).values()).get(kind)
        return None if name is None else self.part(name)

    def content_type(self) -> str:
        """Return the media type of the document itself, as its own list has it; of other archives, nothing."""
        if "mimetype" in self._names:
            return self.bytes("mimetype").decode("ascii", "replace")
        listed, main = self.part("[Content_Types].xml"), dict(self.related("").values()).get("officeDocument")
        types = {each.get("PartName", "").lower(): each.get("ContentType", "") for each in listed or ()}
        return types.get(f"/{main}".lower(), "") if main else ""


def read_office(path: Path, folder: Path) -> Text:
    """Write the text of a Word document or an Excel workbook into a folder. Raises RefusedFile."""
    from parley.features.attachments.sheets import workbook_text
    from parley.features.attachments.word import document_text

    try:
        with ZipFile(path) as archive:
            package = Package(archive)
            kind = package.content_type()
            if any(each in kind for each in _MAIN):
                return _written(document_text(package), WORD, folder)
            if any(each in kind for each in _SHEETS):
                return _written(workbook_text(package), EXCEL, folder)
    except (BadZipFile, BadDeflate, ParseError, EOFError, RuntimeError, NotImplementedError):
        raise damaged("a ZIP archive or an Office document") from None
    except (KeyError, ValueError, IndexError, OSError):
        raise damaged("an Office document") from None
    for part, (what, advice) in _OTHERS.items():
        if part in kind:
            raise _unread(what, advice)
    raise _unread("a ZIP archive", "Unpack it, and attach its files.")


def refuse_old(path: Path) -> RefusedFile:
    """Return the error for a document in the format that Office had before 2007, or one with a password."""
    content = path.read_bytes()
    if "EncryptedPackage".encode("utf-16-le") in content:
        return RefusedFile(
            "is protected with a password.",
            "Save a copy without one, and attach that.",
            code="attachment_unsupported",
        )
    for name, what, advice in _OLD:
        if name.encode("utf-16-le") in content:
            return _unread(what, advice)
    return unsupported("an old Office document")


def _unread(what: str, advice: str) -> RefusedFile:
    return RefusedFile(f"is {what}, so it can't be read.", advice, code="attachment_unsupported")


def markdown_table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Return the lines of a table; the first row becomes its head, and empty columns are left out."""
    columns = [
        column
        for column in range(max(map(len, rows), default=0))
        if any(column < len(row) and row[column] for row in rows)
    ]
    for number, row in enumerate(rows):
        cells = (_cell(row[column]) if column < len(row) else "" for column in columns)
        yield f"| {' | '.join(cells)} |"
        if number == 0:
            yield f"|{' --- |' * len(columns)}"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def _written(text: str, media_type: str, folder: Path) -> Text:
    if not text.strip():
        raise RefusedFile(
            "has no text, so it can't be read.",
            "If it shows pictures, attach those.",
            code="attachment_unsupported",
        )
    return write_text(text.strip() + "\n", media_type, folder)


def _bounded(file: IO[bytes]) -> bytes:
    content = file.read(PART_BYTES + 1)
    if len(content) > PART_BYTES:
        raise too_much(
            f"unpacks to more than {PART_BYTES >> 20} MB, which is the limit.", "Attach a part of it."
        )
    return content


class _Builder(TreeBuilder):
    """Builds a tree whose names have no namespace: there are two sets of them for the same elements."""

    def start(self, tag: str, attrs: dict[str, str], /) -> Element:
        return super().start(_local(tag), {_local(name): value for name, value in attrs.items()})

    def end(self, tag: str, /) -> Element:
        return super().end(_local(tag))

    def doctype(self, _name: str, _public: str | None, _system: str | None) -> None:
        # Office writes none; an attacker's defines entities that grow without end.
        raise damaged("an Office document")


def _parsed(content: bytes) -> Element:
    parser = XMLParser(target=_Builder())  # noqa: S314 - it refuses entities, in a confined process
    parser.feed(content)
    return parser.close()


def _local(name: str) -> str:
    return name.rpartition("}")[2]
