"""Retention as requests and responses."""

from typing import Annotated

import msgspec
from pydantic import Field

from parley.kernel.request import Request


class SetRetention(Request):
    """The days after which things of a kind are deleted, counted from their last change; null: never."""

    days: Annotated[int, Field(ge=1, le=3650)] | None


class RetentionView(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of things with its rule. `nouns` names them; `days` is null if they are never deleted."""

    kind: str
    nouns: str
    about: str
    days: int | None


class KeptView(msgspec.Struct, frozen=True, kw_only=True):
    """Things without a rule: why they are kept, and after how many days they go by themselves, if they do."""

    nouns: str
    why: str
    days: int | None


class RetentionList(msgspec.Struct, frozen=True):
    """Every kind with a rule, and everything that has none."""

    kinds: list[RetentionView]
    others: list[KeptView]


class RetentionPreview(msgspec.Struct, frozen=True):
    """The things of a kind that a rule would delete now, of all that there are."""

    goes: int
    total: int
