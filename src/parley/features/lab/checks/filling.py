"""Texts of checks with the row's values filled in: `{{name}}`, and `{{expected}}`."""

import re

import msgspec

from parley.features.lab.checks.contract import CheckedAnswer

_PLACEHOLDER = re.compile(r"\{\{\s*([\w.-]{1,80})\s*\}\}")


class Missing(Exception):
    """The row has no value of a name that a check uses."""

    def __init__(self, name: str) -> None:
        super().__init__(
            "This row has no expected value." if name == "expected" else f"This row has no value “{name}”."
        )


def fill(text: str, answer: CheckedAnswer) -> str:
    """Return a text with its placeholders filled. Raises Missing."""

    def value(match: re.Match[str]) -> str:
        name = match[1]
        if name in answer.values:
            return as_text(answer.values[name])
        if name == "expected" and answer.expected is not None:
            return answer.expected
        raise Missing(name)

    return _PLACEHOLDER.sub(value, text)


def as_text(value: object) -> str:
    """Return a value as a prompt shows it: texts as they are, all else as JSON."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
