"""Reads a plug-in from its YAML: one document of one kind, refused with the line and the field of what is wrong."""

import re
from typing import Any, NamedTuple, cast

from pydantic import BaseModel, ValidationError

from parley.features.plug_ins.kinds import FILES, KINDS, Kind, PlugInFile
from parley.kernel.errors import Invalid
from parley.text.located_yaml import Located, LocatedError, Path, as_mapping, parse_yaml
from parley.text.plain_words import did_you_mean

MOST_BYTES = 32_768
DEEPEST = 20
_UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffd\ufffe\uffff]")
_LARGEST = 2**53


class PlugIn(NamedTuple):
    """A plug-in as it was read. `content`: the part that its kind has, as plain data with all defaults."""

    kind: Kind
    name: str
    title: str
    about: str
    content: dict[str, Any]


class Source(NamedTuple):
    """A plug-in, and where in its text everything stands."""

    plug_in: PlugIn
    located: Located

    def wrong(self, field: str, why: str) -> Invalid:
        """Return the error of a field of its content, such as `measure`."""
        kind = self.plug_in.kind
        return _wrong(self.located, (kind, *field.split(".")) if field else (kind,), why)


def decoded(data: bytes) -> str:
    """Return the text of a file. Raises Invalid if it is not UTF-8."""
    if len(data) > MOST_BYTES:
        raise _too_large()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise _invalid("This file is not UTF-8.") from None


def read_source(text: str) -> Source:
    """Return the plug-in of a text. Raises Invalid, naming line and field."""
    if len(text) > MOST_BYTES or len(text.encode("utf-8", "replace")) > MOST_BYTES:
        raise _too_large()
    if strange := _UNSTORABLE.search(text):
        line = text.count("\n", 0, strange.start()) + 1
        raise _invalid(f"Line {line}: has the character U+{ord(strange[0]):04X}, which no plug-in may have.")
    try:
        located = parse_yaml(text, aliases=False)
    except LocatedError as error:
        raise _invalid(f"Line {error.line}: {error.text}.") from None
    data = as_mapping(located.data)
    if data is None:
        raise _invalid("This is not a plug-in: it has no lines such as “kind: check”.")
    _check_values(located, data, (), 0)
    _check_kind(located, data)
    try:
        file = FILES.validate_python(data)
    except ValidationError as error:
        errors = error.errors(include_url=False, include_input=False)
        # A key that isn't known is why another one is missing.
        first = min(errors, key=lambda each: each["type"] != "extra_forbidden")
        # The first part is the kind that was read.
        path = first["loc"][1:]
        raise _wrong(located, path, _why(first["type"], first["msg"], data)) from None
    return Source(_plug_in(file), located)


def _plug_in(file: PlugInFile) -> PlugIn:
    content: Any = getattr(file, file.kind)
    plain: dict[str, Any] = content.model_dump() if isinstance(content, BaseModel) else content
    return PlugIn(file.kind, file.name, file.title, file.about, plain)


def _check_kind(located: Located, data: dict[str, object]) -> None:
    kind = data.get("kind")
    known = ", ".join(KINDS)
    if kind is None:
        raise _invalid(f"Line 1: “kind” is missing. It can be {known}.")
    if kind not in KINDS:
        close = did_you_mean(kind, KINDS) if isinstance(kind, str) else ""
        raise _wrong(located, ("kind",), f"there is no such kind{close}. It can be {known}")
    if others := [each for each in KINDS if each != kind and each in data]:
        raise _wrong(located, (others[0],), f"belongs to another kind: this one is “{kind}”")


def _check_values(located: Located, value: object, path: Path, depth: int) -> None:
    """Refuse values that can't be stored or computed with."""
    if depth > DEEPEST:
        raise _wrong(located, path, "is nested too deeply")
    if isinstance(value, dict):
        for key, item in cast("dict[str, object]", value).items():
            _check_values(located, key, (*path, key), depth + 1)
            _check_values(located, item, (*path, key), depth + 1)
    elif isinstance(value, list):
        for index, item in enumerate(cast("list[object]", value)):
            _check_values(located, item, (*path, index), depth + 1)
    elif isinstance(value, str):
        if strange := _UNSTORABLE.search(value):
            raise _wrong(located, path, f"has the character U+{ord(strange[0]):04X}")
    elif isinstance(value, int | float) and not -_LARGEST <= value <= _LARGEST:
        raise _wrong(located, path, "is too large a number")


def _why(kind: str, message: str, data: dict[str, object]) -> str:
    if kind == "missing":
        return "is missing"
    if kind == "extra_forbidden":
        return f"isn't known for the kind “{data['kind']}”"
    message = message.removeprefix("Value error, ")
    return message[:1].lower() + message[1:]


def _wrong(located: Located, path: Path, why: str) -> Invalid:
    shown = ".".join(str(part) for part in path if part != "[key]")
    return _invalid(f"Line {located.place(path).line}, {shown[:120]}: {why.rstrip('.')}.")


def _too_large() -> Invalid:
    return _invalid(f"A plug-in has at most {MOST_BYTES // 1024} kB.")


def _invalid(title: str) -> Invalid:
    return Invalid("text", title, "Nothing was saved.")
