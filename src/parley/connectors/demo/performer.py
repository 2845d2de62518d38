"""Performing an answer: from a conversation and a character to the words it will say."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from parley.connectors.demo.characters import Character
from parley.connectors.demo.consortium import play_part
from parley.connectors.demo.finding import Finding
from parley.connectors.demo.question import Question, read_question
from parley.connectors.demo.skills import SKILLS
from parley.connectors.demo.skills.about import admission, greeting, introduction, thanks
from parley.connectors.demo.styles.manner import Manner
from parley.kernel.messages import Message, sha256_text, text_of

PART_S = 5.0
"""How long a part in a consortium may take: three rounds of members and arbiter stay under half a minute."""


@dataclass(frozen=True)
class Speech:
    """What a character says, and what it thinks aloud before.

    `within_s`: one of several replies that a person waits for; it is said faster than usual if need be.
    """

    text: str
    reasoning: str
    within_s: float | None = None


def perform(character: Character, messages: Sequence[Message], seed: int) -> Speech:
    """Return the character's answer; the same for the same conversation and seed."""
    if (part := play_part(character.id, messages, seed)) is not None:
        return Speech(part, "", PART_S)
    said = "\x1e".join(f"{message.role}\x1f{text_of(message)}" for message in messages)
    rng = random.Random(f"{character.id}|{seed}|{sha256_text(said)}")  # noqa: S311 - a style, not a secret
    question = read_question(messages)
    finding = _find(character, question, rng)
    text = character.style(finding, _manner(question, rng)).strip()
    text = f"{finding.note}\n\n{text}" if finding.note else text
    return Speech(text, _thoughts(question, finding) if character.thinks_aloud else "")


def _find(character: Character, question: Question, rng: random.Random) -> Finding:
    if question.follow_up == "thanks":
        return thanks(question, rng)
    if question.asks_identity:
        return introduction()
    if question.greets:
        return greeting(question, rng)
    for name, skill in SKILLS.items():
        if name not in character.lacks and (finding := skill(question, rng)) is not None:
            if question.follow_up == "language" and finding.code is None and not finding.talk:
                return replace(
                    finding, note=f"That is not a program that I could write in {question.language}."
                )
            return finding
    return admission(question, rng)


def _manner(question: Question, rng: random.Random) -> Manner:
    usual = Manner(question, rng)
    match question.follow_up:
        case "shorter":
            return replace(usual, size="short")
        case "longer":
            return replace(usual, size="long")
        case "why":
            return replace(usual, explain=True)
        case "sure":
            return replace(usual, doubt=True)
        case "example":
            return replace(usual, example=True)
        case "table":
            return replace(usual, as_table=True)
        case _:
            return usual


def _thoughts(question: Question, finding: Finding) -> str:
    lines = [f"The person asks: a {question.kind} kind of prompt, {len(question.subject.split())} words."]
    if question.follow_up:
        lines.append(f"It is a follow-up (“{question.follow_up}”) to an earlier question.")
    if question.keywords:
        lines.append(f"Words that carry it: {', '.join(question.keywords[:5])}.")
    lines.append(finding.method or f"This is about {finding.topic}.")
    lines += [f"{step.rstrip('.')}." for step in finding.steps[:4]]
    lines.append(
        "That can be said with confidence."
        if finding.confident
        else "So I should say plainly that I do not know."
    )
    return "\n".join(lines)
