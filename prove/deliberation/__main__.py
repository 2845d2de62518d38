"""`python -m prove.deliberation`: the table of what consortia and teams gain and take, into docs/reference."""

import argparse
import asyncio
import math
import sys
from pathlib import Path
from statistics import fmean, median
from typing import NamedTuple

from parley.modes.team.strategies import STRATEGIES
from prove.deliberation.people import Manners
from prove.deliberation.trial import (
    Outcome,
    Team,
    Way,
    a_company,
    a_consortium,
    a_team,
    alone,
    deliberate,
    majority,
    questions,
)

SEED = 20261121
DOCUMENT = Path(__file__).parents[2] / "docs/reference/deliberation.md"

MIXED, ALIKE = (0.8, 0.7, 0.6), (0.7, 0.7, 0.7, 0.7, 0.7)
TEAMS = tuple(
    Team(f"{name}, correlation {correlation:g}", members, correlation, 0.7)
    for name, members in (("0.8, 0.7, 0.6", MIXED), ("five of 0.7", ALIKE))
    for correlation in (0.0, 0.4, 0.8)
)
WAYS: dict[str, Way] = {
    "consortium, one round": a_consortium(max_iterations=1),
    "consortium (defaults)": a_consortium(),
    "voting": a_consortium(strategy="voting"),
    "elimination": a_consortium(strategy="elimination"),
    "role": a_consortium(strategy="role"),
    "council": a_consortium(strategy="council"),
    "rank": a_consortium(judging_method="rank"),
    **{f"team, {name}": a_team(name) for name in STRATEGIES},
}
THRESHOLDS = (0.6, 0.8, 0.95)
ROUNDS = (1, 2, 3, 5)


class Line(NamedTuple):
    """A row of a table: what was tried, and its figures."""

    way: str
    outcomes: list[Outcome]

    def cells(self, base: list[Outcome]) -> list[str]:
        """Return the row's cells, costs and times as multiples of `base`."""
        share = fmean(outcome.right for outcome in self.outcomes)
        gains = [mine.right - other.right for mine, other in zip(self.outcomes, base, strict=True)]
        error = 1.96 * math.sqrt(max(fmean([gain**2 for gain in gains]) - fmean(gains) ** 2, 0) / len(gains))
        cost = fmean(it.cost for it in self.outcomes) / fmean(it.cost for it in base)
        time = median(it.seconds for it in self.outcomes) / median(it.seconds for it in base)
        rounds = fmean(it.rounds for it in self.outcomes)
        return [
            self.way,
            f"{share:.1%}",
            f"{100 * fmean(gains):+.1f} ± {100 * error:.1f}",
            f"{fmean(it.calls for it in self.outcomes):.1f}",
            f"{rounds:.2f}",
            f"{cost:.1f}×",
            f"{time:.1f}×",
        ]


def main() -> None:
    """Run everything and write the document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=400)
    parser.add_argument("--print", action="store_true", help="print, and leave the document as it is")
    given = parser.parse_args()
    text = asyncio.run(report(given.questions))
    if given.print:
        sys.stdout.write(text)
    else:
        DOCUMENT.write_text(text, encoding="utf-8")


async def report(count: int) -> str:
    """Return the document."""
    parts = [INTRODUCTION.format(count=count, seed=SEED, **Manners()._asdict()).rstrip(), IN_TEAMS]
    for team in TEAMS:
        _say(team.name)
        parts.append(f"## Members {team.name}\n\n{_table(await _lines(team, count))}")
    _say("settings")
    parts.append(f"## When to stop\n\n{SETTINGS}\n\n{_table(await _settings(count))}")
    return "\n\n".join([*parts, ""])


async def _lines(team: Team, count: int) -> list[Line]:
    asked = questions(count, SEED)
    lines = [
        Line("best member alone", alone(team, a_company(team, Manners()), asked, SEED)),
        Line("majority vote", majority(team, a_company(team, Manners()), asked, SEED)),
    ]
    for name, way in WAYS.items():
        outcomes = await deliberate(team, a_company(team, Manners()), way, asked, SEED)
        lines.append(Line(name, outcomes))
    return lines


async def _settings(count: int) -> list[Line]:
    team = TEAMS[1]
    asked = questions(count, SEED)
    lines = [Line("best member alone", alone(team, a_company(team, Manners()), asked, SEED))]
    for threshold in THRESHOLDS:
        for most in ROUNDS:
            way = a_consortium(confidence_threshold=threshold, max_iterations=most)
            outcomes = await deliberate(team, a_company(team, Manners()), way, asked, SEED)
            lines.append(Line(f"threshold {threshold:g}, at most {most}", outcomes))
    return lines


def _table(lines: list[Line]) -> str:
    heads = ("way", "right", "against the best member, points", "calls", "rounds", "cost", "time")
    head, rule = f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"
    return "\n".join(
        [head, rule, *("| " + " | ".join(line.cells(lines[0].outcomes)) + " |" for line in lines)]
    )


def _say(text: str) -> None:
    sys.stderr.write(f"{text} …\n")


INTRODUCTION = """# When a combination pays

<!-- Written by “python -m prove.deliberation”. -->

The own code of consortia and teams (prompts, parsers, strategies, stopping rules) runs {count} questions with four
options in each line of each table, against simulated models of known accuracy; seed {seed}. It shows what the
procedures can gain with members of a given accuracy. It does not measure real models: what they gain depends on
behaviour that is assumed here. `parley deliberation run` measures
[your models on your questions](../guides/team.md#is-it-better-than-its-best-member).

**Assumptions.** Whether a member is right follows a one-factor model: with correlation ρ, members fail at the same
questions, and then tend towards the same wrong option. A right answer has a confidence of Beta(6, 2), a wrong one of
Beta(4.5, 3): models are nearly as confident when they are wrong. A wrong member adopts a right synthesis in
{persuaded_right:.0%} of rounds, a right member a wrong one in {persuaded_wrong:.0%}. In {anew:.0%} a member reworks the
question before it weighs the synthesis. The arbiter has its own opinion, right in 70 % of questions and correlated like
the members', and weighs it with the answers as if all were independent. A devil's advocate argues for its second choice
in {advocate:.0%} of first rounds. A reply has {tokens} tokens and takes {seconds:g} s in the median; output costs four
times as much as input. Costs and times are multiples of asking the best member alone. The interval of a difference is
its 95 % interval over the questions.
"""

IN_TEAMS = """\
**In a team** the arbiter of the consortium is the moderator, in a trial the judge: it takes no side, rules, chooses the
speakers of a panel, and writes the synthesis from each member's last statement and its own opinion. Two rounds. The
first member, in the first tables the best one, drafts, proposes and argues. Members say how sure they are. What most
colleagues hold persuades a member like a synthesis, in proportion to their share of the colleagues. Opponents of a
trial and of a red team argue for their second choice as a devil's advocate does. A moderator chooses two speakers at
random, first those who have not spoken, and ends the rounds when all have spoken and agree. What a team is for besides
(drafts, plans, objections) has no right answer and is not measured here."""

SETTINGS = """Members 0.8, 0.7, 0.6 with correlation 0.4, the default strategy. The arbiter asks for another round
if it is less than 80 % confident. The settings vary the threshold and the maximum number of rounds."""


if __name__ == "__main__":
    main()
