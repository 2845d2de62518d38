"""The placeholders of a prompt's text, such as `{{question}}`."""

import re

_PLACEHOLDER = re.compile(r"\{\{([^{}\n]{1,60})\}\}")


def placeholders_of(text: str) -> frozenset[str]:
    """Return the names in double braces."""
    return frozenset(match[1].strip() for match in _PLACEHOLDER.finditer(text))
