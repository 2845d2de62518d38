"""Requests and views of prompts."""

from typing import Annotated, Any, Literal

import msgspec
from pydantic import AfterValidator, Field

from parley.features.lab.checks.contract import CheckSpec
from parley.features.lab.prompts.body import PromptBody, PromptMessage, PromptOptions, Variable
from parley.kernel.names import checked_name
from parley.kernel.request import Number, Prompt, Request


def _as_written(name: str) -> str:
    checked_name(name)
    return name  # places in texts have the same spaces


MAX_NAME_CHARS = 80
MOST_PROMPTS = 1000
MOST_VERSIONS = 10_000

ModelId = Annotated[str, Field(max_length=64), AfterValidator(checked_name)]
VariableName = Annotated[
    str, Field(min_length=1, max_length=60, pattern=r"^[^{}\n]+$"), AfterValidator(_as_written)
]
PromptName = Annotated[str, Field(max_length=MAX_NAME_CHARS), AfterValidator(checked_name)]
VersionNote = Annotated[str, Field(max_length=500)]
Checks = Annotated[list[dict[str, Any]], Field(max_length=50)]
NoChecks = Annotated[Checks, Field(default_factory=list)]


class WriteVariable(Request):
    """A variable of a prompt; places in braces without one become texts."""

    name: VariableName
    kind: Literal["text", "choice", "number", "list", "file"] = "text"
    choices: Annotated[
        list[Annotated[str, Field(max_length=200)]], Field(default_factory=list, max_length=100)
    ]
    least: float | None = None
    most: float | None = None
    default: Annotated[str, Field(max_length=30_000)] | None = None


class WriteMessage(Request):
    """A message with places for variables, as in `{{topic}}`."""

    role: Literal["system", "user", "assistant"]
    text: Prompt


class WriteOptions(Request):
    """The options of every question; null leaves one to the provider."""

    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    max_output_tokens: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    seed: Annotated[int, Field(ge=-(2**63), lt=2**63)] | None = None
    json_schema: dict[str, Any] | None = None


class WriteBody(Request):
    """The messages, variables and options of a version."""

    messages: Annotated[list[WriteMessage], Field(min_length=1, max_length=50)]
    variables: Annotated[list[WriteVariable], Field(default_factory=list, max_length=100)]
    options: Annotated[WriteOptions, Field(default_factory=WriteOptions)]

    def body(self) -> PromptBody:
        """Return it as it is stored: with a variable for each place."""
        return msgspec.convert(self.model_dump(), PromptBody, strict=False).with_all_variables()


class NewPrompt(WriteBody):
    """A new prompt with its first version."""

    name: PromptName
    note: VersionNote = ""
    model: ModelId | None = None
    checks: NoChecks


class NewVersion(WriteBody):
    """A version that follows another one. `parent` is the version that it was made from."""

    note: VersionNote = ""
    parent: Number | None = None


class ChangePrompt(Request):
    """The fields of a prompt that change; a null model is none."""

    name: PromptName | None = None
    model: ModelId | None = None
    checks: Checks | None = None


class MoveLabel(Request):
    """The version that a label points to."""

    version: Number


class AddContestant(Request):
    """The version that takes part in blind battles, and the model that answers with it."""

    version: Number
    model: ModelId


class ForkPrompt(Request):
    """The new prompt's name, and the version that it begins with."""

    name: PromptName
    version: Number


class ImportMarkdown(Request):
    """A prompt as Markdown with front matter."""

    markdown: Annotated[str, Field(min_length=1, max_length=500_000)]


class TryPrompt(WriteBody):
    """A question to one model, from a body that need not be saved."""

    values: Annotated[dict[str, Any], Field(default_factory=dict)]
    model: ModelId
    checks: NoChecks
    expected: Annotated[str, Field(max_length=30_000)] | None = None


class PromptView(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt in a list. `text` is what a composer inserts: of `production`, else of the newest version."""

    id: str
    name: str
    text: str
    newest: int
    labels: dict[str, int]
    model: str | None
    checks: tuple[CheckSpec, ...]
    created_at: str
    updated_at: str


class PromptList(msgspec.Struct, frozen=True):
    """Every prompt of the owner, by name."""

    prompts: list[PromptView]


class VersionView(msgspec.Struct, frozen=True, kw_only=True):
    """A version, which never changes. Times are ISO 8601, UTC."""

    number: int
    sha256: str
    messages: tuple[PromptMessage, ...]
    variables: tuple[Variable, ...]
    options: PromptOptions
    note: str
    parent: int | None
    author: str
    created_at: str


class PromptDetail(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt with all its versions, the newest first."""

    prompt: PromptView
    versions: list[VersionView]


class CheckOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict of a check on one answer."""

    label: str
    passed: bool | None
    score: float
    reason: str


class TriedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One model's answer, with what it took and the verdicts of the checks."""

    text: str
    model: str
    finish_reason: str | None
    latency_ms: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None
    checks: tuple[CheckOutcome, ...]
