"""A trial: one question put to a team in one way, with what came out and what it took."""

import math
import random
import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import msgspec

from parley.modes.consortium.mode import Consortium
from parley.testing import CannedEngine, MemoryLog, make_script, open_engine
from prove.deliberation.people import OPTIONS, Company, Manners, Person, Question

PRICE_IN, PRICE_OUT = 1.0, 4.0
"""What a token costs, in any unit: output four times as much as input."""
_LETTER = re.compile(r"answer is ([A-D])\.")
ARBITER = "judge"


class Team(NamedTuple):
    """Members with the accuracy of each, how alike they fail, and the arbiter's accuracy."""

    name: str
    members: tuple[float, ...]
    correlation: float
    arbiter: float


class Outcome(NamedTuple):
    """The outcome of one question. Costs are in the unit above, times in seconds."""

    right: bool
    calls: int
    cost: float
    seconds: float
    rounds: int


def questions(count: int, seed: int) -> list[Question]:
    """Return questions with known answers."""
    chance = random.Random(seed)
    made: list[Question] = []
    for number in range(count):
        right, trap = chance.sample(OPTIONS, 2)
        made.append(Question(number, right, trap, chance.gauss(0, 1)))
    return made


def a_company(team: Team, manners: Manners) -> Company:
    """Return the simulated people of a team."""
    people = {
        f"m{place}": Person(f"m{place}", accuracy, team.correlation, manners)
        for place, accuracy in enumerate(team.members)
    }
    people[ARBITER] = Person(ARBITER, team.arbiter, team.correlation, manners)
    return Company(people, manners)


def alone(team: Team, company: Company, asked: Sequence[Question], seed: int) -> list[Outcome]:
    """Ask the most accurate member alone."""
    best = max(range(len(team.members)), key=lambda place: team.members[place])
    manners = company.manners
    outcomes: list[Outcome] = []
    for question in asked:
        company.begin(question, seed)
        person = company.people[f"m{best}"]
        outcomes.append(
            Outcome(person.belief == question.right, 1, _cost(manners, [100]), manners.seconds, 1)
        )
    return outcomes


def majority(team: Team, company: Company, asked: Sequence[Question], seed: int) -> list[Outcome]:
    """Ask every member once and take the majority's answer; in a tie the more confident one."""
    manners = company.manners
    outcomes: list[Outcome] = []
    for question in asked:
        company.begin(question, seed)
        members = [company.people[f"m{place}"] for place in range(len(team.members))]
        votes: dict[str, float] = dict.fromkeys(OPTIONS, 0.0)
        for person in members:
            votes[person.belief] += 1 + person.confidence / 100
        taken = [manners.seconds * math.exp(person.chance.gauss(0, manners.spread)) for person in members]
        right = max(votes, key=lambda option: votes[option]) == question.right
        outcomes.append(Outcome(right, len(members), _cost(manners, [100] * len(members)), max(taken), 1))
    return outcomes


async def deliberate(
    team: Team, company: Company, brief: Mapping[str, Any], asked: Sequence[Question], seed: int
) -> list[Outcome]:
    """Give every question to a consortium of the team: the mode itself, with its prompts and its parser."""
    seats = {"arbiter": ARBITER} | {"abcdefghij"[place]: f"m{place}" for place in range(len(team.members))}
    outcomes: list[Outcome] = []
    async with open_engine(company, MemoryLog()) as engine:
        for question in asked:
            company.begin(question, seed)
            outcomes.append(await _ask(engine, company, seats, brief, question))
            engine.log.transactions.clear()
            engine.log.scripts.clear()
    return outcomes


async def _ask(
    engine: CannedEngine,
    company: Company,
    seats: dict[str, str],
    brief: Mapping[str, Any],
    question: Question,
) -> Outcome:
    mode = Consortium()
    prompt = f"Question {question.number}: which of {', '.join(OPTIONS)} is right?"
    script = make_script(mode, seats, turn_id=f"t{question.number}", prompt=prompt, brief=dict(brief))
    live = engine.start(mode, script)
    await live.finished.wait()
    result = next(note.data for note in reversed(live.notes) if note.name == "consortium.result/1")
    fields: Any = msgspec.to_builtins(result)
    letter = _LETTER.search(fields["synthesis"]["synthesis"])
    manners = company.manners
    return Outcome(
        right=letter is not None and letter.group(1) == question.right,
        calls=len(company.calls),
        cost=_cost(manners, [given for _, _, given in company.calls]),
        seconds=_elapsed(company.calls),
        rounds=fields["metadata"]["iteration_count"],
    )


def _elapsed(calls: Sequence[tuple[str, float, int]]) -> float:
    """Return how long a turn takes: members answer at once, the arbiter after them."""
    total, waves = 0.0, groupby(calls, key=lambda call: call[0] == ARBITER)
    for _, wave in waves:
        together: dict[str, float] = {}
        for who, seconds, _ in wave:
            # Who is asked a second time in a wave (a council ranks) is asked after its first answer.
            together[who] = together.get(who, 0.0) + seconds
        total += max(together.values())
    return total


def _cost(manners: Manners, given: Sequence[int]) -> float:
    return sum(PRICE_IN * tokens + PRICE_OUT * manners.tokens for tokens in given)
