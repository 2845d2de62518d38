"""The columns of vote files: LMArena's, and Parley's own under a prefix."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

Row: TypeAlias = Mapping[str, object]
"""A row by column, as its file has it."""

ColumnType: TypeAlias = Literal[
    "text", "int", "float", "bool", "words", "style", "elo", "model", "conversation"
]

EXPORTED: dict[str, ColumnType] = {
    "question_id": "text",
    "model_a": "text",
    "model_b": "text",
    "winner": "text",
    "judge": "text",
    "turn": "int",
    "anony": "bool",
    "language": "text",
    "tstamp": "float",
    "category": "words",
    "conv_metadata": "style",
    "parley_id": "text",
    "parley_kind": "text",
    "parley_counted": "bool",
    "parley_reason": "text",
    "parley_excluded": "text",
    "parley_propensity": "float",
    "parley_categories": "words",
    "parley_categories_by": "text",
    "parley_prompt_sha256": "text",
    "parley_read_ms": "int",
    "parley_model_a": "model",
    "parley_model_b": "model",
    "parley_elo": "elo",
}
"""Every exported column with its type, in order; `TEXTS` follow on request."""

TEXTS: dict[str, ColumnType] = {
    "conversation_a": "conversation",
    "conversation_b": "conversation",
    "parley_comment": "text",
}

NEEDED = ("model_a", "model_b", "winner")
"""Columns without which a file holds no votes."""

READ = (*EXPORTED, *TEXTS, "id", "timestamp", "is_code", "category_tag", "judge_hash")
"""Every column that an import reads; the last five occur in LMArena's files only."""

WINNERS = {"left": "model_a", "right": "model_b", "tie": "tie", "both_bad": "tie (bothbad)"}
"""LMArena's words for choices."""

STYLE = {
    "tokens": "sum_assistant_{}_tokens",
    "headers": "header_count_{}",
    "lists": "list_count_{}",
    "bold": "bold_count_{}",
}
"""The fields of `conv_metadata` by feature of style; the placeholder is the side, a or b."""
