"""Topics of prompts: coding and maths by rules, the others by a model or by hand."""

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from parley.text.categories.rule import Rule
from parley.text.categories.technical_rules import CODING, MATHS

LONG = 2_000
"""Latin letters, or as much in another script, from which on a prompt is long: about 500 tokens."""

MATCHED_CHARS = 60

BY_MODEL = "Filled by a category model, an import, or you."
"""Beside the topics that no rule recognises."""

_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


class Topic(msgspec.Struct, frozen=True):
    """A topic that prompts are sorted into."""

    id: str
    title: str
    description: str


TOPICS: tuple[Topic, ...] = (
    Topic("coding", "Coding", "Asks for code, or about code, or contains some."),
    Topic("maths", "Maths", "Asks for a calculation, a proof, or the solution of a problem in numbers."),
    Topic(
        "creative-writing",
        "Creative writing",
        f"Asks for a text that is made up: a story, a poem, a scene. {BY_MODEL}",
    ),
    Topic(
        "instruction-following",
        "Instruction following",
        f"Says how the answer must look: its length, its form, what must or must not be in it. {BY_MODEL}",
    ),
    Topic(
        "hard-prompts",
        "Hard prompts",
        f"A demanding task that needs knowledge, several steps, or care. {BY_MODEL}",
    ),
    Topic("long-prompts", "Long prompts", f"A prompt of at least {LONG:,} characters."),
    Topic("multi-turn", "Multi-turn", "More than one prompt before the vote."),
    Topic("vision", "Vision", "A picture came with the prompt."),
    Topic("pictures", "Pictures", "The models drew the prompt."),
)

_BY_RULES: Mapping[str, Sequence[Rule]] = {"coding": CODING, "maths": MATHS}


def topics_of(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield (topic, rule in plain words, what matched) of a prompt; a topic once for each rule that matched."""
    for topic, rules in _BY_RULES.items():
        matches = list(_matches(rules, text))
        if sum(rule.points for rule, _ in matches) >= 1.0:
            yield from ((topic, rule.says, matched) for rule, matched in matches)


def long_prompt(prompt: str) -> str | None:
    """Return how long a long prompt is; None for others. A character of scripts without spaces counts as three."""
    if len(prompt) < LONG // 3:
        return None
    length = len(prompt) + 2 * sum(1 for _ in _UNSPACED.finditer(prompt))
    return f"{len(prompt):,} characters" if length >= LONG else None


def _matches(rules: Sequence[Rule], text: str) -> Iterator[tuple[Rule, str]]:
    lowered = text.lower()
    for rule in rules:
        matched = rule.search(text, lowered)
        if matched is not None:
            yield rule, _shown(matched)


def _shown(matched: str) -> str:
    one_line = " ".join(matched.split())
    return one_line if len(one_line) <= MATCHED_CHARS else one_line[: MATCHED_CHARS - 1] + "…"
