"""The columns of vote files: LMArena's, and Parley's own beside them under a prefix."""

OWN = "parley_"
"""The prefix of what LMArena has no column for."""

EXPORTED = (
    *("question_id", "model_a", "model_b", "winner", "judge", "turn", "anony", "language", "tstamp"),
    *("category", "conv_metadata"),
    *("parley_id", "parley_kind", "parley_counted", "parley_reason", "parley_excluded", "parley_propensity"),
    *("parley_categories", "parley_categories_by", "parley_prompt_sha256", "parley_read_ms"),
    *("parley_model_a", "parley_model_b", "parley_elo"),
)
"""Every column that is written, in order; `TEXTS` follow where texts are wished for."""

TEXTS = ("conversation_a", "conversation_b", "parley_comment")

OTHERS_READ = ("id", "timestamp", "is_code", "category_tag", "judge_hash")
"""Columns that LMArena's files also have, and which tell something."""

READ = (*EXPORTED, *TEXTS, *OTHERS_READ)

WINNERS = {"left": "model_a", "right": "model_b", "tie": "tie", "both_bad": "tie (bothbad)"}
"""LMArena's words for what a person chose."""

STYLE = {
    "tokens": "sum_assistant_{}_tokens",
    "headers": "header_count_{}",
    "lists": "list_count_{}",
    "bold": "bold_count_{}",
}
"""The fields of `conv_metadata` that hold the features of style, by side: a or b."""

RISKY = ("=", "+", "-", "@", "\t", "\r", "'")
"""How a cell of CSV may not begin, since spreadsheets take it for a formula; an apostrophe is put before it."""


def guarded(text: str) -> str:
    """Return a text as a cell that no spreadsheet carries out."""
    return f"'{text}" if text.startswith(RISKY) else text


def unguarded(text: str) -> str:
    """Return what `guarded` was given."""
    return text[1:] if text.startswith("'") and text[1:].startswith(RISKY) else text
