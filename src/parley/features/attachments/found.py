"""What was found in a file: messages from the process that reads it."""

from typing import TypeAlias

import msgspec


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """The file to read, a folder for the results, and the limits. Sizes are in bytes, times in seconds."""

    path: str
    folder: str
    seconds: float
    memory_mb: int


class Picture(msgspec.Struct, frozen=True, tag="picture"):
    """A picture, re-encoded: files of the folder, and its size in pixels."""

    media_type: str
    picture: str
    thumbnail: str
    width: int
    height: int


class Text(msgspec.Struct, frozen=True, tag="text"):
    """A file with text: a file of the folder with the text in UTF-8, and its characters."""

    media_type: str
    text: str
    characters: int
    pages: int | None = None


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
        "Attach a picture (PNG, JPEG, WebP, GIF), a PDF, or a text, code or CSV file.",
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
