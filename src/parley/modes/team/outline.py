"""How many calls a team makes, known before it runs."""

from collections import Counter

from parley.kernel.outline import Calls, Outline
from parley.modes.team.brief import TeamBrief
from parley.modes.team.roster import Roster
from parley.modes.team.strategies import MOST_CHOSEN, STRATEGIES

RULES_CHARACTERS = 1_500
"""About how long the rules and the task of a call are."""


def outline(brief: TeamBrief, team: Roster) -> Outline:
    """Return the calls of one turn: all rounds and the synthesis, or one round where the team pauses.

    A moderator chooses one to three speakers for each round. Who they are is not known before, so they are taken in
    turn.
    """
    strategy = STRATEGIES[brief.strategy]
    rounds = 1 if brief.pause == "each_round" else brief.rounds
    speakers = [seat.name for seat in team.speakers]
    calls: Counter[tuple[str, str]] = Counter()
    hears: Counter[tuple[str, str]] = Counter()
    said = 0
    for number in range(rounds):
        for move in strategy.moves:
            if move.opening and number:
                continue
            start = number * MOST_CHOSEN
            chosen = {speakers[at % len(speakers)] for at in range(start, start + MOST_CHOSEN)}
            seats = team.seats_for(move, sorted(chosen))
            heard = min(said, len(team.seats)) if strategy.hears == "last" else said
            for place, seat in enumerate(seats):
                calls[seat.name, move.task] += 1
                hears[seat.name, move.task] += heard + (place if move.in_turn else 0)
            said += 0 if move.task == "choose" else len(seats)
    chosen_tasks = {move.task for move in strategy.moves if move.who == "chosen"}
    least = {name: len(range(place, rounds, len(speakers))) for place, name in enumerate(speakers)}
    found = [
        Calls(
            seat=seat,
            purpose=task,
            least=min(least[seat], count) if task in chosen_tasks else count,
            most=count,
            hears_least=0 if task in chosen_tasks else hears[seat, task],
            hears_most=hears[seat, task],
        )
        for (seat, task), count in calls.items()
    ]
    rules = len(brief.instructions or "") + max(map(len, team.instructions.values())) + RULES_CHARACTERS
    return Outline((*found, _synthesis(team, said, certain=rounds >= brief.rounds)), rules)


def _synthesis(team: Roster, said: int, *, certain: bool) -> Calls:
    return Calls(
        seat=team.writer.name,
        purpose="synthesis",
        least=int(certain),
        hears_least=said if certain else 0,
        hears_most=said,
    )
