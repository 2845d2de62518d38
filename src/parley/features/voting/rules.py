"""Rules of a vote: what of a match is judged by it, and why it may not be cast."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from parley.features.arena.views import ballot_of, choices_of, seats_in_turn
from parley.features.voting.schemas import CastVote
from parley.kernel.ballot import Ballot, TurnReplies, choosable, completed_by_seat
from parley.kernel.errors import Conflict, Invalid
from parley.kernel.views import VoteView
from parley.storage.tables.conversations import MatchRow, ReplyRow, SeatRow, TurnRow
from parley.storage.tables.votes import WITHDRAWN


class MatchState(NamedTuple):
    """A match with all that was said in it and the votes on it that stand, oldest first.

    `voter_id` is the pseudonym of who votes.
    """

    match: MatchRow
    voter_id: str
    seats: Sequence[SeatRow]
    turns: Sequence[TurnRow]
    replies: Sequence[ReplyRow]
    standing: Sequence[VoteView]

    def turn_replies(self) -> list[TurnReplies]:
        """Return of each turn its status and whose replies are complete."""
        replies = {
            turn.id: [(it.seat, it.status) for it in self.replies if it.turn_id == turn.id]
            for turn in self.turns
        }
        return [TurnReplies(turn.id, turn.status, completed_by_seat(replies[turn.id])) for turn in self.turns]


class Judged(NamedTuple):
    """The subject of a vote: turns with their prompts and replies, and the seats to choose from.

    `earlier` is the vote on the same that stands until now.
    """

    ballot: Ballot
    turns: Sequence[TurnRow]
    replies: Sequence[ReplyRow]
    prompts: Sequence[str]
    between: Sequence[SeatRow]
    earlier: VoteView | None

    @property
    def turn_id(self) -> str:
        """The turn that is judged, the last one where the match is judged in all."""
        return self.turns[-1].id

    def attempts(self) -> dict[str, int]:
        """Return by seat the attempt of the judged reply; nothing where a whole match is judged."""
        if not self.ballot.each_turn:
            return {}
        attempts: dict[str, int] = {}
        for reply in self.replies:
            attempts[reply.seat] = max(reply.attempt, attempts.get(reply.seat, 0))
        return attempts


def judge(state: MatchState, request: CastVote) -> Judged:
    """Return what a vote judges. Raises Invalid, Conflict."""
    ballot = ballot_of(state.match)
    if ballot is None:
        raise Conflict("This match has no vote.", code="no_ballot")
    place = _place(state, ballot, request.turn_id)
    index = state.turns[place].index
    ballot = msgspec.structs.replace(ballot, choices=choices_of(ballot, state.seats, index))
    if request.vote not in ballot.choices:
        raise Invalid("vote", f"vote: must be one of {', '.join(ballot.choices)}.")
    _check_match(state)
    turns = state.turns[place : place + 1] if ballot.each_turn else state.turns
    ids = {turn.id for turn in turns}
    possible = _check_choice(state, ballot, ids, request.vote)
    there = seats_in_turn(state.seats, index) if ballot.each_turn else state.seats
    on_ballot = [seat for seat in there if seat.name in ballot.choices] or there
    earlier = [vote for vote in state.standing if not ballot.each_turn or vote.turn_id in ids]
    return Judged(
        ballot=ballot,
        turns=turns,
        replies=[reply for reply in state.replies if reply.turn_id in ids],
        prompts=_prompts(turns) or _prompts(state.turns[:place])[-1:],
        between=[seat for seat in on_ballot if seat.name in possible or seat.name not in ballot.choices],
        earlier=earlier[-1] if earlier else None,
    )


def _place(state: MatchState, ballot: Ballot, turn_id: str | None) -> int:
    """Return the index of the judged turn: the last one, unless each is judged by itself."""
    last = len(state.turns) - 1
    if turn_id is None:
        return last
    places = {turn.id: place for place, turn in enumerate(state.turns)}
    if turn_id not in places:
        raise Invalid("turn_id", "turn_id: this match has no such turn.")
    if not ballot.each_turn and places[turn_id] != last:
        raise Invalid("turn_id", "turn_id: this match is judged as a whole.", "Leave it out.")
    return places[turn_id]


def _check_match(state: MatchState) -> None:
    if state.match.status == "void":
        raise Conflict(
            "This battle is void because one of its models couldn't answer, so you can't vote on it.",
            "Start a new battle with the same question.",
            code="battle_void",
        )
    if state.match.blind and state.standing:
        if state.standing[0].not_counted_reason == WITHDRAWN:
            raise Conflict(
                "You withdrew your vote on this battle. You know its models now, so you can't vote on it again.",
                "Start a new battle.",
                code="already_voted",
                result=state.standing[0],
            )
        raise Conflict(
            "You have already voted on this battle. Your first vote stands.",
            code="already_voted",
            result=state.standing[0],
        )


def _check_choice(state: MatchState, ballot: Ballot, judged: set[str], choice: str) -> Sequence[str]:
    """Return what can be chosen, of which the choice is one. Raises Conflict."""
    seats = [seat.name for seat in state.seats]
    turns = [turn for turn in state.turn_replies() if turn.turn_id in judged]
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


def _prompts(turns: Sequence[TurnRow]) -> list[str]:
    """Return what the person asked; a turn that only goes on asks nothing."""
    return [str(turn.input["text"]) for turn in turns if "text" in turn.input]
