"""Replaying: past questions through `choose`, and what that would have cost and won. Pure."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from parley.features.auto.choosing import NO_RATING, AutoPolicy, Candidate, Decision, Rating
from parley.features.auto.repository import PastCall
from parley.features.auto.schemas import AutoReplay, Differing, Share
from parley.kernel.models import Prices

EXAMPLES = 10
QUESTION_CHARS = 160
DAYS = 30


class PastQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A past question with its calls, and who would have answered it."""

    turn_id: str
    session_id: str
    text: str
    calls: tuple[PastCall, ...]
    decision: Decision
    rated: Mapping[str, Rating]


def would_cost(calls: Sequence[PastCall], model: str, prices: Mapping[str, Prices | None]) -> int:
    """Return the price of the same tokens at another model; what its own calls were billed is exact."""
    total = 0
    for call in calls:
        price = prices.get(model)
        if call.model_id == model:
            total += call.cost_micros
        elif price is not None:
            total += price.cost_micros(call.input_tokens, call.output_tokens)
    return total


def summed_up(
    questions: Sequence[PastQuestion],
    policy: AutoPolicy,
    cards: Sequence[Candidate],
    prices: Mapping[str, Prices | None],
    overall: Mapping[str, Rating],
) -> AutoReplay:
    """Return what Auto would have done with past questions."""
    names = {card.id: card.name for card in cards}
    best = max(
        (card.id for card in cards if card.id in overall), key=lambda it: overall[it].points, default=None
    )
    billed = sum(_billed(each) for each in questions)
    would = sum(_would(each, prices) for each in questions)
    targets = [(each.rated, each.decision.target) for each in questions]
    chances = [_chance(rated, target, best) for rated, target in targets if target and best]
    win, low, high = (
        (sum(part) / len(chances) for part in zip(*chances, strict=True)) if chances else (None,) * 3
    )
    return AutoReplay(
        policy=policy,
        questions=len(questions),
        days=DAYS,
        kinds=_shares(Counter(each.decision.kind for each in questions)),
        models=_shares(Counter(_named(each.decision, names) for each in questions)),
        cost_micros=billed,
        would_cost_micros=would,
        best=names.get(best) if best else None,
        win_rate=win,
        win_low=low,
        win_high=high,
        better=None if low is None else low > 0.5,
        examples=list(_examples(questions, names, prices))[:EXAMPLES],
    )


def _billed(question: PastQuestion) -> int:
    return sum(call.cost_micros for call in question.calls)


def _would(question: PastQuestion, prices: Mapping[str, Prices | None]) -> int:
    target = question.decision.target
    return would_cost(question.calls, target, prices) if target else _billed(question)


def _examples(
    questions: Sequence[PastQuestion], names: Mapping[str, str], prices: Mapping[str, Prices | None]
) -> Iterator[Differing]:
    """Yield the questions that another model would have answered."""
    for each in questions:
        target = each.decision.target
        before = each.calls[-1].model_id if each.calls else None
        if target and before and target != before:
            yield Differing(
                turn_id=each.turn_id,
                session_id=each.session_id,
                question=each.text[:QUESTION_CHARS],
                kind=each.decision.kind,
                answered_by=names.get(before, before),
                chosen=names.get(target, target),
                cost_micros=_billed(each),
                would_cost_micros=_would(each, prices),
            )


def _named(decision: Decision, names: Mapping[str, str]) -> str:
    if decision.mode == "battle":
        return "Blind battle"
    return names.get(decision.target, decision.target) if decision.target else "No model can"


def _shares(counts: Mapping[str, int]) -> list[Share]:
    return [Share(name, number) for name, number in sorted(counts.items(), key=lambda it: (-it[1], it[0]))]


def _chance(rated: Mapping[str, Rating], model: str, other: str) -> tuple[float, float, float]:
    """Return the expected chance that a model beats another, and its bounds, by Elo's formula."""
    if model == other:
        return 0.5, 0.5, 0.5
    one, two = rated.get(model, NO_RATING), rated.get(other, NO_RATING)
    lead, half = one.points - two.points, (one.half**2 + two.half**2) ** 0.5
    return _expected(lead), _expected(lead - half), _expected(lead + half)


def _expected(lead: float) -> float:
    return 1 / (1 + 10 ** (-lead / 400))
