"""Rules of a vote: what of a match is judged by it, and why it may not be cast."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from parley.kernel.ballot import Ballot, TurnReplies, choosable, whole_of
from parley.kernel.errors import Conflict, Invalid
from parley.kernel.views import VoteView
from parley.workspace.arena.views import SeatShown, ballot_of, choices_of, sitting
from parley.workspace.voting.repository import StandingVote, VotedMatch, VotedReply, VotedTurn
from parley.workspace.voting.schemas import CastVote


class Scene(NamedTuple):
    """A match with all that was said in it and the votes on it that stand; turns and replies oldest first."""

    match: VotedMatch
    seats: Sequence[SeatShown]
    turns: Sequence[VotedTurn]
    replies: Sequence[VotedReply]
    standing: Sequence[StandingVote]

    def stands(self) -> list[TurnReplies]:
        """Return how each turn stands."""
        said = {
            turn.id: [(it.seat, it.status) for it in self.replies if it.turn_id == turn.id]
            for turn in self.turns
        }
        return [TurnReplies(turn.id, turn.status, whole_of(said[turn.id])) for turn in self.turns]


class Judged(NamedTuple):
    """What a vote judges: turns with their prompts and replies, and the seats between which is chosen.

    `earlier` is the vote on the same that stands until now.
    """

    ballot: Ballot
    turns: Sequence[VotedTurn]
    replies: Sequence[VotedReply]
    prompts: Sequence[str]
    between: Sequence[SeatShown]
    earlier: StandingVote | None

    @property
    def turn_id(self) -> str:
        """The turn that is judged, of a whole match its last one."""
        return self.turns[-1].id


def judge(scene: Scene, asked: CastVote) -> Judged:
    """Return what a vote judges. Raises Invalid, Conflict."""
    ballot = ballot_of(scene.match)
    if ballot is None:
        raise Conflict("There is nothing to vote on in this match.", code="no_ballot")
    place = _place(scene, ballot, asked.turn_id)
    index = scene.turns[place].index
    ballot = msgspec.structs.replace(ballot, choices=choices_of(ballot, scene.seats, index))
    if asked.vote not in ballot.choices:
        raise Invalid("vote", f"vote: must be one of {', '.join(ballot.choices)}.")
    _check_match(scene)
    turns = scene.turns[place : place + 1] if ballot.each_turn else scene.turns
    ids = {turn.id for turn in turns}
    possible = _check_choice(scene, ballot, ids, asked.vote)
    there = sitting(scene.seats, index) if ballot.each_turn else scene.seats
    on_ballot = [seat for seat in there if seat.name in ballot.choices] or there
    earlier = [vote for vote in scene.standing if not ballot.each_turn or vote.turn_id in ids]
    return Judged(
        ballot=ballot,
        turns=turns,
        replies=[reply for reply in scene.replies if reply.turn_id in ids],
        prompts=_prompts(turns) or _prompts(scene.turns[:place])[-1:],
        between=[seat for seat in on_ballot if seat.name in possible or seat.name not in ballot.choices],
        earlier=earlier[-1] if earlier else None,
    )


def _place(scene: Scene, ballot: Ballot, turn_id: str | None) -> int:
    """Return the index of the turn that is judged, of a whole match its last one."""
    last = len(scene.turns) - 1
    if turn_id is None:
        return last
    places = {turn.id: place for place, turn in enumerate(scene.turns)}
    if turn_id not in places:
        raise Invalid("turn_id", "turn_id: this match has no such turn.")
    if not ballot.each_turn and places[turn_id] != last:
        raise Invalid("turn_id", "turn_id: this match is judged as a whole.", "Leave it out.")
    return places[turn_id]


def _check_match(scene: Scene) -> None:
    if scene.match.status == "void":
        raise Conflict(
            "This battle is void, because one of its models could not answer. It cannot be voted on.",
            "Draw again: a new battle with the same question.",
            code="battle_void",
        )
    if scene.match.blind and scene.standing:
        raise Conflict(
            "You have voted on this battle already. The first vote stands.",
            code="already_voted",
            result=msgspec.convert(scene.standing[0].result, VoteView),
        )


def _check_choice(scene: Scene, ballot: Ballot, judged: set[str], choice: str) -> Sequence[str]:
    """Return what can be chosen, of which the choice is one. Raises Conflict."""
    seats = [seat.name for seat in scene.seats]
    turns = [turn for turn in scene.stands() if turn.turn_id in judged]
    possible = choosable(ballot.choices, ballot.needs, seats, turns)
    if not possible:
        both = "Both replies" if len(seats) == 2 else "The replies"
        raise Conflict(
            f"{both} must be complete before you can vote.",
            "Wait for the end, or ask again if the turn was stopped.",
            code="replies_not_complete",
        )
    if choice not in possible:
        raise Conflict(
            f"The reply of “{choice}” is not complete, so it cannot be chosen.",
            f"You can choose: {', '.join(possible)}.",
            code="replies_not_complete",
        )
    return possible


def _prompts(turns: Sequence[VotedTurn]) -> list[str]:
    """Return what the person asked; a turn that only goes on asks nothing."""
    return [str(turn.input["text"]) for turn in turns if "text" in turn.input]
