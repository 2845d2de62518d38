"""Rounds of a consortium without the mode: prompts built by hand, characters that answer them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import msgspec

from parley.connectors.demo.characters import CHARACTERS
from parley.connectors.demo.performer import perform
from parley.kernel.messages import Message
from parley.text.agreement.compare import compare

RULES = (
    "You are a member of a consortium. Reply in <thought_process>…</thought_process>, <answer>…</answer>, "
    "<confidence>0..1</confidence>. Keep to the <user_instructions> that the user gave."
)
FORM = """\
<synthesis_output>
<first_impression>what strikes you</first_impression>
<confidence>a number from 0 to 1</confidence>
<ranking><rank position="1">ID</rank><rank position="2">ID</rank></ranking>
</synthesis_output>"""
RANKING = """\
<ranking>
<rank position="1">ID of the best answer</rank>
<rank position="2">ID of the next</rank>
</ranking>"""


@dataclass(frozen=True)
class Verdict:
    """What an arbiter wrote, read by its tags."""

    text: str
    synthesis: str
    dissent: str
    confidence: float
    areas: tuple[str, ...]
    needs_iteration: bool
    ranking: tuple[str, ...]


@dataclass(frozen=True)
class Round:
    """The replies of one round, their answers and confidences, and the verdict on them."""

    replies: tuple[str, ...]
    answers: tuple[str, ...]
    confidences: tuple[float, ...]
    verdict: Verdict

    @property
    def consensus(self) -> float:
        """How much the answers say the same, as the product measures it."""
        measured = compare({str(n): answer for n, answer in enumerate(self.answers)}, families={})
        return measured.consensus or 0.0

    @property
    def is_settled(self) -> bool:
        """True where the usual consortium would stop."""
        return not self.verdict.needs_iteration and self.verdict.confidence >= 0.8


def inner(text: str, tag: str) -> str:
    """Return what stands in a tag that must be there."""
    match = re.search(rf"<{tag}>\n?(.*?)\n?</{tag}>", text, re.DOTALL)
    assert match, f"no <{tag}> in {text[:400]}"
    return match[1].strip()


def first_messages(prompt: str, role: str = "") -> list[Message]:
    """Return what a member hears in the first round."""
    system = f"{RULES}\n\n<role>{role}</role>" if role else RULES
    return [
        Message("system", system),
        Message("user", f"<prompt><instruction>{escape(prompt, quote=False)}</instruction></prompt>"),
    ]


def iteration_message(prompt: str, synthesis: str, areas: Sequence[str]) -> Message:
    """Return what a member hears in a later round."""
    verdict = msgspec.json.encode(
        {"synthesis": synthesis, "confidence": 0.5, "refinement_areas": areas}
    ).decode()
    listed = "\n".join(f"<area>{escape(area, quote=False)}</area>" for area in areas)
    return Message(
        "user",
        "<iteration_prompt>\n<user_instructions></user_instructions>\n"
        f"<original_prompt>{escape(prompt, quote=False)}</original_prompt>\n"
        f"<previous_synthesis>{escape(verdict, quote=False)}</previous_synthesis>\n"
        f"<refinement_areas>\n{listed}\n</refinement_areas>\n</iteration_prompt>\n\nThis is another round.",
    )


def responses(replies: Sequence[str], confidences: Sequence[float]) -> str:
    """Return the answers as a judge is shown them."""
    return "\n".join(
        f"<model_response>\n<id>{number}</id>\n<model>Member {number}</model>\n<instance>1</instance>\n"
        f"<confidence>{confidence}</confidence>\n<response>{escape(reply, quote=False)}</response>\n</model_response>"
        for number, (reply, confidence) in enumerate(zip(replies, confidences, strict=True), 1)
    )


def arbiter_messages(prompt: str, shown: str, past: int = 0, form: str = FORM) -> list[Message]:
    """Return what an arbiter hears after `past` earlier rounds."""
    history = "".join(
        f"<iteration><iteration_number>{number}</iteration_number></iteration>"
        for number in range(1, past + 1)
    )
    return [
        Message(
            "user",
            f"<arbiter_prompt>\n<user_instructions></user_instructions>\n"
            f"<original_prompt>{escape(prompt, quote=False)}</original_prompt>\n"
            f"<model_responses>\n{shown}\n</model_responses>\n"
            f"<iteration_history>{history}</iteration_history>\n</arbiter_prompt>\n\n{form}",
        )
    ]


def judge(arbiter: str, prompt: str, shown: str, past: int = 0) -> Verdict:
    """Return a character's verdict."""
    text = perform(CHARACTERS[arbiter], arbiter_messages(prompt, shown, past), 7).text
    return Verdict(
        text=text,
        synthesis=inner(text, "synthesis"),
        dissent=inner(text, "dissent"),
        confidence=float(inner(text, "confidence")),
        areas=tuple(re.findall(r"<area>(.*?)</area>", inner(text, "refinement_areas"))),
        needs_iteration=inner(text, "needs_iteration") == "true",
        ranking=tuple(re.findall(r'<rank position="\d+">(.*?)</rank>', inner(text, "ranking"))),
    )


def play(
    prompt: str,
    members: Sequence[str] = ("demo-ada", "demo-pico", "demo-vera"),
    arbiter: str = "demo-ada",
    seed: int = 1,
) -> list[Round]:
    """Return the rounds of a consortium with the usual settings: a threshold of 0.8, three rounds at most."""
    talks = [first_messages(prompt) for _ in members]
    rounds: list[Round] = []
    while len(rounds) < 3 and not (rounds and rounds[-1].is_settled):
        if rounds:
            last = rounds[-1]
            again = iteration_message(prompt, last.verdict.synthesis, last.verdict.areas)
            for talk, reply in zip(talks, last.replies, strict=True):
                talk += [Message("assistant", reply), again]
        seeds = [1000 * seed + 10 * len(rounds) + place for place in range(len(members))]
        replies = [
            perform(CHARACTERS[member], talk, own).text
            for member, talk, own in zip(members, talks, seeds, strict=True)
        ]
        confidences = tuple(float(inner(reply, "confidence")) for reply in replies)
        rounds.append(
            Round(
                tuple(replies),
                tuple(inner(reply, "answer") for reply in replies),
                confidences,
                judge(arbiter, prompt, responses(replies, confidences), len(rounds)),
            )
        )
    return rounds
