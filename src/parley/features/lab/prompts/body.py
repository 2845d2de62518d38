"""The body of a prompt: messages, typed variables and options; filled in it becomes a question."""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, TypeAlias, cast

import msgspec

from parley.kernel.errors import Invalid
from parley.kernel.messages import Message
from parley.kernel.options import AskOptions

VariableKind: TypeAlias = Literal["text", "choice", "number", "list", "file"]
Value: TypeAlias = object
"""Text, a number, a list of texts, or a file as `{"name", "text"}`."""

PLACE = re.compile(r"\{\{([^{}\n]{1,60})\}\}")
"""A place in a text that a variable fills."""

NO_VALUES: Mapping[str, Value] = MappingProxyType({})

USUAL_LIMIT = 2048
"""The token limit of a version that sets none: without one, nobody could say what an answer may cost."""


class Variable(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A variable: its name in braces, and the values that it takes. `least` and `most` limit a number."""

    name: str
    kind: VariableKind = "text"
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    default: str | None = None


class PromptMessage(msgspec.Struct, frozen=True):
    """A message with places for variables."""

    role: Literal["system", "user", "assistant"]
    text: str


class PromptOptions(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The options of every question that is made from a version."""

    temperature: float | None = None
    max_output_tokens: int | None = None
    seed: int | None = None
    json_schema: dict[str, object] | None = None

    def ask_options(self, *, limited: bool) -> AskOptions:
        """Return the options of a call; a limited one always has a token limit."""
        limit = self.max_output_tokens or (USUAL_LIMIT if limited else None)
        return AskOptions(
            temperature=self.temperature,
            max_output_tokens=limit,
            seed=self.seed,
            json_schema=self.json_schema,
        )


class PromptBody(msgspec.Struct, frozen=True, kw_only=True):
    """Messages, variables and options."""

    messages: tuple[PromptMessage, ...]
    variables: tuple[Variable, ...] = ()
    options: PromptOptions = PromptOptions()

    @property
    def sha256(self) -> str:
        """The SHA-256 (hex) of all that decides what is asked."""
        return digest_of(self)

    @property
    def text(self) -> str:
        """The text that a person inserts into a message: the last one of the user's."""
        return next((it.text for it in reversed(self.messages) if it.role == "user"), self.messages[-1].text)

    def open_text(self, values: Mapping[str, Value] = NO_VALUES) -> Variable | None:
        """Return the first text variable that has neither a value nor a default: it takes what a person says."""
        return next(
            (
                it
                for it in self.variables
                if it.kind == "text" and it.name not in values and it.default is None
            ),
            None,
        )

    def with_all_variables(self) -> "PromptBody":
        """Return the body with a variable for every place, in their order; those without a place are left out."""
        declared = {variable.name: variable for variable in self.variables}
        names = dict.fromkeys(name for message in self.messages for name in places_in(message.text))
        used = tuple(declared.get(name) or Variable(name=name) for name in names)
        return msgspec.structs.replace(self, variables=used)

    def fill(self, values: Mapping[str, Value], *, field: str = "values") -> tuple[Message, ...]:
        """Return the messages with the values in their places. Raises Invalid, naming the variable."""
        texts = {variable.name: _text(variable, values, field) for variable in self.variables}
        return tuple(Message(it.role, filled(it.text, texts)) for it in self.messages)


def digest_of(value: object) -> str:
    """Return the SHA-256 (hex) of a value's JSON, with its names in order."""
    return hashlib.sha256(msgspec.json.encode(value, order="sorted")).hexdigest()


def places_in(text: str) -> Iterator[str]:
    """Yield the names of a text's places."""
    return (match[1].strip() for match in PLACE.finditer(text))


def filled(text: str, values: Mapping[str, str]) -> str:
    """Return a text with its places filled; a place that nobody knows stays."""
    return PLACE.sub(lambda match: values.get(match[1].strip(), match[0]), text)


def _text(variable: Variable, values: Mapping[str, Value], field: str) -> str:
    value = values.get(variable.name)
    if value is None or value == "":
        value = variable.default
    name = f"{field}.{variable.name}"
    if value is None:
        raise Invalid(name, f"“{variable.name}” has no value.", "Fill it in.", code="value_missing")
    text = as_text(value)
    if variable.kind == "choice" and variable.choices and text not in variable.choices:
        choices = ", ".join(f"“{choice}”" for choice in variable.choices)
        raise Invalid(
            name, f"“{variable.name}” is “{text[:80]}”, which is not a choice.", f"Choose {choices}."
        )
    if variable.kind == "number":
        _check_number(variable, text, name)
    return text


def _check_number(variable: Variable, text: str, name: str) -> None:
    try:
        number = float(text)
    except ValueError:
        raise Invalid(name, f"“{variable.name}” is “{text[:80]}”, which is not a number.") from None
    if (variable.least is not None and number < variable.least) or (
        variable.most is not None and number > variable.most
    ):
        least = "" if variable.least is None else f"at least {variable.least:g}"
        most = "" if variable.most is None else f"at most {variable.most:g}"
        between = " and ".join(filter(None, (least, most)))
        raise Invalid(name, f"“{variable.name}” is {text[:40]}; it must be {between}.")


def as_text(value: Value) -> str:
    """Return a value as it stands in a message."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(as_text(each) for each in cast("Sequence[Value]", value))
    if isinstance(value, Mapping):
        content = cast("Mapping[str, Value]", value)
        return as_text(content["text"]) if "text" in content else msgspec.json.encode(content).decode()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
