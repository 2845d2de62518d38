"""Reads a promptfooconfig.yaml: prompts, models, rows and checks, and a list of what is not taken."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, cast

import msgspec

from parley.features.lab.promptfoo.cases import (
    LOGIC,
    PLACE,
    Cases,
    TakenCheck,
    TakenRow,
    fields_of,
    list_of,
)
from parley.features.lab.promptfoo.sources import (
    CONFIG,
    FILE,
    Files,
    NotTaken,
    Skipped,
    Source,
    merged,
    parse_source,
)
from parley.kernel.errors import Invalid
from parley.text.located_yaml import LocatedError

TAKEN = frozenset({"description", "prompts", "providers", "targets", "tests", "defaultTest", "$schema"})
TAKEN_OF_PROMPT = frozenset({"id", "label", "raw"})
SEVERAL = (".txt",)
"""Files in which a line of three dashes parts prompts."""

_DASHES = re.compile(r"^---[ \t]*$", re.MULTILINE)

Role = Literal["system", "user", "assistant"]
ROLES: tuple[Role, ...] = ("system", "user", "assistant")
Messages = tuple[tuple[Role, str], ...]


class TakenPrompt(msgspec.Struct, frozen=True):
    """A prompt: its label, and its messages as (role, text)."""

    label: str
    messages: Messages


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of a file that Parley can use. `not_taken` lists the others, `missing` the files to add."""

    description: str
    prompts: tuple[TakenPrompt, ...]
    models: tuple[str, ...]
    rows: tuple[TakenRow, ...]
    checks: tuple[TakenCheck, ...]
    not_taken: tuple[Skipped, ...]
    missing: tuple[str, ...]


def read_config(
    text: str, *, name: str = CONFIG, judge: str | None = None, files: Mapping[str, str] | None = None
) -> Config:
    """Return the parts of a promptfoo file. `judge` is the model of its llm-rubrics. Raises Invalid.

    `files` are the texts of files beside it, by their names in the config.
    """
    try:
        source = Source(name, parse_source(text))
    except LocatedError as error:
        raise Invalid("text", f"Line {error.line}: {error.text}.", "Nothing was imported.") from None
    if "prompts" not in fields_of(source.located.data):
        raise Invalid("text", "This is no promptfoo file: it has no prompts.", "Nothing was imported.")
    return _Reader(source, Files(files or {}), judge).config()


class _Reader:
    def __init__(self, source: Source, files: Files, judge: str | None) -> None:
        self._source, self._files, self._judge = source, files, judge
        self._document = fields_of(source.located.data)
        self._skipped: list[Skipped] = []

    def config(self) -> Config:
        """Return all parts. Raises Invalid if no prompt can be read."""
        for name in self._document:
            if name not in TAKEN:
                self._skip((name,), f"“{name}” is not used")
        prompts = tuple(self._all_prompts())
        rows, checks = Cases(self._source, self._files, self._judge, self._skipped).read()
        missing = tuple(self._files.missing)
        if not prompts and not missing:
            reasons = "; ".join(f"line {it.line}: {it.text}" for it in self._skipped[:5])
            raise Invalid(
                "text", "None of the prompts can be read.", f"Nothing was imported. {reasons}".strip()
            )
        return Config(
            description=str(self._document.get("description", "")),
            prompts=tuple({prompt.messages: prompt for prompt in reversed(prompts)}.values())[::-1],
            models=tuple(dict.fromkeys(self._models())),
            rows=rows,
            checks=checks,
            not_taken=merged(sorted(self._skipped, key=lambda it: (it.file != self._source.name, it.line))),
            missing=missing,
        )

    def _all_prompts(self) -> Iterator[TakenPrompt]:
        for at, item in enumerate(list_of(self._document["prompts"])):
            path = ("prompts", at)
            try:
                yield from self._prompts(item, path)
            except NotTaken as reason:
                self._skip(path, f"prompt: {reason}")

    def _prompts(self, item: object, path: tuple[str | int, ...]) -> Iterator[TakenPrompt]:
        label = ""
        if isinstance(item, Mapping):
            fields = cast("Mapping[str, object]", item)
            for name in fields:
                if name not in TAKEN_OF_PROMPT:
                    self._skip((*path, name), f"“{name}” of a prompt is not used")
            label, item = str(fields.get("label", "")), fields.get("raw", fields.get("id", ""))
        text = str(item)
        parts = [text]
        if text.startswith(FILE) or re.fullmatch(r"[\w./*-]+\.[a-z0-9]{2,4}(:\w+)?", text):
            content = self._files.text(text)
            if text.lower().endswith(".csv"):
                raise NotTaken("prompts in CSV can't be read")
            parts = _DASHES.split(content) if text.lower().endswith(SEVERAL) else [content]
        for part in parts:
            if LOGIC.search(part):
                self._skip(path, f"prompt {_short(part)}: uses filters or logic of templates")
            elif part.strip():
                yield TakenPrompt(label or _short(part), _messages(part.strip()))

    def _models(self) -> Iterator[str]:
        name = "providers" if "providers" in self._document else "targets"
        for at, item in enumerate(list_of(self._document.get(name))):
            fields = fields_of(item)
            if "config" in fields:
                self._skip((name, at, "config"), "settings of a provider are not used")
            model = str(fields.get("id", next(iter(fields), "")) if fields else item)
            if model:
                yield model

    def _skip(self, path: tuple[str | int, ...], text: str) -> None:
        self._skipped.append(Skipped(file=self._source.name, line=self._source.line(path), text=text))


def _messages(text: str) -> Messages:
    """Return a prompt's messages: a conversation as JSON or YAML, or a text of the user's."""
    text = PLACE.sub(r"{{\1}}", text)
    if text.startswith(("[", "- role:")):
        try:
            turns = list_of(parse_source(text).data if text[0] == "-" else msgspec.json.decode(text))
        except (LocatedError, msgspec.DecodeError):
            return (("user", text),)
        if turns and all("role" in fields_of(turn) and "content" in fields_of(turn) for turn in turns):
            return tuple(_message(cast("dict[str, Any]", turn)) for turn in turns)
    return (("user", text),)


def _message(turn: Mapping[str, Any]) -> tuple[Role, str]:
    role, content = turn["role"], turn["content"]
    role = "system" if role == "developer" else role
    if role not in ROLES or not isinstance(content, str):
        raise NotTaken("a message of it has another role or content than text")
    return role, content


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line[:60] + ("…" if len(line) > 60 else "")
