"""Checks of JSON against a schema, in bounded time: no schema is fetched, and no pattern can hang the server."""

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

import msgspec

MAX_SECONDS = 1.0
MAX_ITEMS = 2_000
"""More items are not compared with each other."""
UNSUPPORTED = frozenset({"pattern", "patternProperties"})
"""Keywords with regular expressions, which the library would run in this process."""

Keyword = Callable[[Any, Any, Any, Any], Iterator[Any] | None]


class BadSchema(Exception):
    """The schema is wrong, or needs too long for this value."""


def refuse(schema: Mapping[str, object]) -> None:
    """Raise BadSchema for a schema that can't be used."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    unsupported = sorted(UNSUPPORTED & set(_keywords(schema)))
    if unsupported:
        raise BadSchema(f"“{unsupported[0]}” isn't supported. Use a check by regular expression beside it.")
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        raise BadSchema(
            f"{'.'.join(map(str, error.absolute_path)) or 'schema'}: {error.message[:200]}"
        ) from None
    except RecursionError:
        raise BadSchema("The schema is nested too deeply.") from None


def first_fault(value: object, schema: Mapping[str, object]) -> str | None:
    """Return where and why a value is not of the schema; None if it is. Raises BadSchema."""
    from jsonschema import exceptions
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    refuse(schema)
    try:
        # An empty registry fetches nothing.
        validator = _bounded()(schema, registry=cast("Any", Registry)())
        error = cast("Any", exceptions).best_match(validator.iter_errors(value))
    except Unresolvable as unresolvable:
        raise BadSchema(f"The schema refers to “{unresolvable.ref}”, which isn't in it.") from None
    except RecursionError:
        raise BadSchema("The schema refers to itself without end.") from None
    if error is None:
        return None
    return f"{error.json_path}: {error.message[:200]}"


def read_json(text: str, *, within: bool, fenced: bool = True) -> object:
    """Return the JSON of an answer, in a code fence too if `fenced`. Raises ValueError.

    `within`: the first object or list of the answer that is JSON will do.
    """
    bare = text.strip()
    if fenced and bare.startswith("```") and bare.endswith("```"):
        bare = bare.removesuffix("```").partition("\n")[2]
    try:
        return msgspec.json.decode(bare)
    except (msgspec.DecodeError, RecursionError):
        if not within:
            raise ValueError("The answer is not JSON.") from None
    return _embedded(text)


def _embedded(text: str) -> object:
    from json import JSONDecoder

    decoder, at, tries = JSONDecoder(), 0, 0
    while tries < 50:
        starts = [place for place in (text.find("{", at), text.find("[", at)) if place >= 0]
        if not starts:
            break
        try:
            return decoder.raw_decode(text, min(starts))[0]
        except (ValueError, RecursionError):
            at, tries = min(starts) + 1, tries + 1
    raise ValueError("There is no JSON in the answer.")


def _keywords(schema: object) -> Iterator[str]:
    waiting = [schema]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Mapping):
            item = cast("Mapping[str, object]", item)
            for key, value in item.items():
                # Below “properties” a key is somebody's name, not a keyword.
                if key in ("properties", "$defs", "definitions", "dependentSchemas") and isinstance(
                    value, Mapping
                ):
                    waiting.extend(cast("Mapping[str, object]", value).values())
                elif key not in ("const", "enum", "default", "examples"):
                    yield key
                    waiting.append(value)
        elif isinstance(item, list):
            waiting.extend(cast("list[object]", item))


def _bounded() -> Any:
    """Return the validator with a deadline in every keyword: some schemas need exponential time."""
    from jsonschema import Draft202012Validator, validators

    deadline = time.monotonic() + MAX_SECONDS

    def timed(keyword: Keyword) -> Keyword:
        def check(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[Any]:
            if time.monotonic() > deadline:
                raise BadSchema("The schema takes too long on this answer.")
            if keyword is unique and isinstance(instance, list) and len(cast("Any", instance)) > MAX_ITEMS:
                raise BadSchema(f"“uniqueItems” can't be checked beyond {MAX_ITEMS:,} items.")
            yield from keyword(validator, value, instance, schema) or ()

        return check

    keywords = cast("dict[str, Keyword]", Draft202012Validator.VALIDATORS)
    unique = keywords["uniqueItems"]
    extend = cast("Any", validators).extend
    return extend(Draft202012Validator, {name: timed(rule) for name, rule in keywords.items()})
