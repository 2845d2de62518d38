"""Stop words and words of negation, in four languages; the words stand in `words.toml`."""

import tomllib
from collections.abc import Collection
from importlib.resources import files

_TABLES: dict[str, dict[str, str]] = tomllib.loads(
    files("parley.text.agreement").joinpath("words.toml").read_text(encoding="utf-8")
)

LANGUAGES = {code: frozenset(table["stop"].split()) for code, table in _TABLES.items()}
NEGATIONS = {code: frozenset(table["negation"].split()) for code, table in _TABLES.items()}


def languages_of(words: Collection[str]) -> tuple[str, ...]:
    """Return the languages that some lower-case words are written in; English if there is no sign of any.

    A language counts if it has at least three fifths as many stop words there as the one with most.
    """
    hits = {name: sum(word in stops for word in words) for name, stops in LANGUAGES.items()}
    most = max(hits.values())
    return tuple(name for name, count in hits.items() if 5 * count >= 3 * most) if most else ("en",)


def stop_words_of(words: Collection[str]) -> frozenset[str]:
    """Return the stop words of the languages that some lower-case words are written in."""
    return frozenset[str]().union(*(LANGUAGES[name] for name in languages_of(words)))
