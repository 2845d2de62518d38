"""The number of a team's calls, known before it runs."""

from collections import Counter

from parley.kernel.outline import Calls, Outline
from parley.modes.team.brief import TeamBrief
from parley.modes.team.roster import Roster
from parley.modes.team.strategies import MOST_CHOSEN, STRATEGIES

RULES_CHARACTERS = 1_500
"""About how long the rules and the task of a call are."""


Key = tuple[str, str]
"""A seat and its task."""


def outline(brief: TeamBrief, team: Roster) -> Outline:
    """Return the calls of one turn: at least one round if the team pauses, else all rounds and the synthesis.

    A paused team may be left to run to the end, so at most it is all of them too.
    """
    sure = 1 if brief.pause == "each_round" else brief.rounds
    calls, hears, statements = _calls(brief, team, brief.rounds, MOST_CHOSEN)
    least, hears_least, said_least = _calls(brief, team, sure, 1)
    lines = [
        Calls(
            seat=key[0],
            purpose=key[1],
            least=least[key],
            most=most,
            hears_least=min(hears_least[key], hears[key]),
            hears_most=hears[key],
        )
        for key, most in calls.items()
    ]
    certain = sure == brief.rounds
    synthesis = Calls(
        seat=team.writer.name,
        purpose="synthesis",
        least=int(certain),
        hears_least=said_least if certain else 0,
        hears_most=statements,
    )
    rules = len(brief.instructions or "") + max(map(len, team.instructions.values())) + RULES_CHARACTERS
    return Outline((*lines, synthesis), rules)


def _calls(
    brief: TeamBrief, team: Roster, rounds: int, speakers: int
) -> tuple[Counter[Key], Counter[Key], int]:
    """Return the calls of some rounds, how many statements they hear, and how many are made.

    A moderator chooses so many `speakers`; who they are is not known before, so they are taken in turn.
    """
    strategy = STRATEGIES[brief.strategy]
    names = [seat.name for seat in team.speakers]
    calls: Counter[Key] = Counter()
    hears: Counter[Key] = Counter()
    statements = 0
    for number in range(rounds):
        for move in strategy.moves:
            if move.opening and number:
                continue
            start = number * speakers
            chosen = sorted({names[at % len(names)] for at in range(start, start + speakers)})
            seats = team.seats_for(move, chosen)
            heard = min(statements, len(team.seats)) if strategy.hears == "last" else statements
            for place, seat in enumerate(seats):
                calls[seat.name, move.task] += 1
                hears[seat.name, move.task] += heard + (place if move.in_turn else 0)
            statements += 0 if move.task == "choose" else len(seats)
    return calls, hears, statements
