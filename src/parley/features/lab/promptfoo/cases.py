"""The tests of a promptfoo config as rows, and their assertions as checks that rows share."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple, cast

import msgspec

from parley.features.lab.checks import contract
from parley.features.lab.checks.contract import CheckSpec
from parley.features.lab.checks.filling import as_text
from parley.features.lab.promptfoo.assertions import Assertion, check_of
from parley.features.lab.promptfoo.sources import (
    DATA,
    FILE,
    Files,
    NotTaken,
    Skipped,
    Source,
    is_file,
    texts_in,
)
from parley.kernel.errors import Invalid

MOST_ROWS = 10_000
MOST_CHECKS = 50
MARK = "for_check_"
"""The name of a row's value that says that a check is for it."""

TAKEN_OF_TEST = frozenset({"vars", "assert", "description"})

PLACE = re.compile(r"\{\{-?\s*([\w-]+)\s*-?\}\}")
LOGIC = re.compile(r"\{%|\{#|\{\{[^}]*[|.\[(][^}]*\}\}")

Path = tuple[str | int, ...]


class TakenRow(msgspec.Struct, frozen=True):
    """A row: a value for each variable, and marks of the checks that are for some rows only."""

    values: Mapping[str, object]
    label: str = ""


class TakenCheck(NamedTuple):
    """A check, and the file and line of its first assertion."""

    spec: CheckSpec
    file: str
    line: int


class _Test(NamedTuple):
    """A test's fields, and where they stand."""

    fields: Mapping[str, object]
    source: Source
    path: Path


class Cases:
    """Reads the tests of a config. What can't be taken is added to `skipped`."""

    def __init__(self, source: Source, files: Files, judge: str | None, skipped: list[Skipped]) -> None:
        self._source, self._files, self._judge, self._skipped = source, files, judge, skipped

    def read(self) -> tuple[tuple[TakenRow, ...], tuple[TakenCheck, ...]]:
        """Return rows and checks. Raises Invalid if there are too many rows."""
        document = fields_of(self._source.located.data)
        usual = next(self._tests(document.get("defaultTest"), ("defaultTest",), self._source), None)
        usual = usual or _Test({}, self._source, ())
        self._unused(usual)
        shared = list(self._checks(usual, {}))
        marked = _Marked(len(shared))
        rows: list[TakenRow] = []
        tests = list(self._tests(document.get("tests"), ("tests",), self._source))
        for test in tests or [_Test({}, self._source, ())]:
            self._unused(test)
            for values in _combinations({**self._values(usual), **self._values(test)}):
                marks: dict[str, object] = {}
                for check in self._checks(test, values):
                    try:
                        marked.add(check, marks)
                    except NotTaken as reason:
                        self._skipped.append(Skipped(file=check.file, line=check.line, text=str(reason)))
                rows.append(TakenRow({**values, **marks}, str(test.fields.get("description", ""))))
                if len(rows) > MOST_ROWS:
                    raise Invalid(
                        "text",
                        f"The tests have more than {MOST_ROWS:,} rows.",
                        "That is the limit. Nothing was imported.",
                    )
        return _unmarked(rows, shared, marked.checks)

    def _tests(self, value: object, path: Path, source: Source) -> Iterator[_Test]:
        """Yield the tests of a list, of one mapping, or of the files that are named in their place."""
        if isinstance(value, str):
            try:
                if not value.startswith(FILE) and not value.lower().endswith(DATA):
                    raise NotTaken(f"tests from “{value}” can't be read")
                inner = self._files.source(value)
            except NotTaken as reason:
                self._skip(source, path, str(reason))
                return
            yield from self._tests(inner.located.data, (), inner)
        elif isinstance(value, list):
            for at, item in enumerate(cast("list[object]", value)):
                yield from self._tests(item, (*path, at), source)
        elif isinstance(value, Mapping):
            yield _Test(cast("Mapping[str, object]", value), source, path)

    def _values(self, test: _Test) -> dict[str, object]:
        """Return a test's variables; texts in files are read."""
        raw, path = test.fields.get("vars"), (*test.path, "vars")
        if isinstance(raw, str | list):
            self._skip(test.source, path, "variables in a file of their own can't be read")
        values: dict[str, object] = {}
        for name, value in fields_of(test.fields.get("vars")).items():
            try:
                values[name] = self._value(value)
            except NotTaken as reason:
                self._skip(test.source, (*path, name), f"the variable “{name}”: {reason}")
        return {name: filled(value, values) for name, value in values.items()}

    def _value(self, value: object) -> object:
        if is_file(value):
            return self._files.text(str(value))
        if isinstance(value, list):
            return [self._value(item) for item in cast("list[object]", value)]
        return value

    def _checks(self, test: _Test, values: Mapping[str, object]) -> Iterator[TakenCheck]:
        for at, item in enumerate(list_of(test.fields.get("assert"))):
            path = (*test.path, "assert", at)
            assertion = fields_of(item)
            kind = str(assertion.get("type", "an assertion"))
            try:
                check = check_of(self._written(assertion, values), self._judge)
            except NotTaken as reason:
                self._skip(test.source, path, f"{kind}: {reason}")
            else:
                yield TakenCheck(check, test.source.name, test.source.line(path))

    def _written(self, assertion: Assertion, values: Mapping[str, object]) -> Assertion:
        """Return an assertion with the content of its file, and the row's values in its texts."""
        value = assertion.get("value")
        if is_file(value):
            name = str(value)
            data = name.lower().endswith((".json", ".yaml", ".yml"))
            content = self._files.source(name).located.data if data else self._files.text(name)
            assertion = {**assertion, "value": content}
        if assertion.get("type") not in ("python", "javascript") and any(
            LOGIC.search(text) for text in texts_in(assertion.get("value"))
        ):
            raise NotTaken("its value uses filters or logic of templates")
        return cast("Assertion", filled(assertion, values, "")) if values else assertion

    def _unused(self, test: _Test) -> None:
        for name in test.fields:
            if name not in TAKEN_OF_TEST:
                self._skip(test.source, (*test.path, name), f"“{name}” of a test is not used")

    def _skip(self, source: Source, path: Path, text: str) -> None:
        self._skipped.append(Skipped(file=source.name, line=source.line(path), text=text))


def _text_of(check: CheckSpec) -> str:
    """Return the one text that a check looks for; empty if it has none."""
    match check:
        case contract.Equals() | contract.StartsWith() | contract.Bleu():
            return check.value
        case contract.Regex():
            return check.pattern
        case contract.JudgeRubric():
            return check.rubric
        case contract.Contains(values=[value]):
            return value
        case _:
            return ""


def _with_text(check: CheckSpec, text: str) -> CheckSpec:
    """Return a check that looks for another text."""
    match check:
        case contract.Equals() | contract.StartsWith() | contract.Bleu():
            return msgspec.structs.replace(check, value=text)
        case contract.Regex():
            return msgspec.structs.replace(check, pattern=text)
        case contract.JudgeRubric():
            return msgspec.structs.replace(check, rubric=text)
        case contract.Contains():
            return msgspec.structs.replace(check, values=(text,))
        case _:
            return check


class _Marked:
    """The checks that are for some rows only, each under its mark. Rows with a text each share a check."""

    def __init__(self, shared: int) -> None:
        self.checks: dict[str, TakenCheck] = {}
        self._marks: dict[bytes, list[str]] = {}
        self._free = MOST_CHECKS - shared

    def add(self, taken: TakenCheck, marks: dict[str, object]) -> None:
        """Add the mark of a check to those of a row. Raises NotTaken if there are too many checks."""
        text = _text_of(taken.spec)
        shape = _with_text(taken.spec, "\0") if text else taken.spec
        same = self._marks.setdefault(msgspec.json.encode(shape), [])
        # The same shape twice in a row is two checks.
        mark = next((each for each in same if each not in marks), None)
        if mark is None:
            if len(self.checks) >= self._free:
                raise NotTaken(f"there are more than {MOST_CHECKS} different checks")
            mark = f"{MARK}{len(self.checks) + 1}"
            same.append(mark)
            spec = _with_text(taken.spec, f"{{{{{mark}}}}}") if text else taken.spec
            self.checks[mark] = taken._replace(spec=spec)
        marks[mark] = text or True


def _unmarked(
    rows: Sequence[TakenRow], shared: Sequence[TakenCheck], some: Mapping[str, TakenCheck]
) -> tuple[tuple[TakenRow, ...], tuple[TakenCheck, ...]]:
    """Return rows and checks without the marks of checks that are for every row, with one text or none."""
    every: dict[str, TakenCheck] = {}
    for mark, taken in some.items():
        text = rows[0].values.get(mark)
        if text is True and all(row.values.get(mark) is True for row in rows):
            every[mark] = taken
        elif isinstance(text, str) and "{{" not in text and all(row.values.get(mark) == text for row in rows):
            every[mark] = taken._replace(spec=_with_text(taken.spec, text))
    checks = [
        every.get(mark) or taken._replace(spec=msgspec.structs.replace(taken.spec, when=mark))
        for mark, taken in some.items()
    ]
    cleared = (
        TakenRow({name: value for name, value in row.values.items() if name not in every}, row.label)
        for row in rows
    )
    return tuple(cleared), (*shared, *checks)


def _combinations(values: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """Yield a row for each combination of the values that are lists, as promptfoo does."""
    choices = [
        cast("list[object]", value) if isinstance(value, list) else [value] for value in values.values()
    ]
    for combination in product(*choices):
        yield dict(zip(values, combination, strict=True))


def filled(value: object, values: Mapping[str, object], unknown: str | None = None) -> object:
    """Return a value of the file with the row's values in its texts; `unknown` stands for names without one."""
    if isinstance(value, str):
        return PLACE.sub(
            lambda match: (
                as_text(values[match[1]])
                if match[1] in values
                else (match[0] if unknown is None else unknown)
            ),
            value,
        )
    if isinstance(value, list):
        return [filled(item, values, unknown) for item in cast("list[object]", value)]
    if isinstance(value, Mapping):
        fields = cast("Mapping[str, object]", value)
        return {name: filled(item, values, unknown) for name, item in fields.items()}
    return value


def fields_of(value: object) -> Mapping[str, object]:
    """Return a mapping of the file; an empty one for anything else."""
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else {}


def list_of(value: object) -> list[object]:
    """Return a list of the file; one value is a list of it."""
    if value is None:
        return []
    return cast("list[object]", value) if isinstance(value, list) else [value]
