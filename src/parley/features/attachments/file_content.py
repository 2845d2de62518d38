"""The content of a file: messages from the process that reads it."""

from typing import TypeAlias

import msgspec

WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


PARQUET = "application/vnd.apache.parquet"


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """The file to read, and a folder for the results.

    `neutral`: the format of a picture must not depend on the one in which it came, and if `alike`, nor its size.
    `encoding`: that of a text, as Python names it, where a person chose it.
    """

    path: str
    folder: str
    neutral: bool = False
    alike: bool = False
    encoding: str | None = None


class Picture(msgspec.Struct, frozen=True, tag="picture"):
    """A picture, re-encoded: files of the folder, and its size in pixels."""

    media_type: str
    picture: str
    thumbnail: str
    width: int
    height: int


class Text(msgspec.Struct, frozen=True, tag="text"):
    """A file with text: a file of the folder with the text in UTF-8, and its characters.

    `encoding`: the one that was taken for it, where the file does not say it by itself.
    """

    media_type: str
    text: str
    characters: int
    pages: int | None = None
    encoding: str | None = None


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """The file can't be used: words that follow its name, advice, and the code of the error."""

    title: str
    detail: str
    code: str


Found: TypeAlias = Picture | Text | Refused


class RefusedFile(Exception):
    """A file can't be used."""

    def __init__(self, title: str, detail: str, *, code: str) -> None:
        super().__init__(title)
        self.refused = Refused(title, detail, code)


def unsupported(what: str) -> RefusedFile:
    """Return the error for a file of an unsupported kind."""
    return RefusedFile(
        f"is {what}, so it can't be read.",
        "Attach a picture (PNG, JPEG, WebP, GIF), a PDF, a Word document (.docx), an Excel workbook (.xlsx), "
        "a Parquet file, or a text, code or CSV file.",
        code="attachment_unsupported",
    )


def damaged(what: str) -> RefusedFile:
    """Return the error for a file that is broken."""
    return RefusedFile(
        f"is {what} that can't be read: it is damaged.",
        "Save it again, or convert it.",
        code="attachment_damaged",
    )


def too_much(why: str, advice: str) -> RefusedFile:
    """Return the error for a file that exceeds a limit."""
    return RefusedFile(why, advice, code="attachment_too_large")
