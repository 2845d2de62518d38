"""The files of a promptfoo config: the config itself and those beside it, with the line of every value."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, cast

import msgspec

from parley.kernel.request import storable
from parley.text.located_yaml import Located, LocatedError, Path, TextPlace, parse_yaml

CONFIG = "promptfooconfig.yaml"
FILE = "file://"
TEXTS = (".txt", ".md", ".markdown", ".j2")
MOST_YAML_CHARS = 2_000_000
"""YAML is slow to read."""

DATA = (".yaml", ".yml", ".json", ".jsonl", ".csv")

_EXPECTED = re.compile(r"__expected\d*")
_FUNCTION = re.compile(r"(not-)?([a-z][a-z-]*[a-z])(?:\((\d+(?:\.\d+)?)\))?(?::\s*(.*))?", re.DOTALL)
_LISTS = ("contains-any", "contains-all", "icontains-any", "icontains-all")
_BARE = ("is-json", "contains-json", "is-refusal", "is-sql", "is-xml", "cost", "latency")
_RENAMED = {"grade": "llm-rubric", "fn": "javascript", "eval": "javascript"}


class NotTaken(Exception):
    """A part that Parley can't use; its text says why."""


class Skipped(msgspec.Struct, frozen=True, kw_only=True):
    """A part that is not taken: the file and the line of the first one, the reason, and how many there are."""

    file: str
    line: int
    text: str
    count: int = 1


class Source(NamedTuple):
    """A file's name, and its data with the places of its values."""

    name: str
    located: Located

    def line(self, path: Sequence[str | int]) -> int:
        """Return the line of a value, or of the nearest one around it."""
        return self.located.place(tuple(path)).line


class Files:
    """The files beside a config, by their names in it. `missing` are those that were needed and not given."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._texts = {name.removeprefix("./"): text for name, text in files.items()}
        self.missing: dict[str, None] = {}

    def text(self, reference: str) -> str:
        """Return a file's text. Raises NotTaken if it is a program, a pattern of names, or was not given."""
        name = reference.removeprefix(FILE).removeprefix("./")
        if not name.lower().endswith((*TEXTS, *DATA)) or "*" in name:
            raise NotTaken(f"“{name}” is no text file that can be read")
        if name not in self._texts:
            self.missing[name] = None
            raise NotTaken(f"the file “{name}” is missing")
        return self._texts[name]

    def source(self, reference: str) -> Source:
        """Return a file's data: YAML, JSON, JSON Lines, or tests as CSV. Raises NotTaken."""
        name, text = reference.removeprefix(FILE).removeprefix("./"), self.text(reference)
        if name.lower().endswith(".csv"):
            return Source(name, _csv_tests(text))
        if name.lower().endswith(".jsonl"):
            lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
            places: dict[Path, TextPlace] = {
                (at,): TextPlace(number, 1) for at, (number, _) in enumerate(lines)
            }
            return Source(name, Located([_parsed(name, line).data for _, line in lines], places, {}))
        return Source(name, _parsed(name, text))


def is_file(value: object) -> bool:
    """Return whether a value names a file."""
    return isinstance(value, str) and value.startswith(FILE)


def merged(skipped: Sequence[Skipped]) -> tuple[Skipped, ...]:
    """Return each reason once for each file, with its first line and its count."""
    first: dict[tuple[str, str], Skipped] = {}
    for each in skipped:
        known = first.get((each.file, each.text))
        first[each.file, each.text] = (
            each if known is None else msgspec.structs.replace(known, count=known.count + each.count)
        )
    return tuple(first.values())


def parse_source(text: str) -> Located:
    """Return the data of YAML with texts that can be stored. Raises LocatedError."""
    located = parse_yaml(text)
    return located._replace(data=storable(located.data))


def _parsed(name: str, text: str) -> Located:
    if len(text) > MOST_YAML_CHARS:
        raise NotTaken(f"“{name}” is longer than {MOST_YAML_CHARS:,} characters: use CSV or JSON Lines")
    try:
        return parse_source(text)
    except LocatedError as error:
        raise NotTaken(f"line {error.line} of “{name}”: {error.text}") from None


def _csv_tests(text: str) -> Located:
    """Return the tests of a CSV file: `__expected` columns are assertions, others variables."""
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
    tests: list[object] = []
    places: dict[Path, TextPlace] = {}
    try:
        names = [name.strip() for name in next(reader, list[str]())]
        line = reader.line_num + 1
        for cells in reader:
            if any(cell.strip() for cell in cells):
                places[len(tests),] = TextPlace(line, 1)
                tests.append(_csv_test(dict(zip(names, cells, strict=False))))
            line = reader.line_num + 1
    except csv.Error as error:
        raise NotTaken(f"line {reader.line_num}: {error}") from None
    return Located(tests, places, {})


def _csv_test(cells: Mapping[str, str]) -> dict[str, object]:
    metric = {"metric": cells["__metric"]} if cells.get("__metric") else {}
    assertions = [
        {**assertion_from_text(value), **metric}
        for name, value in cells.items()
        if _EXPECTED.fullmatch(name) and value.strip()
    ]
    own = {
        name.removeprefix("__"): value
        for name, value in cells.items()
        if name.startswith("__") and not _EXPECTED.fullmatch(name) and name != "__metric" and value
    }
    values = {name: value for name, value in cells.items() if not name.startswith("__")}
    return {**own, "vars": values, "assert": assertions}


def assertion_from_text(text: str) -> dict[str, object]:
    """Return the assertion that a cell stands for: `contains: x`, `similar(0.8): y`, or a text that it equals."""
    text = text.strip()
    match = _FUNCTION.fullmatch(text)
    if match is None or (match[4] is None and match[2] not in _BARE):
        return {"type": "equals", "value": text}
    kind = _RENAMED.get(match[2], match[2])
    assertion: dict[str, object] = {"type": f"{match[1] or ''}{kind}"}
    if match[3] is not None:
        assertion["threshold"] = float(match[3])
    if match[4]:
        assertion["value"] = [part.strip() for part in match[4].split(",")] if kind in _LISTS else match[4]
    return assertion


def texts_in(value: object) -> Iterator[str]:
    """Yield every text in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in cast("list[object]", value):
            yield from texts_in(item)
    elif isinstance(value, Mapping):
        for item in cast("Mapping[str, object]", value).values():
            yield from texts_in(item)
