"""The ways a session's conversation went; the page's `branches.ts` shows the same ones."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from parley.kernel.views import MatchRecord
from parley.modes.chat import Chat


class Circular(ValueError):
    """Chats that continue each other in a circle, as only a foreign file can have them."""


class Branches:
    """The matches of a session by way. A chat that carries on from within another one is another way on from there.

    Chats that begin anew, with no other mode between, are other ways to begin. Raises Circular.
    """

    def __init__(self, records: Sequence[MatchRecord]) -> None:
        self._records = records
        self._place: dict[str, tuple[str, str]] = {}
        """The place of each turn of a chat: after a turn and seat, or after a number of matches of other modes."""
        self._before: dict[str, str | None] = {}
        others = 0
        for record in records:
            seats = record.match.seats
            continues = seats[0].continues if seats else None
            before = continues.turn_id if continues else None
            place = (continues.turn_id, continues.seat) if continues else ("", str(others))
            is_chat = record.match.mode == Chat.name
            others += not is_chat
            for turn in record.turns:
                self._before[turn.id] = before
                if is_chat:
                    self._place[turn.id] = place
                before, place = turn.id, (turn.id, seats[0].name if seats else "")
        self._refuse_circles()
        self._latest: dict[tuple[str, str], str] = {}
        turns = [turn for record in records for turn in record.turns if turn.id in self._place]
        for turn in sorted(turns, key=lambda turn: turn.created_at):
            self._latest[self._place[turn.id]] = turn.id

    def _refuse_circles(self) -> None:
        passed: set[str] = set()
        for turn_id in self._before:
            way: set[str] = set()
            at: str | None = turn_id
            while at is not None and at not in passed:
                if at in way:
                    raise Circular("its chats continue each other in a circle")
                way.add(at)
                at = self._before.get(at)
            passed |= way

    def shown(self, picks: Mapping[tuple[str, str], str] | None = None) -> list[MatchRecord]:
        """Return the matches with the turns of one way: at each place the picked turn, else the one asked last."""
        chosen = {**self._latest, **(picks or {})}
        hidden: set[str] = set()
        records: list[MatchRecord] = []
        for record in self._records:
            for turn in record.turns:
                place = self._place.get(turn.id)
                if place and (chosen[place] != turn.id or self._before[turn.id] in hidden):
                    hidden.add(turn.id)
            if turns := tuple(turn for turn in record.turns if turn.id not in hidden):
                records.append(msgspec.structs.replace(record, turns=turns))
        return records

    def ends(self) -> list[str]:
        """Return the last turn of each other way."""
        went_on = {self._before[turn_id] for turn_id in self._place}
        seen = {turn.id for record in self.shown() for turn in record.turns}
        return [turn for turn in self._place if turn not in seen and turn not in went_on]

    def others(self) -> Iterator[tuple[str, list[MatchRecord]]]:
        """Yield each other way with its last turn."""
        for last in self.ends():
            picks: dict[tuple[str, str], str] = {}
            at: str | None = last
            while at is not None:
                if at in self._place:
                    picks[self._place[at]] = at
                at = self._before.get(at)
            yield last, self.shown(picks)
