"""A trial: one question put to models in one way, with what came out and what it took."""

import math
import random
import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import msgspec

from parley.kernel.mode import Mode
from parley.modes.consortium.mode import Consortium
from parley.modes.team.mode import Team as TeamMode
from parley.testing import CannedEngine, MemoryLog, make_script, open_engine
from prove.deliberation.people import ARBITER, OPTIONS, Call, Company, Manners, Person, Question
from prove.deliberation.statements import reply_in_team

PRICE_IN, PRICE_OUT = 1.0, 4.0
"""What a token costs, in any unit: output four times as much as input."""
_LETTER = re.compile(r"answer is ([A-D])\.")


class Way(NamedTuple):
    """How a team is asked: a mode with its settings."""

    mode: Mode[Any]
    brief: Mapping[str, Any]


def a_consortium(**brief: Any) -> Way:
    """Return a consortium with these settings."""
    return Way(Consortium(), brief)


def a_team(strategy: str, **brief: Any) -> Way:
    """Return a team with a strategy and further settings."""
    return Way(TeamMode(), {"strategy": strategy, **brief})


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
    return Company(people, manners, reply_in_team)


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
    team: Team, company: Company, way: Way, asked: Sequence[Question], seed: int
) -> list[Outcome]:
    """Give every question to the mode itself, with its prompts and its parser."""
    outcomes: list[Outcome] = []
    async with open_engine(company, MemoryLog()) as engine:
        for question in asked:
            company.begin(question, seed)
            outcomes.append(await _ask(engine, company, way, len(team.members), question))
            engine.log.transactions.clear()
            engine.log.scripts.clear()
    return outcomes


async def _ask(engine: CannedEngine, company: Company, way: Way, members: int, question: Question) -> Outcome:
    mode, brief = way.mode, dict(way.brief)
    seats = {"abcdefghij"[place]: f"m{place}" for place in range(members)}
    if mode.name == "consortium":
        seats = {"arbiter": ARBITER} | seats
    else:
        # The arbiter of the consortium leads: it takes no side, and writes the synthesis.
        roles = dict.fromkeys(seats, "Expert") | {"a": "Proposer"}
        roles["z"] = "Judge" if brief["strategy"] == "trial" else "Moderator"
        seats |= {"z": ARBITER}
        brief["members"] = {seat: {"role": role} for seat, role in roles.items()}
    prompt = f"Question {question.number}: which of {', '.join(OPTIONS)} is right?"
    script = make_script(mode, seats, turn_id=f"t{question.number}", prompt=prompt, brief=brief)
    live = engine.start(mode, script)
    await live.finished.wait()
    last: dict[str, Any] = {note.name: msgspec.to_builtins(note.data) for note in live.notes}
    if mode.name == "consortium":
        result = last["consortium.result/1"]
        text, rounds = result["synthesis"]["synthesis"], result["metadata"]["iteration_count"]
    else:
        text = " ".join(point["text"] for point in last["team.synthesis/1"]["recommendation"])
        rounds = last["team.round/1"]["done"]
    letter = _LETTER.search(text)
    return Outcome(
        right=letter is not None and letter[1] == question.right,
        calls=len(company.calls),
        cost=_cost(company.manners, [call.given for call in company.calls]),
        seconds=_elapsed(company.calls),
        rounds=rounds,
    )


def _elapsed(calls: Sequence[Call]) -> float:
    """Return how long a turn takes: the calls of a wave are made at once, waves one after another."""
    total = 0.0
    for _, wave in groupby(calls, key=lambda call: call.wave):
        together: dict[str, float] = {}
        for call in wave:
            # Who is asked a second time in a wave (a council ranks) is asked after its first answer.
            together[call.who] = together.get(call.who, 0.0) + call.seconds
        total += max(together.values())
    return total


def _cost(manners: Manners, given: Sequence[int]) -> float:
    return sum(PRICE_IN * tokens + PRICE_OUT * manners.tokens for tokens in given)
