"""The rounds of one play of a consortium, and the messages that a member gets next."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import msgspec

from parley.kernel.inputs import ContinueInput
from parley.kernel.messages import Message, text_of
from parley.kernel.mode import Reply, Stage
from parley.kernel.seats import Seat
from parley.modes.consortium.brief import ConsortiumBrief
from parley.modes.consortium.notes import MemberAnswer, Ranking, Verdict
from parley.modes.consortium.prompts import ROLES, first_prompt, iteration_prompt, member_rules


@dataclass
class Round:
    """One round: the seats asked, their replies, answers, ranking and verdict."""

    number: int
    members: tuple[Seat, ...]
    replies: dict[str, Reply] = field(default_factory=dict[str, Reply])
    answers: dict[str, MemberAnswer] = field(default_factory=dict[str, MemberAnswer])
    ranking: Ranking | None = None
    ballots: tuple[Reply, ...] = ()
    judged: Reply | None = None
    verdict: Verdict | None = None

    def all_replies(self) -> Iterator[Reply]:
        """Yield every reply of the round."""
        yield from self.replies.values()
        yield from self.ballots
        if self.judged is not None:
            yield self.judged


def verdicts(rounds: Sequence[Round]) -> tuple[Verdict, ...]:
    """Return the verdicts so far, oldest first."""
    return tuple(past.verdict for past in rounds if past.verdict is not None)


def member_messages(
    stage: Stage, brief: ConsortiumBrief, seat: Seat, rounds: Sequence[Round]
) -> tuple[Message, ...]:
    """Return a member's next messages: rules, its own conversation, and this turn's rounds from its view."""
    rules = Message("system", member_rules(brief.system_prompt, _role(stage, brief, seat)))
    messages = list(stage.history(seat))
    verdict = _continued_verdict(stage)
    for past in rounds:
        reply = past.replies.get(seat.name)
        if reply is not None and reply.completed:
            messages += [Message("user", _question(stage, brief, verdict)), Message("assistant", reply.text)]
        verdict = past.verdict
    question = _question(stage, brief, verdict)
    if brief.manual_context and messages:
        return rules, Message("user", f"{_as_text(messages)}\n\n{question}")
    return (rules, *messages, Message("user", question))


def instances(members: Sequence[Seat]) -> dict[str, int]:
    """Return each seat's number among the seats of its model, from 1."""
    counts: dict[str, int] = {}
    numbers: dict[str, int] = {}
    for seat in members:
        numbers[seat.name] = counts[seat.model_id] = counts.get(seat.model_id, 0) + 1
    return numbers


def _continued_verdict(stage: Stage) -> Verdict | None:
    """Return the last turn's verdict if this turn continues it without a new question.

    If that turn ended before a verdict, the arbiter's last message answers an earlier question: then there is none.
    """
    messages = stage.history(stage.role("arbiter")[0])
    if not isinstance(stage.input, ContinueInput) or messages[-2:-1] != (Message("user", stage.prompt),):
        return None
    return Verdict(iteration=0, synthesis=text_of(messages[-1]))


def _question(stage: Stage, brief: ConsortiumBrief, verdict: Verdict | None) -> str:
    if verdict is None:
        return first_prompt(stage.prompt)
    return iteration_prompt(stage.prompt, brief.system_prompt, _unnamed(stage, brief, verdict))


def _unnamed(stage: Stage, brief: ConsortiumBrief, verdict: Verdict) -> Verdict:
    """Return a verdict without model names: the arbiter may have seen them, members do not."""
    models = {seat.name: seat.model_id for seat in stage.role("member")}
    numbers: dict[str, str] = {}
    for place, seat in enumerate(verdict.shown, 1):
        numbers.setdefault(models[seat].lower(), f"Member {place}")
    if not brief.reveal_names or not numbers:
        return verdict
    either = "|".join(re.escape(name) for name in sorted(numbers, key=len, reverse=True))
    named = re.compile(rf"(?<![\w-])(?:{either})(?![\w-])", re.IGNORECASE)

    def hidden(text: str) -> str:
        return named.sub(lambda match: numbers[match[0].lower()], text)

    return msgspec.structs.replace(
        verdict,
        analysis=hidden(verdict.analysis),
        dissent=hidden(verdict.dissent),
        refinement_areas=tuple(map(hidden, verdict.refinement_areas)),
    )


def _role(stage: Stage, brief: ConsortiumBrief, seat: Seat) -> str | None:
    if brief.strategy != "role":
        return None
    role = (brief.roles or {}).get(seat.name)
    return role or ROLES[stage.role("member").index(seat) % len(ROLES)]


def _as_text(messages: Sequence[Message]) -> str:
    speakers = {"user": "Human", "assistant": "Assistant", "system": "System"}
    return "\n".join(f"{speakers[message.role]}: {text_of(message)}" for message in messages)
