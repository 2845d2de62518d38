"""Choosing: one pure function from a question to the model, or the mode, that answers it."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec

from parley.features.auto.kinds import NEEDS_TOOLS, Guess, Kind, PresetKind, kind_of

Rest: TypeAlias = Literal["best", "battle"]

USUAL_OUTPUT = 500
POINTS_PER_UNIT = 400.0
"""A lead of so many points counts as much as a tenfold price, where both sliders are equal."""
UNRATED = 1000.0
UNRATED_HALF = 300.0
TIE = 0.02
EXPLORED = 0.05
UNSURE = 0.75
"""Below this confidence of the rules a small model is asked for the kind."""
BY_MODEL = 0.85
"""The confidence in what a small model says."""


class AutoQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A question: its text, its tokens with the conversation so far, and what comes with it.

    Models without tools read the `table_tokens` too. `tools`: it can only be sent to a model that calls tools.
    `by_model` is its kind as a small model has it, null if none was needed.
    """

    text: str
    tokens: int = 0
    table_tokens: int = 0
    picture: bool = False
    fresh_table: bool = False
    json: bool = False
    tools: bool = False
    by_model: Kind | None = None


class AutoContext(msgspec.Struct, frozen=True, kw_only=True):
    """The place of a question: tables and other tools of the session, and what was chosen before it there.

    `columns` and `tools` are words to recognise by. `budget_micros` is what is left; null without a limit.
    """

    tables: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    last_model: str | None = None
    last_kind: Kind | None = None
    private_only: bool = False
    budget_micros: int | None = None


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A model: what it can do, its prices in US dollars per million tokens, and the usual wait for its first token.

    A preset has the prices of all its calls, and `kinds`: those that its person lets it be chosen for.
    """

    id: str
    name: str
    capabilities: frozenset[str]
    context_window: int | None = None
    price_in: float = 0.0
    price_out: float = 0.0
    wait_ms: int | None = None
    local: bool = False
    down: bool = False
    kinds: tuple[PresetKind, ...] | None = None


class Rating(msgspec.Struct, frozen=True):
    """A rating in points, half of its 95% interval, and what a person's own choices add to it."""

    points: float = UNRATED
    half: float = UNRATED_HALF
    learned: float = 0.0


class AutoPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """The weights of quality, price and wait, from 0 to 1, and the place of questions that need no tools.

    `local_only`: no question leaves this computer. `presets`: those that may be chosen beside models, by their id, each
    for some kinds.
    """

    rest: Rest = "best"
    quality: float = 0.7
    price: float = 0.2
    wait: float = 0.1
    local_only: bool = False
    presets: dict[str, tuple[PresetKind, ...]] = {}


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """A model or preset that could answer. `worth` is what the sliders make of the other figures.

    `learned` are the points that the person's own choices add to the rating for this question.
    """

    model: str
    rating: float
    half: float
    cost_micros: int
    wait_ms: int | None
    worth: float
    learned: float = 0.0


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """Who answers, and why. `target` is the id of a model, or of a preset as a model; null for a blind battle or none.

    `rejected` says of each other model what it lacks. `probability` is that of this choice among the tied ones.
    """

    target: str | None
    mode: Literal["chat", "battle"]
    kind: Kind
    confidence: float
    because: tuple[str, ...]
    rejected: dict[str, str]
    options: tuple[Option, ...]
    can: int
    probability: float = 1.0
    explored: bool = False


NO_RATING = Rating()


def choose(
    question: AutoQuestion,
    context: AutoContext,
    cards: Sequence[Candidate],
    ratings: Mapping[str, Rating],
    policy: AutoPolicy,
) -> Decision:
    """Return who answers a question. `ratings` are those of its kind's category, by model."""
    guess = guess_of(question, context)
    needed = _needed(question, guess.kind)
    rejected: dict[str, str] = {}
    able: list[Candidate] = []
    for card in cards:
        if why := _lacks(card, guess.kind, needed, question, context):
            rejected[card.id] = why
        else:
            able.append(card)
    noun = "models and presets" if any(card.kinds is not None for card in cards) else "models"
    because = [f"{_NEEDS[guess.kind]}: {guess.why}", f"{len(able)} of {len(cards)} {noun} can"]
    if guess.kind not in NEEDS_TOOLS and policy.rest == "battle" and len(able) > 1 and not context.last_model:
        because.append("questions without tools go to a blind battle")
        return Decision(
            target=None, mode="battle", kind=guess.kind, confidence=guess.confidence, because=tuple(because),
            rejected=rejected, options=(), can=len(able),
        )  # fmt: skip
    options = sorted(
        (_option(card, question, ratings.get(card.id, NO_RATING), policy) for card in able),
        key=lambda option: (-option.worth, option.model),
    )
    target, probability, explored = _pick(options, question, context)
    if target is not None and target == context.last_model:
        because.append("it answered before in this conversation")
    elif learned := next((option.learned for option in options if option.model == target), 0.0):
        because.append(f"your earlier choices count as {learned:+.0f} points")
    return Decision(
        target=target,
        mode="chat",
        kind=guess.kind,
        confidence=round(guess.confidence, 2),
        because=tuple(because),
        rejected=rejected,
        options=tuple(options[:5]),
        can=len(able),
        probability=probability,
        explored=explored,
    )


def guess_of(question: AutoQuestion, context: AutoContext) -> Guess:
    """Return the kind of a question in its place: as a small model told it, else by the rules."""
    if question.by_model is not None:
        return Guess(question.by_model, BY_MODEL, "a small model says so")
    return kind_of(
        question.text,
        picture=question.picture,
        fresh_table=question.fresh_table,
        columns=context.columns,
        tools=context.tools,
        last=context.last_kind,
    )


def why_none(decision: Decision) -> str:
    """Return why no model can answer, for a person."""
    reasons = "; ".join(sorted(set(decision.rejected.values()))) or "add a model first"
    return f"Nothing was sent. {reasons.capitalize()}."


_NEEDS: dict[Kind, str] = {
    "tools": "needs tools",
    "data": "needs tools for data",
    "picture": "needs to see",
    "code": "code",
    "maths": "maths",
    "writing": "writing",
    "chat": "conversation",
}


def _needed(question: AutoQuestion, kind: Kind) -> tuple[str, ...]:
    return (
        *(("tools",) if question.tools or kind in NEEDS_TOOLS else ()),
        *(("vision",) if question.picture else ()),
        *(("json",) if question.json else ()),
    )


TOO_DEAR = "it costs more than is left"
_LACKS = {"tools": "can’t call tools", "vision": "can’t read pictures", "json": "can’t follow a JSON schema"}


NOT_FOR_KIND = "it is not for such questions"


def _lacks(
    card: Candidate, kind: Kind, needed: tuple[str, ...], question: AutoQuestion, context: AutoContext
) -> str | None:
    """Return why a model can't answer; None if it can."""
    if card.kinds is not None and kind not in card.kinds:
        return NOT_FOR_KIND
    for capability in needed:
        if capability not in card.capabilities:
            return _LACKS[capability]
    tokens = question.tokens + (0 if "tools" in card.capabilities else question.table_tokens)
    if card.context_window is not None and tokens + USUAL_OUTPUT > card.context_window:
        return "its context is too short"
    if card.down:
        return "it is down"
    if context.private_only and not card.local:
        return "it is not local"
    if context.budget_micros is not None and _cost(card, tokens) > context.budget_micros:
        return TOO_DEAR
    return None


def _cost(card: Candidate, tokens: int) -> int:
    return int(tokens * card.price_in + USUAL_OUTPUT * card.price_out + 0.5)


def _option(card: Candidate, question: AutoQuestion, rating: Rating, policy: AutoPolicy) -> Option:
    cost = _cost(card, question.tokens)
    # A rating counts with its lower bound: a model of which little is known has to earn its place.
    points = (rating.points + rating.learned - rating.half / 2 - UNRATED) / POINTS_PER_UNIT
    dear = min(cost / 10_000, 10.0) ** 0.5 if cost else 0.0
    slow = min((card.wait_ms or 1_000) / 10_000, 3.0)
    worth = policy.quality * points - policy.price * dear - policy.wait * slow
    return Option(
        model=card.id,
        rating=rating.points,
        half=rating.half,
        learned=round(rating.learned, 1),
        cost_micros=cost,
        wait_ms=card.wait_ms,
        worth=round(worth, 4),
    )


def _pick(
    options: Sequence[Option], question: AutoQuestion, context: AutoContext
) -> tuple[str | None, float, bool]:
    """Return the model, the probability of this choice, and whether it explores a tie.

    The model before it in the conversation stays while it can answer.
    """
    if not options:
        return None, 1.0, False
    if context.last_model in {option.model for option in options}:
        return context.last_model, 1.0, False
    tied = [option for option in options if options[0].worth - option.worth <= TIE]
    if len(tied) == 1:
        return options[0].model, 1.0, False
    draw = (
        int.from_bytes(hashlib.sha256(question.text.encode("utf-8", "replace")).digest()[:8], "big") / 2**64
    )
    if draw >= EXPLORED:
        return tied[0].model, 1 - EXPLORED, False
    others = tied[1:]
    other = others[int(draw / EXPLORED * len(others))]
    return other.model, EXPLORED / len(others), True
