"""Rules and the review queue as requests and responses."""

from typing import Annotated, Literal, Self, TypeAlias

import msgspec
from pydantic import Field, field_validator, model_validator

from parley.kernel.moderation import Moment
from parley.kernel.request import Request
from parley.text.listed import BadPattern, Listed

Kind: TypeAlias = Literal["words", "patterns", "model", "endpoint"]
When: TypeAlias = Literal["prompt", "reply", "both"]
Verdict: TypeAlias = Literal["flag", "hold"]
Audience: TypeAlias = Literal["everybody", "not_administrators", "workspace"]
State: TypeAlias = Literal["open", "released", "kept"]

LISTS = ("words", "patterns")
MOST_TERMS = 1_000
MOST_RULES = 100
LONGEST_POLICY = 8_000


class RuleBody(Request):
    """A rule. `terms`: words and phrases, or regular expressions in Rust's syntax, of a list.

    `model_id`: the model that decides by the `policy`, or that of the endpoint; `on_failure`: what happens where it
    can't be asked, or says nothing that can be read. `before_showing`: a reply is shown only once it has been checked.
    `audience`: for whom the rule is; `not_administrators` are members and guests, `space_id` is the workspace.
    """

    name: Annotated[str, Field(min_length=1, max_length=80)]
    kind: Kind
    moment: When = "prompt"
    verdict: Verdict = "flag"
    enabled: bool = True
    audience: Audience = "everybody"
    space_id: Annotated[str, Field(max_length=32)] | None = None
    terms: list[Annotated[str, Field(min_length=1, max_length=500)]] = Field(
        default_factory=list[str], max_length=MOST_TERMS
    )
    model_id: Annotated[str, Field(max_length=64)] | None = None
    policy: Annotated[str, Field(max_length=LONGEST_POLICY)] = ""
    on_failure: Verdict = "flag"
    before_showing: bool = False

    @field_validator("name", "policy")
    @classmethod
    def _stripped(cls, text: str) -> str:
        return text.strip()

    @field_validator("terms")
    @classmethod
    def _without_blanks(cls, terms: list[str]) -> list[str]:
        return list(dict.fromkeys(term for term in terms if term.strip()))

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.kind in LISTS:
            _check_terms(self.kind, self.terms)
        elif not self.model_id:
            raise ValueError("a model is needed")
        if self.kind == "model" and not self.policy:
            raise ValueError("a policy is needed: what the model should look for")
        if self.audience == "workspace" and not self.space_id:
            raise ValueError("a workspace is needed")
        return self


def _check_terms(kind: Kind, terms: list[str]) -> None:
    """Raise ValueError for a list that can't be used, with the line and the character."""
    if not terms:
        raise ValueError("the list is empty")
    try:
        Listed(terms, patterns=kind == "patterns")
    except BadPattern as bad:
        at = f", character {bad.character}" if bad.character else ""
        raise ValueError(f"line {bad.index + 1}{at}: {bad.why}") from None


class RuleView(msgspec.Struct, frozen=True, kw_only=True):
    """A rule, with the number of its findings that are still stored, and of those that are open."""

    id: str
    name: str
    kind: Kind
    moment: When
    verdict: Verdict
    enabled: bool
    audience: Audience
    space_id: str | None
    terms: list[str]
    model_id: str | None
    policy: str
    on_failure: Verdict
    before_showing: bool
    findings: int
    open: int


class RuleList(msgspec.Struct, frozen=True, kw_only=True):
    """Every rule. `on`: moderation is switched on here. `open`: the findings that wait, also of removed rules."""

    rules: list[RuleView]
    on: bool
    open: int


class ItemView(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a rule has found. `who` is the person's pseudonym, `why` the term or the model's answer.

    `model_id` of a reply is null while its match is blind. `restorable`: a release shows the reply in its conversation.
    """

    id: str
    rule_id: str
    rule: str
    moment: Moment
    verdict: Verdict
    state: State
    who: str
    purpose: str
    model_id: str | None
    text: str
    why: str
    restorable: bool
    created_at: str
    decided_at: str | None


class ItemPage(msgspec.Struct, frozen=True, kw_only=True):
    """Findings, the newest first, and the one to go on `before`, if there are more."""

    items: list[ItemView]
    before: str | None


class ExportedItem(msgspec.Struct, frozen=True, kw_only=True):
    """Something of one's own that a rule has found. `text` is null for a reply that is still held."""

    moment: Moment
    verdict: Verdict
    state: State
    text: str | None
    created_at: str
