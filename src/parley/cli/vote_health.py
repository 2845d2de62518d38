"""Prints the health of the votes for `parley standings health`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from parley.cli.terminal import print_table, say

if TYPE_CHECKING:
    from parley.features.standings.health_schemas import ExclusionEffect, VoteHealth, VoterLine, VoterPage

MOVES_SHOWN = 3


def print_health(health: "VoteHealth", page: "VoterPage") -> None:
    """Print figures of the overall table, then a page of its voters."""
    for text in _figures(health):
        say(text)
    if page.voters:
        headings = ("Voter", ">Votes", ">Prompts", ">Duplicates", ">Fast", ">Evidence", "State")
        print_table(headings, [_row(voter) for voter in page.voters], width=110)
        say(f"{len(page.voters):,} of {page.total:,} voters. Evidence: above 100 to 1 a voter is flagged.")


def _figures(health: "VoteHealth") -> Iterator[str]:
    unknown = f", {health.unknown:,} of them without a known voter" if health.unknown else ""
    yield f"{health.votes:,} votes count{unknown}. {health.duplicates:,} duplicates do not."
    yield (
        f"{health.voters:,} voters, who tell as much as {health.effective_voters:,} with equally many votes. "
        f"The most active one cast {health.top_share:.0%}."
    )
    speed = health.speed
    if speed.p50 is None:
        yield "No vote says how long the complete answers were visible."
    else:
        yield (
            f"Time to vote: {speed.p50 / 1000:.1f} s (median of timed votes). {speed.fast:,} of {speed.timed:,} "
            f"timed votes came within {speed.fast_ms / 1000:g} s."
        )
    yield f"The left side won {health.left_wins:,} and the right side {health.right_wins:,} votes."
    if (top := health.top) is not None:
        without = (
            f"{top.changing:,} alone put another model first" if top.changing else "none changes who is first"
        )
        yield (
            f"{top.top} leads {top.second} by {top.lead:.1f} points. Of {top.tried:,} voters left out one at a time, "
            f"{without}."
        )
    for effect in health.exclusions:
        yield _effect(effect)


def _effect(effect: "ExclusionEffect") -> str:
    state = "excluded" if effect.excluded else "flagged"
    moves = "; ".join(
        f"{move.model} {move.rating_with:.0f} → {move.rating_without:.0f}"
        for move in effect.moves[:MOVES_SHOWN]
        if move.rating_with is not None and move.rating_without is not None
    )
    return f"Without {effect.voter_id} ({state}, {effect.votes:,} votes): {moves or 'nothing moves'}."


def _row(voter: "VoterLine") -> list[str]:
    flag = voter.flag
    state = "counted" if flag is None else "flagged" if flag.excluded_at is None else "excluded"
    fast = f"{voter.fast / voter.timed:.0%}" if voter.timed else "–"
    evidence = "–" if voter.evidence is None else f"{10 ** min(voter.evidence, 300.0):.3g}"
    numbers = (voter.votes + voter.excluded, voter.prompts, voter.duplicates)
    return [voter.voter_id, *(f"{number:,}" for number in numbers), fast, evidence, state]
