"""Simulated members and arbiters: models of known accuracy, correlation and behaviour.

Who answers right follows a one-factor Gaussian copula: z = √ρ·Z + √(1 − ρ)·e, right where Φ(z) < p. Z belongs to
the question, so with a high ρ members fail at the same questions, and then they tend to the same wrong option.
"""

import math
import random
import re
from collections.abc import AsyncIterator, Callable
from statistics import NormalDist
from typing import NamedTuple, TypeAlias

from parley.kernel.connector import ChatRequest, Chunk, Delta, Finish, Usage
from parley.testing import CannedConnector

OPTIONS = "ABCD"
ARBITER = "judge"
IN_TEAM = "<team_discussion>"
_NORMAL = NormalDist()
_LETTER = re.compile(r"answer is ([A-D])\.")
_RESPONSE = re.compile(
    r"<model_response>\s*<id>(\d+)</id>.*?<confidence>([^<]*)</confidence>(?:\s*<mean_rank>([^<]*)</mean_rank>)?"
    r"\s*<response>(.*?)</response>",
    re.DOTALL,
)


class Manners(NamedTuple):
    """How people of this kind behave. All of these are assumptions, written into the report."""

    persuaded_right: float = 0.65
    """How often a wrong member adopts a right synthesis."""
    persuaded_wrong: float = 0.35
    """How often a right member adopts a wrong synthesis."""
    anew: float = 0.3
    """How often a member reworks a question in a later round, instead of only weighing the synthesis."""
    surer: float = 0.4
    """The share of the remaining doubt that a member loses when the synthesis confirms its answer."""
    advocate: float = 0.25
    """How often a devil's advocate argues for its second choice in the first round."""
    seconds: float = 8.0
    """The median time of one reply; its logarithm varies by `spread`."""
    spread: float = 0.35
    tokens: int = 500
    """How long a reply is, in tokens, whatever the simulated text is."""


class Question(NamedTuple):
    """A question with a known answer; `factor` is how hard it is for everybody, `trap` the tempting wrong option."""

    number: int
    right: str
    trap: str
    factor: float


class Person:
    """One model: what it believes of a question, and how it replies."""

    def __init__(self, name: str, accuracy: float, correlation: float, manners: Manners) -> None:
        self.name = name
        self.accuracy = accuracy
        self._correlation = correlation
        self._manners = manners
        self.belief = ""
        self.confidence = 0.0
        self.chance = random.Random(0)

    def meet(self, question: Question, seed: int) -> None:
        """Form an opinion of a new question."""
        self.chance = random.Random(f"{seed} {question.number} {self.name}")
        self.work(question)

    def work(self, question: Question) -> None:
        """Work a question: another try is another draw, but what is hard for everybody stays so."""
        rho = self._correlation
        z = math.sqrt(rho) * question.factor + math.sqrt(1 - rho) * self.chance.gauss(0, 1)
        if _NORMAL.cdf(z) < self.accuracy:
            self.belief = question.right
        else:
            wrong = [option for option in OPTIONS if option != question.right]
            self.belief = question.trap if self.chance.random() < rho else self.chance.choice(wrong)
        right = self.belief == question.right
        self.confidence = self.chance.betavariate(6, 2) if right else self.chance.betavariate(4.5, 3)

    def hear(self, synthesis: str, question: Question, *, share: float = 1.0) -> None:
        """Think again after a synthesis, or after what this share of the colleagues hold."""
        manners = self._manners
        if self.chance.random() < manners.anew:
            self.work(question)
        if synthesis == self.belief:
            self.confidence += share * manners.surer * (1 - self.confidence)
            return
        persuasive = manners.persuaded_right if synthesis == question.right else manners.persuaded_wrong
        if self.chance.random() < share * persuasive:
            self.belief = synthesis
            self.confidence = 0.5 * (self.confidence + 0.6)

    def argue(self, second: str) -> str:
        """Return the option that a devil's advocate argues for."""
        return second if self.chance.random() < self._manners.advocate else self.belief


class Seen(NamedTuple):
    """One answer as the arbiter sees it."""

    place: int
    letter: str
    confidence: float
    mean_rank: float | None


def weigh(person: Person, seen: list[Seen]) -> dict[str, float]:
    """Return how likely each option is to a judge: its own opinion beside the answers, as if all were independent."""
    scores = dict.fromkeys(OPTIONS, 0.0)
    scores[person.belief] += _weight(person.accuracy)
    for answer in seen:
        ranked = 0.0 if answer.mean_rank is None else 0.3 * (len(seen) / 2 - answer.mean_rank)
        scores[answer.letter] += _weight(0.3 + 0.5 * answer.confidence) + ranked
    total = sum(math.exp(score) for score in scores.values())
    return {option: math.exp(score) / total for option, score in scores.items()}


def _weight(chance: float) -> float:
    """The log-likelihood ratio of an answer by somebody who is right with this chance, among four options."""
    chance = min(max(chance, 0.05), 0.95)
    return math.log(chance * (len(OPTIONS) - 1) / (1 - chance))


InTeam: TypeAlias = Callable[[Person, Question, str, str], str]
"""What somebody says in a team, whose rules and prompt are given."""


class Call(NamedTuple):
    """Who was asked, how long it took, and how many tokens it was given. Calls of one wave are made at once."""

    who: str
    seconds: float
    given: int
    wave: str


class Company(CannedConnector):
    """Answers for all simulated people, in the formats of consortia and teams; counts calls, time and tokens."""

    def __init__(self, people: dict[str, Person], manners: Manners, said: InTeam) -> None:
        super().__init__()
        self._said = said
        self.people = people
        self.manners = manners
        self.question = Question(0, "A", "B", 0.0)
        self.calls: list[Call] = []

    def begin(self, question: Question, seed: int) -> None:
        """Give everybody a new question."""
        self.question = question
        self.calls = []
        for person in self.people.values():
            person.meet(question, seed)

    async def stream(self, request: ChatRequest) -> AsyncIterator[Chunk]:
        """Answer as the person whose model is asked."""
        person = self.people[request.model]
        text = str(request.messages[-1].content)
        given = sum(len(str(message.content)) for message in request.messages) // 4
        seconds = self.manners.seconds * math.exp(person.chance.gauss(0, self.manners.spread))
        # The simulated texts are short: what was said before counts with the length that it stands for.
        earlier = ("<model_response>", "<previous_synthesis>", "<statement>")
        given += self.manners.tokens * sum(text.count(mark) for mark in earlier)
        # Members of a team who speak at once are told the same.
        wave = text if IN_TEAM in text else str(request.model == ARBITER)
        self.calls.append(Call(request.model, seconds, given, wave))
        yield Delta("text", self._reply(person, request, text))
        yield Usage(given, self.manners.tokens)
        yield Finish("stop")

    def _reply(self, person: Person, request: ChatRequest, text: str) -> str:
        rules = str(request.messages[0].content)
        if IN_TEAM in text:
            return self._said(person, self.question, rules, text)
        if "<rank_prompt>" in text:
            return _ranking(_by_own_belief(person, seen_in(text)))
        if "<arbiter_prompt>" in text:
            return self._judgement(person, text)
        if "<previous_synthesis>" in text and (letter := _LETTER.search(text)):
            person.hear(letter.group(1), self.question)
        letter = person.argue(self.question.trap) if "advocate" in rules else person.belief
        return (
            f"<thought_process>Considered.</thought_process>\n<answer>The answer is {letter}.</answer>\n"
            f"<confidence>{person.confidence:.2f}</confidence>"
        )

    def _judgement(self, person: Person, text: str) -> str:
        seen = seen_in(text)
        scores = weigh(person, seen)
        order = sorted(seen, key=lambda answer: -scores[answer.letter])
        pick = max(scores, key=lambda option: scores[option])
        if "<synthesis>" not in text.rpartition("</arbiter_prompt>")[2]:
            sure = scores[order[0].letter]
            return f"<analysis>Weighed.</analysis>\n{_ranking(order)}\n<confidence>{sure:.2f}</confidence>"
        sure = scores[pick]
        more = str(sure < 0.8).lower()
        return (
            "<synthesis_output><analysis>Weighed.</analysis><dissent></dissent>"
            f"<synthesis>The answer is {pick}.</synthesis><confidence>{sure:.2f}</confidence>"
            f"<refinement_areas><area>Why not {pick}?</area></refinement_areas>"
            f"<needs_iteration>{more}</needs_iteration>{_ranking(order)}</synthesis_output>"
        )


def seen_in(text: str) -> list[Seen]:
    """Return the answers that a prompt to a judge shows."""
    found: list[Seen] = []
    for place, confidence, rank, response in _RESPONSE.findall(text):
        letter = _LETTER.search(response)
        if letter:
            mean_rank = float(rank) if rank else None
            found.append(Seen(int(place), letter.group(1), float(confidence or 0.5), mean_rank))
    return found


def _by_own_belief(person: Person, seen: list[Seen]) -> list[Seen]:
    shuffled = person.chance.sample(seen, len(seen))
    return sorted(shuffled, key=lambda answer: answer.letter != person.belief)


def _ranking(order: list[Seen]) -> str:
    ranks = "".join(
        f'<rank position="{position}">{answer.place}</rank>' for position, answer in enumerate(order, 1)
    )
    return f"<ranking>{ranks}</ranking>"
