"""Finds retired words in names, comments and documents; the glossary lists them with what to say instead."""

import io
import keyword
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from check_sizes import GENERATED, ROOT

GLOSSARY = "docs/reference/glossary.md"
LOOKED_AT = ("src/", "tests/", "bench/", "prove/", "tools/", "examples/", "web/src/", "docs/")
TOP = ("README.md", "CONTRIBUTING.md")
SUFFIXES = (".py", ".ts", ".tsx", ".css", ".c", ".sh", ".md")

EXEMPT = {
    GLOSSARY: "it lists the words",
    "docs/contributing/style.md": "it shows them beside better ones",
    "tools/retired_words.py": "it names what is no retired word",
    "tests/tools/test_checks.py": "it plants some",
    "docs/reference/performance.md": "a report that a run writes",
    "src/parley/text/identity/known.py": "a list of English words",
    **dict.fromkeys(
        (
            *("src/parley/wire/identity.py", "tests/api/test_sign_in_elsewhere.py"),
            *("src/parley/features/accounts/access_tokens.py", "tests/api/test_access_tokens.py"),
            *("tests/api/test_protections.py", "tests/browser/test_provider_sign_in.py"),
        ),
        "tokens have claims",
    ),
    "docs/reference/reliability.md": "a report that a run writes",
    "tests/fixtures/": "texts by models and people",
    **dict.fromkeys(GENERATED, "history, or generated"),
}
"""Files and folders that may hold any word, and why."""

PENDING: tuple[str, ...] = ()
"""Files and folders that still hold retired words; one without any has to leave this list."""

FOREIGN = re.compile(r"\b(?:[Mm]ath|np)\.floor\b|\bBookOpen\b")
"""Names of libraries: rounding down, and an icon."""

ROW = re.compile(r"^\| ([a-z, ]+?)( \(in names\))? \| ([^|]+) \|$", re.MULTILINE)
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
HUMP = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
DECLARED = re.compile(
    r"\b(?:const|let|var|function|class|type|interface)\s+([a-z]\w*)|\.([a-z]\w*)|\b([a-z]\w*)\??\s*[:=](?!=)"
)
"""A plain word that is a name in TypeScript; one that is made of several is a name anywhere."""


class Retired(NamedTuple):
    """A retired word. `names_only`: it is ordinary English in a sentence."""

    instead: str
    names_only: bool


def retired_words(glossary: str) -> dict[str, Retired]:
    """Return the words of the glossary's second table."""
    _, _, table = glossary.partition("## Retired words")
    return {
        word.strip(): Retired(instead.strip(), bool(names_only))
        for words, names_only, instead in ROW.findall(table)
        if words != "word"
        for word in words.split(",")
    }


def retired_in(names: Iterable[str]) -> Iterator[str]:
    """Yield every retired word in these files, with its line and what to say instead."""
    words = retired_words((ROOT / GLOSSARY).read_text(encoding="utf-8"))
    clean = set(PENDING)
    for name in names:
        if (
            not name.startswith((*LOOKED_AT, *TOP))
            or not name.endswith(SUFFIXES)
            or name.startswith(tuple(EXEMPT))
        ):
            continue
        faults = list(faults_of(name, (ROOT / name).read_text(encoding="utf-8"), words))
        if pending := [place for place in PENDING if faults and name.startswith(place)]:
            clean.difference_update(pending)
        else:
            yield from faults
    yield from (f"{place}: without retired words: take it out of PENDING" for place in sorted(clean))


def faults_of(name: str, text: str, words: Mapping[str, Retired]) -> Iterator[str]:
    """Yield the retired words in a file's name and text."""
    for part in pieces(name):
        if part in words:
            yield f"{name}: “{part}” in the file's name: say {words[part].instead}"
    plain_names = set(_python_names(text) if name.endswith(".py") else _script_names(name, text))
    for number, line in enumerate(FOREIGN.sub("", text).splitlines(), 1):
        for match in WORD.finditer(line):
            parts = pieces(match[0])
            for part in parts:
                if (word := words.get(part)) is None:
                    continue
                if word.names_only and len(parts) == 1 and (number, match[0]) not in plain_names:
                    continue
                yield f"{name}:{number}: “{part}” in “{match[0]}”: say {word.instead}"


def pieces(name: str) -> list[str]:
    """Return the words of a snake_case or CamelCase name, in lower case."""
    return [part.lower() for part in HUMP.findall(name)]


def _python_names(text: str) -> Iterator[tuple[int, str]]:
    """Yield the names of Python code with their lines; those in comments and strings are none."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NAME and not keyword.iskeyword(token.string):
            yield token.start[0], token.string


def _script_names(name: str, text: str) -> Iterator[tuple[int, str]]:
    """Yield plain words that TypeScript declares or reads as properties, with their lines."""
    if not name.endswith((".ts", ".tsx")):
        return
    for number, line in enumerate(text.splitlines(), 1):
        code = re.sub(r"\"[^\"]*\"|^\s*(?:/?\*|//).*|\s//.*", "", line)
        for match in DECLARED.finditer(code):
            yield number, next(found for found in match.groups() if found)
