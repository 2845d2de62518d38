"""Topics of prompts: the rules that say what is asked for, each in plain words."""

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from parley.text.categories.demand_rules import DETAIL_CHARS, FIGURES, PARTS, PROOF, REASONING, TECHNICAL
from parley.text.categories.rule import Rule
from parley.text.categories.technical_rules import CODING, MATHS
from parley.text.categories.wording_rules import CREATIVE_WRITING, INSTRUCTIONS

HARD_SIGNS = 3
"""Signs of a demanding task that make a prompt hard, out of those below."""

DEMANDS = 2
"""Rules of instruction following that together are such a sign."""

LONG = 2_000
"""Latin letters, or as much in another script, from which on a prompt is long: about 500 tokens."""

MATCHED_CHARS = 60

_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


class Topic(msgspec.Struct, frozen=True):
    """A topic that prompts are sorted into by rules."""

    id: str
    title: str
    description: str


TOPICS: tuple[Topic, ...] = (
    Topic("coding", "Coding", "Asks for code, or about code, or contains some."),
    Topic("maths", "Maths", "Asks for a calculation, a proof, or the solution of a problem in numbers."),
    Topic(
        "creative-writing", "Creative writing", "Asks for a text that is made up: a story, a poem, a scene."
    ),
    Topic(
        "instruction-following",
        "Instruction following",
        "Says how the answer must look: its length, its form, what must or must not be in it.",
    ),
    Topic(
        "hard-prompts",
        "Hard prompts",
        f"Shows at least {HARD_SIGNS} signs of a demanding task: code or maths, several demands, several parts, "
        "detail, figures, technical words, a reason to think.",
    ),
    Topic("long-prompts", "Long prompts", f"A prompt of at least {LONG:,} characters."),
    Topic("multi-turn", "Multi-turn", "More than one prompt before the vote."),
    Topic("vision", "Vision", "A picture came with the prompt."),
)

_BY_RULES: Mapping[str, Sequence[Rule]] = {
    "coding": CODING,
    "maths": MATHS,
    "creative-writing": CREATIVE_WRITING,
    "instruction-following": INSTRUCTIONS,
}


def topics_of(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield (topic, rule in plain words, what matched) of a prompt; a topic once for each rule that matched."""
    found = {topic: list(_matches(rules, text)) for topic, rules in _BY_RULES.items()}
    for topic, matches in found.items():
        if sum(rule.points for rule, _ in matches) >= 1.0:
            yield from ((topic, rule.says, matched) for rule, matched in matches)
    signs = dict(_hard_signs(text, found))
    if len(signs) >= HARD_SIGNS:
        yield from (("hard-prompts", says, matched) for says, matched in signs.items())


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


def _hard_signs(text: str, found: Mapping[str, Sequence[tuple[Rule, str]]]) -> Iterator[tuple[str, str]]:
    """Yield the signs of a demanding task, and what shows each."""
    for topic, sign in (("coding", "code"), ("maths", "maths")):
        matches = found[topic]
        if sum(rule.points for rule, _ in matches) >= 1.0:
            yield sign, matches[0][1]
    demands = found["instruction-following"]
    if len(demands) >= DEMANDS:
        yield "several demands", "; ".join(matched for _, matched in demands)
    if len(text) + 2 * sum(1 for _ in _UNSPACED.finditer(text[:DETAIL_CHARS])) >= DETAIL_CHARS:
        yield "detail", f"{len(text):,} characters"
    sums = sum(rule.points for rule, _ in found["maths"]) >= 1.0
    rules = (PARTS, TECHNICAL, REASONING, PROOF) if sums else (PARTS, TECHNICAL, REASONING, FIGURES)
    yield from ((rule.says, matched) for rule, matched in _matches(rules, text))
    thoughts = dict.fromkeys(match[0] for match in REASONING.pattern.finditer(text.lower()))
    if len(thoughts) > 1:
        yield "several things to think about", _shown(", ".join(thoughts))
