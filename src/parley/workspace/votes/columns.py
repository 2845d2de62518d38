"""The columns of vote files: LMArena's, and Parley's own beside them under a prefix."""

import re

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

UNSEEN = (
    r"[\s\x00-\x20\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202f"
    r"\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc]"
)
"""Spaces, controls, and what has no width: programs pass over some of them before they look for a formula."""

OPERATORS = "=+-@＝＋－＠﹦﹢﹣﹫⁼⁺⁻₌₊₋−"
"""How a formula begins, in every width: some programs take a wide character for the narrow one."""

_RISKY = re.compile(rf"['\t\r\n]|{UNSEEN}*[{re.escape(OPERATORS)}]")


def is_risky(text: str) -> bool:
    """Tell whether a cell of CSV may not begin like this, since a spreadsheet could take it for a formula."""
    return _RISKY.match(text) is not None


def guarded(text: str) -> str:
    """Return a text as a cell that no spreadsheet carries out: with an apostrophe before it where it is risky."""
    return f"'{text}" if is_risky(text) else text


def unguarded(text: str) -> str:
    """Return what `guarded` was given."""
    return text[1:] if text.startswith("'") and is_risky(text[1:]) else text
