"""Ids of the built-in categories, for those who need no rules."""

OVERALL = "overall"
LONG_PROMPTS = "long-prompts"
MULTI_TURN = "multi-turn"
TOPIC_IDS = (
    "coding",
    "maths",
    "creative-writing",
    "instruction-following",
    "hard-prompts",
    LONG_PROMPTS,
    MULTI_TURN,
)
BUILT_IN = frozenset((OVERALL, *TOPIC_IDS))
LANGUAGE_PREFIX = "language-"
"""Before the ISO 639-1 code of a language."""
