"""Weighing the answers of a round: what is shared, what differs, and how sure that makes an arbiter."""

from collections.abc import Sequence
from dataclasses import dataclass

from parley.connectors.demo.consortium.decisions import side_of
from parley.connectors.demo.consortium.phrases import PHRASES, Phrases
from parley.connectors.demo.consortium.prompt_reading import Answer
from parley.connectors.demo.consortium.sayings import Figure, Saying, compared, figure_of, split
from parley.connectors.demo.consortium.topic import Tongue

MOST_WORDS = 40
"""Up to so many words the longer wording of a statement is the better one: it holds the reason."""
UNSURE = 0.6
"""What counts as a member's confidence where it gave none."""


@dataclass(frozen=True)
class Statement:
    """Something that one or more members say: its best wording, and who says it."""

    text: str
    by: tuple[Answer, ...]
    leads: tuple[Answer, ...]
    place: float


@dataclass(frozen=True)
class Weighed:
    """A round on the scales. Statements come in the order of a synthesis: the lead, the shared, what one says.

    `ways`: leads that decide otherwise than the first statement. `figures`: numbers that differ from `figure`.
    `agreement` and `confidence` are 0 to 1.
    """

    answers: tuple[Answer, ...]
    statements: tuple[Statement, ...]
    ways: tuple[Statement, ...]
    figure: Figure | None
    figures: tuple[tuple[Answer, Figure], ...]
    block: str
    block_by: Answer | None
    other_blocks: tuple[Answer, ...]
    consensus: float | None
    agreement: float
    confidence: float

    @property
    def shared(self) -> tuple[Statement, ...]:
        """The statements of at least two members."""
        return tuple(one for one in self.statements if len(one.by) > 1)

    @property
    def alone(self) -> tuple[Statement, ...]:
        """The statements of one member."""
        return tuple(one for one in self.statements if len(one.by) == 1)

    @property
    def is_contested(self) -> bool:
        """True where members say things that cannot both stand."""
        return bool(self.ways or self.figures or self.other_blocks)


def weigh(answers: Sequence[Answer], tongue: Tongue) -> Weighed:
    """Return what the answers of a round weigh; with no answer there is nothing in it."""
    kept = [answer for answer in answers if answer.answer.strip()]
    parts = {answer.id: split(answer.answer) for answer in kept}
    both = compared({name: prose for name, (prose, _) in parts.items()})
    sayings = {name: tuple(said for said in some if not said.asks) for name, some in both.sayings.items()}
    statements = _statements(kept, sayings, tongue)
    figure, figures = _figures(kept)
    by_lead = _ordered(statements, kept)
    ways = _ways(by_lead, tongue)
    block, block_by, others = _blocks(kept, {name: held for name, (_, held) in parts.items()})
    agreement = _agreement(kept, sayings, by_lead, both.consensus or 0.0, bool(block) and not others)
    if figure is not None:
        agreement = 1.0 - len(figures) / len(kept)
    elif others:
        agreement *= 1.0 - len(others) / len(kept)
    given = [UNSURE if answer.confidence is None else answer.confidence for answer in kept]
    mean = sum(given) / len(given) if given else 0.0
    contested = bool(ways or figures or others)
    confidence = 0.45 * agreement + 0.55 * mean - (0.08 if contested else 0.0)
    left = tuple(one for one in by_lead if one not in ways)
    if figure is not None:
        left = _about_figure(left, figure)
    return Weighed(
        tuple(kept), left, ways, figure, figures, block, block_by, others, both.consensus, round(agreement, 3),
        round(min(max(confidence, 0.05), 0.98), 2),
    )  # fmt: skip


def _statements(
    answers: Sequence[Answer], sayings: dict[str, tuple[Saying, ...]], tongue: Tongue
) -> list[Statement]:
    """Return one statement for each group, with its fullest wording."""
    groups: dict[int, list[tuple[Answer, int, str]]] = {}
    for answer in answers:
        for place, said in enumerate(sayings.get(answer.id, ())):
            groups.setdefault(said.group, []).append((answer, place, said.text))
    found: list[Statement] = []
    for held in groups.values():
        for some in _apart(held, tongue):
            by = tuple({answer.id: answer for answer, _, _ in some}.values())
            best = max(some, key=lambda one: (min(len(one[2].split()), MOST_WORDS), _sureness(one[0])))
            leads = tuple(answer for answer, place, _ in some if place == 0)
            mean = sum(place for _, place, _ in some) / len(some)
            found.append(Statement(_without_opening(best[2], PHRASES[tongue]), by, leads, mean))
    return found


def _apart(held: list[tuple[Answer, int, str]], tongue: Tongue) -> list[list[tuple[Answer, int, str]]]:
    """Return a group in parts where its sentences decide for different sides."""
    parts: dict[str | None, list[tuple[Answer, int, str]]] = {}
    for one in held:
        parts.setdefault(side_of(one[2], tongue), []).append(one)
    return list(parts.values())


def _ordered(statements: list[Statement], answers: Sequence[Answer]) -> tuple[Statement, ...]:
    """Return the lead first: what most members, and the surest, begin with; then what is shared, then the rest."""
    if not statements:
        return ()
    first = max(
        statements,
        key=lambda one: (len(one.leads), len(one.by), sum(map(_sureness, one.leads)), -one.place),
    )
    rest = [one for one in statements if one is not first]
    order = {answer.id: -_sureness(answer) for answer in answers}
    rest.sort(key=lambda one: (-len(one.by), one.place, order[one.by[0].id]))
    return (first, *rest)


def _ways(statements: Sequence[Statement], tongue: Tongue) -> tuple[Statement, ...]:
    """Return the statements that decide otherwise than the first one that decides."""
    decided = [one for one in statements if side_of(one.text, tongue) is not None]
    return tuple(decided[1:])


def _figures(answers: Sequence[Answer]) -> tuple[Figure | None, tuple[tuple[Answer, Figure], ...]]:
    """Return the number that most members come to, an exact one before a rough one, and those that differ."""
    found = [(answer, figure) for answer in answers if (figure := figure_of(answer.answer)) is not None]
    if len(found) < 2 or len(found) * 2 < len(answers):
        return None, ()
    values = [figure.value for _, figure in found]
    _, best = max(found, key=lambda one: (values.count(one[1].value), not one[1].rough, _sureness(one[0])))
    exact = [figure for _, figure in found if not figure.rough and best.rough and best.rounds(figure)]
    best = exact[0] if exact else best
    return best, tuple((answer, figure) for answer, figure in found if figure.value != best.value)


def _about_figure(statements: tuple[Statement, ...], figure: Figure) -> tuple[Statement, ...]:
    """Return the statement that holds the number first; sentences with other results are left out."""
    holding = [one for one in statements if figure.shown in one.text]
    plain = [one for one in statements if one not in holding and figure_of(f"{one.text}") is None]
    return (*holding[:1], *(one for one in plain if len(one.by) > 1))


def _blocks(answers: Sequence[Answer], held: dict[str, str]) -> tuple[str, Answer | None, tuple[Answer, ...]]:
    """Return the piece that stays whole: the one that most members have, then that of the surest; who has another."""
    found = [(answer, held[answer.id]) for answer in answers if held[answer.id]]
    if not found:
        return "", None, ()
    same = [_squeezed(block) for _, block in found]
    by, block = max(found, key=lambda one: (same.count(_squeezed(one[1])), _sureness(one[0])))
    others = tuple(answer for answer, other in found if _squeezed(other) != _squeezed(block))
    return block, by, others


def _agreement(
    answers: Sequence[Answer],
    sayings: dict[str, tuple[Saying, ...]],
    statements: Sequence[Statement],
    consensus: float,
    one_block: bool,
) -> float:
    """Return the agreement: who begins with the same, which sentences are shared, how much answers are alike."""
    if len(answers) < 2:
        return 0.5 if answers else 0.0
    shared = {id(said) for said in _shared(sayings)}
    shares = [sum(id(said) in shared for said in some) / len(some) for some in sayings.values() if some]
    lead = len(statements[0].leads) / len(answers) if statements else 0.0
    if one_block:
        lead = max(lead, 0.9)
        shares = shares or [1.0]
    common = sum(shares) / len(shares) if shares else 0.0
    return 0.4 * lead + 0.3 * common + 0.3 * consensus


def _shared(sayings: dict[str, tuple[Saying, ...]]) -> list[Saying]:
    groups: dict[int, set[str]] = {}
    for name, some in sayings.items():
        for said in some:
            groups.setdefault(said.group, set()).add(name)
    return [said for some in sayings.values() for said in some if len(groups[said.group]) > 1]


def _without_opening(text: str, says: Phrases) -> str:
    """Return a sentence without a member's own opening, such as “For example:”."""
    opening = says.example.partition("{")[0].strip()
    return text.removeprefix(opening).strip() if opening and text.startswith(opening) else text


def _sureness(answer: Answer) -> float:
    return UNSURE if answer.confidence is None else answer.confidence


def _squeezed(text: str) -> str:
    return " ".join(text.split())
