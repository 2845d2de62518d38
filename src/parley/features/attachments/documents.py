"""Reads the text of a PDF, page by page."""

import logging
from pathlib import Path

from pypdf import PdfReader
from pypdf.errors import PyPdfError

from parley.features.attachments.file_content import RefusedFile, Text, damaged, too_much
from parley.features.attachments.limits import PAGES
from parley.features.attachments.texts import write_text


def read_pdf(path: Path, folder: Path) -> Text:
    """Write the text of a PDF into a folder. Raises RefusedFile; a hostile file may make it raise anything."""
    logging.disable(logging.CRITICAL)
    try:
        reader = PdfReader(path, strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise RefusedFile(
                "is protected with a password.",
                "Save a copy without one, and attach that.",
                code="attachment_unsupported",
            )
        count = len(reader.pages)
        if count > PAGES:
            raise too_much(f"has {count:,} pages; the limit is {PAGES:,}.", "Attach a part of it.")
        pages = [page.extract_text() for page in reader.pages]
    except (PyPdfError, OSError, ValueError, TypeError, AttributeError, KeyError, IndexError):
        raise damaged("a PDF") from None
    except (RecursionError, NotImplementedError, AssertionError, OverflowError):
        raise damaged("a PDF") from None
    if not pages or not any(page.strip() for page in pages):
        raise RefusedFile(
            "is a PDF without text, so it can't be read.",
            "Its pages may be scans. Attach them as pictures, or run text recognition first.",
            code="attachment_unsupported",
        )
    text = "\n\n".join(f"[Page {number}]\n{page.strip()}" for number, page in enumerate(pages, 1))
    return write_text(text, "application/pdf", folder, pages=count)
