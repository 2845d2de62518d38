"""Choosing among many tools: those whose names and descriptions fit some words, by BM25."""

import math
import re
from collections import Counter
from collections.abc import Sequence

from parley.kernel.options import Tool

SATURATION, LENGTH_SHARE = 1.2, 0.75
"""BM25's k1 and b."""

_WORD = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def fitting(tools: Sequence[Tool], words: str) -> list[Tool]:
    """Return the tools by how well they fit, best first; those that share no word keep their order at the end."""
    documents = [Counter(_stems(f"{tool.name} {tool.name} {tool.description}")) for tool in tools]
    usual = sum(document.total() for document in documents) / max(len(documents), 1) or 1.0
    having = Counter(word for document in documents for word in document)
    scores = [0.0] * len(tools)
    for word in set(_stems(words)):
        rarity = math.log(1 + (len(tools) - having[word] + 0.5) / (having[word] + 0.5))
        for at, document in enumerate(documents):
            times = document[word]
            length = 1 - LENGTH_SHARE + LENGTH_SHARE * document.total() / usual
            scores[at] += rarity * times * (SATURATION + 1) / (times + SATURATION * length)
    order = sorted(range(len(tools)), key=lambda at: -scores[at])
    return [tools[at] for at in order]


def _stems(text: str) -> list[str]:
    """Return the words of a text in lower case, without the plural's s."""
    words = (word.lower() for word in _WORD.findall(_HUMP.sub(" ", text)))
    return [word.removesuffix("s") if len(word) > 3 else word for word in words]
