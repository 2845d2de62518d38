"""Folding: what two texts have in common that differ only in case, spacing or how letters are composed."""

import unicodedata


def folded(text: str) -> str:
    """Return a text as search compares it: letters without case and in one composition (NFKC), single spaces.

    “STRASSE” and “Straße” become the same, and so do “ﬁ” and “fi”; folding twice changes nothing.
    """
    if text.isascii():
        return " ".join(text.lower().split())
    # Taking the case away can leave letters apart that belong together, and composing them can bring it back.
    once = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(unicodedata.normalize("NFKC", once.casefold()).split())
