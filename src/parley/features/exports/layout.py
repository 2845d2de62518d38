"""The tables of an export, with their columns: plain ones, that every program reads."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec

ColumnKind: TypeAlias = Literal["text", "int", "float", "bool"]
Value: TypeAlias = str | int | float | bool | None
Record: TypeAlias = dict[str, Value]
TableName: TypeAlias = Literal["sessions", "turns", "replies", "votes", "calls"]
ExportFormat: TypeAlias = Literal["jsonl", "parquet", "sqlite"]

NOUNS: Mapping[TableName, str] = {
    "sessions": "session",
    "turns": "turn",
    "replies": "reply",
    "votes": "vote",
    "calls": "call",
}

_COLUMNS: Mapping[TableName, Mapping[str, ColumnKind]] = {
    "sessions": {"id": "text", "person": "text", "mode": "text", "title": "text", "created": "text"},
    "turns": {
        "id": "text",
        "session_id": "text",
        "match_id": "text",
        "mode": "text",
        "blind": "bool",
        "number": "int",
        "prompt": "text",
        "status": "text",
        "created": "text",
    },
    "replies": {
        "id": "text",
        "turn_id": "text",
        "seat": "text",
        "round": "int",
        "purpose": "text",
        "model": "text",
        "text": "text",
        "status": "text",
        "finish_reason": "text",
        "input_tokens": "int",
        "output_tokens": "int",
    },
    "votes": {
        "id": "text",
        "session_id": "text",
        "match_id": "text",
        "turn_id": "text",
        "person": "text",
        "kind": "text",
        "choice": "text",
        "left_model": "text",
        "right_model": "text",
        "counted": "bool",
        "excluded_reason": "text",
        "categories": "text",
        "reason": "text",
        "created": "text",
    },
    "calls": {
        "id": "text",
        "turn_id": "text",
        "reply_id": "text",
        "person": "text",
        "purpose": "text",
        "mode": "text",
        "model": "text",
        "provider": "text",
        "outcome": "text",
        "code": "text",
        "first_token_ms": "int",
        "duration_ms": "int",
        "input_tokens": "int",
        "output_tokens": "int",
        "cost_usd": "float",
        "created": "text",
    },
}

TEXTS = frozenset({"title", "prompt", "text", "reason"})
"""Columns with what people and models wrote."""


class ExportPlan(msgspec.Struct, frozen=True, kw_only=True):
    """The content of an export. `anonymised`: as `Anonymiser` does. `votes_only`: the votes, without any text."""

    kind: ExportFormat
    anonymised: bool
    votes_only: bool = False

    @property
    def tables(self) -> dict[TableName, dict[str, ColumnKind]]:
        """The tables, in their order, with their columns."""
        names: list[TableName] = ["votes"] if self.votes_only else ["sessions", "turns", "replies", "votes"]
        if not (self.anonymised or self.votes_only):
            names.append("calls")  # money and times tell who it was
        hidden = TEXTS if self.votes_only else frozenset[str]()
        return {
            name: {column: kind for column, kind in _COLUMNS[name].items() if column not in hidden}
            for name in names
        }
