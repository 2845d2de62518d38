"""Ids of the built-in categories, for code that needs no rules."""

OVERALL = "overall"
LONG_PROMPTS = "long-prompts"
MULTI_TURN = "multi-turn"
VISION = "vision"
PICTURES = "pictures"
TOPIC_IDS = (
    "coding",
    "maths",
    "creative-writing",
    "instruction-following",
    "hard-prompts",
    LONG_PROMPTS,
    MULTI_TURN,
    VISION,
    PICTURES,
)
BUILT_IN = frozenset((OVERALL, *TOPIC_IDS))
PAGES = frozenset(("method", "voters"))
"""Pages whose address a category with that id would take."""
LANGUAGE_PREFIX = "language-"
"""Before the ISO 639-1 code of a language."""
