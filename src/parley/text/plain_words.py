"""Says in plain words what pydantic found wrong with one value, without repeating the value."""

from collections.abc import Collection, Mapping
from difflib import get_close_matches

from pydantic_core import ErrorDetails

_WORDS = {
    "missing": "is required",
    "string_type": "must be text, in quotes",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "finite_number": "must be a finite number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "list_type": "must be a list",
    "tuple_type": "must be a list",
    "dict_type": "must be an object with named fields, not a list or a single value",
    "model_type": "must be an object with named fields, not a list or a single value",
    "model_attributes_type": "must be an object with named fields, not a list or a single value",
    "path_type": "must be a path",
}


def in_plain_words(error: ErrorDetails, known: Collection[str] = ()) -> str:
    """Return what a value must be; for an unknown field, the nearest of the `known` ones."""
    kind = error["type"]
    if kind == "extra_forbidden":
        return "is not a known field" + did_you_mean(str(error["loc"][-1]), known)
    context: Mapping[str, object] = error.get("ctx", {})
    if kind == "literal_error":
        return f"must be one of {context['expected']}"
    for bound, words in _BOUNDS.items():
        if bound in context and kind == _KINDS[bound]:
            return f"must be {words} {context[bound]}"
    if kind == "string_too_long":
        return f"must have at most {context['max_length']} characters"
    if kind == "string_too_short":
        least = context["min_length"]
        return "must not be empty" if least == 1 else f"must have at least {least} characters"
    if kind in _WORDS:
        return _WORDS[kind]
    return error["msg"].removeprefix("Value error, ")


def did_you_mean(word: str, known: Collection[str]) -> str:
    """Return " (did you mean “…”?)" where a known word is near, else nothing."""
    near = get_close_matches(word, known, n=1, cutoff=0.6)
    return f" (did you mean “{near[0]}”?)" if near else ""


_BOUNDS = {"gt": "greater than", "ge": "at least", "lt": "less than", "le": "at most"}
_KINDS = {
    "gt": "greater_than",
    "ge": "greater_than_equal",
    "lt": "less_than",
    "le": "less_than_equal",
}
