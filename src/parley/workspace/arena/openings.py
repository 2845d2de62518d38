"""Openings: new turns, drawn up within one transaction and ready to be played without being read again."""

import random
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

import msgspec
from pydantic import ValidationError

from parley.kernel.ballot import TurnReplies
from parley.kernel.errors import Conflict, Invalid, NotFound
from parley.kernel.ids import random_id
from parley.kernel.inputs import PROMPT, PromptInput, TurnInput, text_of
from parley.kernel.messages import sha256_text
from parley.kernel.mode import Brief, Mode
from parley.kernel.ports import Ensemble, TurnScript
from parley.kernel.seats import AS_IT_IS, Seating, SeatSettings
from parley.kernel.seats import Seat as SeatTaken
from parley.kernel.views import MatchView, ModelCard
from parley.storage.scripts import seat_of
from parley.storage.tables.conversations import Match
from parley.text.folding import folded
from parley.text.plain_words import in_plain_words
from parley.workspace.arena.drafts import MatchDraft, SearchTextDraft, SeatDraft, SessionDraft, TurnDraft
from parley.workspace.arena.obstacles import (
    check_alone,
    check_input,
    check_names,
    check_next_turn,
    check_open,
    check_seat,
    turn_running,
)
from parley.workspace.arena.reading import read_rows
from parley.workspace.arena.repository import ArenaRepository
from parley.workspace.arena.sampling import Sampling
from parley.workspace.arena.schemas import ChangeSeats, ContinueFrom, StartMatch, StartSession, settings_of
from parley.workspace.arena.seating import NONE_GIVEN, BattleCatalog, Seated, change_seats, take_seats
from parley.workspace.arena.views import match_view

TITLE_CHARS = 80


class Started(msgspec.Struct, frozen=True):
    """The ids of a turn that has begun."""

    session_id: str
    match_id: str
    turn_id: str


class Opening(NamedTuple):
    """A stored turn with all that is needed to play it; its settings where they were validated just now."""

    script: TurnScript
    match: MatchView
    brief: Brief | None = None

    @property
    def started(self) -> Started:
        """The ids of the turn."""
        return Started(self.script.session_id, self.script.match_id, self.script.turn_id)


class Venue(NamedTuple):
    """Where matches begin: the modes there are, the models, their cards, chance, and how models are drawn.

    `ensemble` returns what is played where a model of that kind is asked, or raises NotFound.
    """

    modes: Mapping[str, Mode[Any]]
    catalog: BattleCatalog
    card: Callable[[str], ModelCard]
    chance: random.Random
    sampling: Sampling
    ensemble: Callable[[str], Ensemble]

    def seats(
        self,
        seating: Seating,
        wished: Mapping[str, str] | None,
        settings: Mapping[str, SeatSettings] = NONE_GIVEN,
    ) -> Seated:
        """Seat models, drawn or chosen. Raises Invalid, Unavailable."""
        return take_seats(seating, wished, self.catalog, self.chance, self.sampling, settings)

    def mode(self, name: str) -> Mode[Any]:
        """Return a mode. Raises Invalid."""
        mode = self.modes.get(name)
        if mode is None:
            raise Invalid("mode", f"There is no mode “{name}”.", f"There are: {', '.join(self.modes)}.")
        return mode

    def remembers(self, mode: str) -> bool:
        """Tell whether a mode wants to know a match's earlier turns."""
        return mode in self.modes and self.modes[mode].remembers

    def check(
        self,
        mode: str,
        seats: Mapping[str, str],
        brief: Mapping[str, Any],
        settings: Mapping[str, SeatSettings] = NONE_GIVEN,
    ) -> Brief:
        """Return the brief of a match that could begin so. Raises Invalid, Unavailable."""
        known = self.mode(mode)
        seated = self.seats(known.seating, seats, settings)
        checked = validated(known, dict(brief))
        known.check(checked, seated.seats)
        return checked


class Openings:
    """Draws up new turns for one person, in one open transaction at one time."""

    def __init__(self, venue: Venue, repository: ArenaRepository, owner_id: str, now: datetime) -> None:
        self._venue = venue
        self._repository = repository
        self._owner_id = owner_id
        self._now = now

    def session(self, asked: StartSession) -> Opening:
        """Begin a session with its first match and turn. Raises Invalid, Unavailable."""
        session = SessionDraft(
            id=random_id(),
            owner_id=self._owner_id,
            title=title_of(asked.prompt),
            mode=asked.mode,
            archived=False,
            created_at=self._now,
            updated_at=self._now,
            deleted_at=None,
        )
        self._repository.insert(session)
        return self._match(session.id, 0, asked)

    def match(self, session_id: str, asked: StartMatch) -> Opening:
        """Begin a new match in a session. Raises NotFound, Invalid, Conflict, Unavailable."""
        self._repository.session(self._owner_id, session_id)
        index = self._repository.next_match_index(session_id)
        opening = self._match(session_id, index, asked)
        self._repository.touch(session_id, self._now, asked.mode)
        return opening

    def turn(self, match_id: str, said: TurnInput, change: ChangeSeats | None = None) -> Opening:
        """Take the next turn of a match, with whom there is then. Raises NotFound, Invalid, Conflict, Unavailable."""
        match = self._repository.match(self._owner_id, match_id, lock=True)
        turns = self._repository.turns([match_id])
        mode = self._venue.modes.get(match.mode)
        check_input(said, mode.inputs if mode else PROMPT)
        check_next_turn(match, [turn.status for turn in turns])
        turn = self._turn(match, len(turns), said)
        if change is not None:
            self._change_seats(match, turn.index, change)
        check_seat(said, lambda: self._repository.seats([match_id]))
        self._repository.insert(turn, *_search_texts(turn, said))
        self._repository.touch(match.session_id, self._now)
        return read_opening(self._repository, turn.id, self._venue)

    def again(self, turn_id: str, *, played: bool, seat: str | None = None) -> Opening:
        """Ask again what is not complete in a match's last turn, or one seat whatever it has said.

        Raises NotFound, Invalid, Conflict.
        """
        turn = self._repository.turn(self._owner_id, turn_id)
        match = self._repository.match(self._owner_id, turn.match_id, lock=True)
        turns = self._repository.turns([match.id])
        replies = self._repository.replies([turn_id])
        check_open(match)
        if turn.status == "running" and played:
            raise turn_running()
        if seat is not None:
            check_alone(match, seat, {reply.seat for reply in replies})
        done = turn.status == "completed" and all(reply.status == "completed" for reply in replies)
        if (done and seat is None) or turns[-1].id != turn_id:
            raise Conflict(
                "There is nothing to ask again: this turn is complete, or a later one follows it.",
                code="nothing_to_retry",
            )
        turn.status = "running"
        self._repository.renew(turn_id, seat)
        self._repository.touch(turn.session_id, self._now)
        return read_opening(self._repository, turn_id, self._venue)

    def _match(
        self,
        session_id: str,
        index: int,
        asked: StartSession | StartMatch,
    ) -> Opening:
        mode = self._venue.mode(asked.mode)
        brief, kept = _settings(mode, asked.brief)
        seated = self._venue.seats(mode.seating, asked.seats, settings_of(asked.seat_settings))
        parents = self._parents(asked, seated.seats)
        mode.check(brief, seated.seats)
        check_names(mode, seated.seats, "seats")
        match = MatchDraft(
            id=random_id(),
            session_id=session_id,
            owner_id=self._owner_id,
            index=index,
            mode=mode.name,
            brief=kept,
            brief_version=brief.version,
            blind=mode.seating.blind,
            paced=mode.seating.paced,
            ballot=mode.ballot and msgspec.to_builtins(mode.ballot.resolved(seated.seats)),
            status="open",
            void=None,
            propensity=seated.propensity,
            created_at=self._now,
        )
        seats = [
            _seat_row(match, number, seat, parent=parents.get(seat.name))
            for number, seat in enumerate(seated.seats)
        ]
        said = PromptInput(asked.prompt)
        turn = self._turn(match, 0, said)
        self._repository.insert(match, *seats, turn, *_search_texts(turn, said))
        if parents:
            return read_opening(self._repository, turn.id, self._venue)
        view = match_view(match, seats, [TurnReplies(turn.id, turn.status, {})], (), self._venue.card)
        return Opening(_first_script(match, turn, said, seated.seats), view, brief)

    def _change_seats(self, match: Match, turn: int, change: ChangeSeats) -> None:
        """Let seats be taken and left from a turn on. Raises Invalid, Conflict, Unavailable."""
        if match.blind:
            raise Conflict(
                "Who sits in a blind match stays there until its end.",
                "Vote first, or start a new one.",
                code="seats_stay",
            )
        mode, rows = self._venue.mode(match.mode), self._repository.seats([match.id])
        joining = change_seats(mode.seating, rows, change, self._venue.catalog)
        leaving = [row for row in rows if row.until_turn is None and row.name in change.leave]
        staying = [row for row in rows if row.until_turn is None and row not in leaving]
        mode.check(validated(mode, match.brief), [*map(seat_of, staying), *joining])
        check_names(mode, joining, "seats.add")
        if match.ballot is not None and mode.ballot is not None:
            # Who left keeps a place on it: turns of before may still be judged.
            match.ballot = msgspec.to_builtins(mode.ballot.resolved([*map(seat_of, rows), *joining]))
        self._repository.free_seats([row.id for row in leaving], turn)
        self._repository.insert(
            *(_seat_row(match, len(rows) + at, seat, turn) for at, seat in enumerate(joining))
        )

    def _turn(self, match: Match | MatchDraft, index: int, said: TurnInput) -> TurnDraft:
        return TurnDraft(
            id=random_id(),
            match_id=match.id,
            session_id=match.session_id,
            owner_id=match.owner_id,
            index=index,
            input=msgspec.to_builtins(said),
            input_sha256=sha256_text(text_of(said)),
            status="running",
            play=0,
            error=None,
            created_at=self._now,
        )

    def _parents(
        self, asked: StartSession | StartMatch, seats: Sequence[SeatTaken]
    ) -> Mapping[str, ContinueFrom]:
        """Return which conversation each seat carries on, of those that do. Raises Invalid, Conflict."""
        if isinstance(asked, StartSession):
            return {}
        if asked.continue_from is not None:
            if asked.continue_seats:
                raise Invalid(
                    "continue_seats", "This is for matches without “continue_from”.", "Leave one out."
                )
            self._check_lineage(asked.continue_from, "continue_from")
            return {seat.name: asked.continue_from for seat in seats}
        for name, parent in (asked.continue_seats or {}).items():
            if name not in {seat.name for seat in seats}:
                raise Invalid(f"continue_seats.{name}", f"Nobody sits at “{name}” who could go on.")
            self._check_lineage(parent, f"continue_seats.{name}")
        return asked.continue_seats or {}

    def _check_lineage(self, parent: ContinueFrom, field: str) -> None:
        try:
            turn = self._repository.turn(self._owner_id, parent.turn_id)
            match = self._repository.match(self._owner_id, turn.match_id)
        except NotFound:
            raise Invalid(f"{field}.turn_id", "There is no such turn to continue from.") from None
        if parent.seat not in {seat.name for seat in self._repository.seats([match.id])}:
            raise Invalid(f"{field}.seat", f"That match has no seat “{parent.seat}”.")
        if turn.status == "running":
            raise turn_running()
        if match.blind and match.status != "voted":
            raise Conflict(
                "This battle is still blind, so nobody may continue with one of its models.",
                "Vote first.",
                code="still_blind",
            )


def read_opening(repository: ArenaRepository, turn_id: str, venue: Venue) -> Opening:
    """Read a turn that is to be played (again). Raises NotFound."""
    script = repository.script(turn_id, venue.remembers)
    match = repository.any_match(script.match_id)
    return Opening(script, read_rows(repository, [match], only="").view(match, venue.card))


def validated(mode: Mode[Any], raw: dict[str, Any] | None) -> Brief:
    """Return a mode's settings. Raises Invalid, which names the first wrong one."""
    try:
        return mode.brief.model_validate(raw or {})
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(("brief", *(str(part) for part in first["loc"])))
        raise Invalid(field, f"{field}: {in_plain_words(first, mode.brief.model_fields)}.") from None


def _settings(mode: Mode[Any], raw: dict[str, Any] | None) -> tuple[Brief, dict[str, Any]]:
    """Return a mode's settings and how they are stored. Raises Invalid."""
    if not raw:
        return _usual_settings(mode)
    brief = validated(mode, raw)
    return brief, brief.model_dump(mode="json")


@cache
def _usual_settings(mode: Mode[Any]) -> tuple[Brief, dict[str, Any]]:
    brief = validated(mode, None)
    return brief, brief.model_dump(mode="json")


def title_of(prompt: str) -> str:
    """Return a session's first title: the first line of its first prompt, shortened at a word."""
    line = " ".join(next((line for line in prompt.splitlines() if line.strip()), "").split())
    if len(line) <= TITLE_CHARS:
        return line
    return line[:TITLE_CHARS].rsplit(" ", 1)[0].rstrip(",;:.") + "…"


def _first_script(
    match: MatchDraft, turn: TurnDraft, said: PromptInput, seats: Sequence[SeatTaken]
) -> TurnScript:
    """Return what `read_script` would read of the first turn of a match that carries nothing on."""
    return TurnScript(
        turn_id=turn.id,
        match_id=match.id,
        session_id=match.session_id,
        owner_id=match.owner_id,
        index=turn.index,
        created_at=turn.created_at.isoformat(),
        mode=match.mode,
        brief=match.brief,
        seats=tuple(seats),
        input=said,
        prompt=said.text,
        history={seat.name: () for seat in seats},
        play=turn.play + 1,
        next_seq=0,
        steps=(),
        notes=(),
    )


def _seat_row(
    match: Match | MatchDraft, index: int, seat: SeatTaken, turn: int = 0, parent: ContinueFrom | None = None
) -> SeatDraft:
    return SeatDraft(
        id=seat.id,
        match_id=match.id,
        index=index,
        name=seat.name,
        role=seat.role,
        model_id=seat.model_id,
        settings=None if seat.settings == AS_IT_IS else msgspec.to_builtins(seat.settings),
        from_turn=turn,
        until_turn=None,
        parent_turn_id=parent.turn_id if parent else None,
        parent_seat=parent.seat if parent else None,
    )


def _search_texts(turn: TurnDraft, said: TurnInput) -> list[SearchTextDraft]:
    if not text_of(said):
        return []
    text = folded(text_of(said))
    return [SearchTextDraft(session_id=turn.session_id, owner_id=turn.owner_id, is_title=False, text=text)]
