"""Reading the prompts of a consortium: who is asked for what, known by their tags alone."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import msgspec

from parley.connectors.demo.consortium.tags import each_inside, inside, opens
from parley.connectors.demo.question import MOST_CHARACTERS
from parley.kernel.messages import Message, text_of

Part: TypeAlias = Literal["member", "arbiter", "judge"]
"""A judge ranks answers, or picks the best, and writes no synthesis."""


@dataclass(frozen=True)
class Heard:
    """What an earlier answer said, and how sure it was; `confidence` is None where it did not say."""

    answer: str
    confidence: float | None


@dataclass(frozen=True)
class MemberTask:
    """What a member is asked: `talk` is the conversation without tags, its last message the question.

    `role`: the part that it shall keep to, if any. `own`: its latest answer to this question; None in the first round. `synthesis` and `areas` are the arbiter's.
    """

    talk: tuple[Message, ...]
    role: str
    own: Heard | None
    synthesis: str
    areas: tuple[str, ...]
    round: int

    @property
    def question(self) -> str:
        """The question itself."""
        return text_of(self.talk[-1])


@dataclass(frozen=True)
class Answer:
    """One member's answer as the arbiter sees it; `name` is how it may be called, such as “Member 2”."""

    id: str
    name: str
    answer: str
    confidence: float | None


@dataclass(frozen=True)
class ArbiterTask:
    """What an arbiter or a judge is asked: the question, the answers, and which round this is, from 1.

    `form` is the text that says in which tags the reply is wanted.
    """

    question: str
    answers: tuple[Answer, ...]
    round: int
    form: str


def part_asked(messages: Sequence[Message]) -> Part | None:
    """Return which part the last message asks for; None where it is an ordinary one."""
    text = text_of(messages[-1]) if messages and messages[-1].role == "user" else ""
    if opens(text, "arbiter_prompt") or opens(text, "rank_prompt") or opens(text, "ranking_prompt"):
        if "<synthesis_output" in text:
            return "arbiter"
        return "judge" if re.search(r"(<|&lt;)(ranking|response_id)\b", text, re.IGNORECASE) else "arbiter"
    if opens(text, "iteration_prompt") or (opens(text, "prompt") and inside(text, "instruction") is not None):
        return "member"
    return "judge" if opens(text, "model_responses") and "<ranking" in text else None


def read_member_task(messages: Sequence[Message]) -> MemberTask:
    """Return the task of a member; earlier questions stay in its talk with the last answer to each."""
    talk: list[Message] = []
    own: Heard | None = None
    said = 0
    for message in messages:
        if message.role == "user":
            asked = _question_in(text_of(message))
            if not (talk and talk[-1].role == "user" and text_of(talk[-1]) == asked):
                if own is not None:
                    talk.append(Message("assistant", own.answer))
                talk.append(Message("user", asked))
                own, said = None, 0
        elif message.role == "assistant":
            own, said = read_reply(text_of(message)), said + 1
    last = text_of(messages[-1])
    is_later = opens(last, "iteration_prompt")
    system = "\n".join(text_of(message) for message in messages if message.role == "system")
    synthesis, listed = _verdict(inside(last, "previous_synthesis") or "") if is_later else ("", ())
    areas = _areas(last) if is_later else ()
    number = max(said + 1, 2) if is_later else 1
    return MemberTask(
        tuple(talk),
        inside(system, "role") or "",
        own if is_later else None,
        synthesis,
        areas or listed,
        number,
    )


def read_arbiter_task(text: str) -> ArbiterTask:
    """Return the task of an arbiter or a judge."""
    held = next(iter(each_inside(text, "model_responses")), text)
    items = each_inside(held, "model_response") or each_inside(held, "response")
    answers = tuple(_answer(item, place) for place, item in enumerate(items, 1))
    history = next(iter(each_inside(text, "iteration_history")), "")
    form = re.split(r"(?i)</\s*(?:arbiter_prompt|rank\w*_prompt|model_responses)\s*>", text)[-1].replace(
        "&lt;", "<"
    )
    return ArbiterTask(inside(text, "original_prompt") or "", answers, _rounds(history) + 1, form)


def read_reply(text: str) -> Heard:
    """Return the answer and the confidence in a member's reply; without tags the whole text is the answer."""
    answer = inside(text, "updated_response") or inside(text, "answer")
    if answer is None:
        answer = re.sub(r"(?is)<(thought_process|thinking|confidence)\b.*?</\1\s*>", "", text).strip()
    return Heard(answer, _share(inside(text, "confidence")))


def _question_in(text: str) -> str:
    for tag in ("original_prompt", "instruction"):
        if (found := inside(text, tag)) is not None:
            # An original prompt may be a whole prompt, tags and all.
            return (inside(found, "instruction") or found)[:MOST_CHARACTERS]
    return text[:MOST_CHARACTERS]


def _areas(text: str) -> tuple[str, ...]:
    held = next(iter(each_inside(text, "refinement_areas")), "")
    items = [inside(f"<area>{item}</area>", "area") or "" for item in each_inside(held, "area")]
    lines = items or (inside(text, "refinement_areas") or "").splitlines()
    cleaned = [re.sub(r"^\s*(?:[-*•]|\d+[.)])\s+", "", line).strip() for line in lines]
    return tuple(line for line in cleaned if line)[:8]


class _Verdict(msgspec.Struct):
    synthesis: str = ""
    refinement_areas: list[str] = []


def _verdict(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the synthesis and the areas of an earlier verdict: JSON, or the bare text."""
    try:
        said = msgspec.json.decode(text, type=_Verdict)
    except msgspec.DecodeError:
        return inside(text, "synthesis") or text, ()
    return said.synthesis, tuple(said.refinement_areas)


def _answer(item: str, place: int) -> Answer:
    number = inside(item, "id") or str(place)
    said = inside(item, "response") or inside(f"<all>{item}</all>", "all") or ""
    heard = read_reply(said)
    given = _share(inside(item, "confidence"))
    return Answer(
        number, inside(item, "model") or "", heard.answer, heard.confidence if given is None else given
    )


def _rounds(history: str) -> int:
    numbers = [int(found) for found in re.findall(r"<(?:iteration_)?number>\s*(\d{1,2})", history)]
    numbers += [int(found) for found in re.findall(r"<iteration\b[^>]*?(\d{1,2})", history)]
    return max(numbers) if numbers else len(re.findall(r"<iteration\b|<previous_iteration\b", history))


def _share(text: str | None) -> float | None:
    match = re.search(r"(\d+(?:[.,]\d+)?)\s*(%|/\s*100?\b)?", text or "")
    if match is None:
        return None
    value = float(match[1].replace(",", "."))
    mark = (match[2] or "").replace(" ", "")
    value = value / 10 if mark == "/10" else value / 100 if mark or value >= 2 else value
    return value if 0 <= value <= 1 else None
