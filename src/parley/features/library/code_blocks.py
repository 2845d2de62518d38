"""Code blocks with a file name, in a reply's Markdown."""

import re
from collections.abc import Iterator
from typing import NamedTuple

MOST_BLOCKS = 50
"""The code blocks of one reply that come into the library."""

_BLOCK = re.compile(r"(?ms)^ {0,3}(`{3,}|~{3,})([^\n`]*)\n(.*?)^ {0,3}\1[`~]*[ \t]*$")
_NAME = re.compile(r"(?:^|[\s:=\"'/{])([A-Za-z0-9_][\w.-]{0,80}\.[A-Za-z][A-Za-z0-9]{0,7})(?=$|[\s\"'}])")
_TABLES = (".csv", ".tsv")


class CodeBlock(NamedTuple):
    """A code block: its number among all blocks of the reply, its file's name and its text."""

    number: int
    name: str
    text: str

    @property
    def kind(self) -> str:
        """Its kind in the library."""
        return "table" if self.name.lower().endswith(_TABLES) else "code"


def code_blocks(text: str) -> Iterator[CodeBlock]:
    """Yield the code blocks whose opening line names a file, as in “```python title="late.py"”."""
    if "```" not in text and "~~~" not in text:
        return
    for number, match in enumerate(_BLOCK.finditer(text)):
        if number >= MOST_BLOCKS:
            return
        if (name := _NAME.search(match[2])) and match[3].strip():
            yield CodeBlock(number, name[1], match[3])


def code_block(text: str, number: int) -> str | None:
    """Return the text of a reply's code block; None if there is none of that number."""
    return next((each.text for each in code_blocks(text) if each.number == number), None)
