"""Reads Office documents: tells which kind one is, and writes its text."""

from pathlib import Path
from xml.etree.ElementTree import ParseError
from zipfile import BadZipFile, ZipFile
from zlib import error as BadDeflate  # noqa: N812 - zlib's only exception

from parley.features.attachments.file_content import (
    EXCEL,
    WORD,
    RefusedFile,
    Text,
    damaged,
    unsupported,
)
from parley.features.attachments.office_package import Package
from parley.features.attachments.sheets import workbook_text
from parley.features.attachments.texts import write_text
from parley.features.attachments.word import document_text

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


def read_office(path: Path, folder: Path) -> Text:
    """Write the text of a Word document or an Excel workbook into a folder. Raises RefusedFile."""
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


def _written(text: str, media_type: str, folder: Path) -> Text:
    if not text.strip():
        raise RefusedFile(
            "has no text, so it can't be read.",
            "If it shows pictures, attach those.",
            code="attachment_unsupported",
        )
    return write_text(text.strip() + "\n", media_type, folder)
