"""New turns: stored within one transaction, and ready to be played without another read."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, cast

import msgspec

from parley.features.arena.attaching import check_late_picture, check_sight, find_attached, needed_for
from parley.features.arena.checks import (
    check_alone,
    check_input,
    check_names,
    check_next_turn,
    check_open,
    check_seat,
    turn_running,
)
from parley.features.arena.matchmaker import Matchmaker, read_brief, usual_brief
from parley.features.arena.new_rows import seal_row, search_texts, seat_row, title_text
from parley.features.arena.reading import read_rows
from parley.features.arena.repository import ArenaRepository
from parley.features.arena.schemas import (
    AttachmentReference,
    ChangeSeats,
    ContinueFrom,
    SealWrap,
    StartMatch,
    StartSession,
    settings_of,
)
from parley.features.arena.sealed import check_mode, check_models, no_files
from parley.features.arena.seating import Seated, change_seats
from parley.features.arena.views import match_view
from parley.kernel.ballot import TurnReplies
from parley.kernel.caller import Caller
from parley.kernel.errors import Conflict, Invalid, NotFound
from parley.kernel.ids import random_id
from parley.kernel.inputs import PROMPT, PromptInput, TurnInput, attached_to, text_of
from parley.kernel.messages import sha256_text
from parley.kernel.mode import Brief, Mode
from parley.kernel.ports import TurnScript
from parley.kernel.sealing import TITLE
from parley.kernel.seats import Seat
from parley.kernel.views import MatchView
from parley.storage.scripts import first_script, seat_of
from parley.storage.tables.attachments import TurnAttachmentRow
from parley.storage.tables.conversations import MatchRow, SessionRow, TurnRow
from parley.storage.tables.rows import Row
from parley.text.titles import title_of


class Started(msgspec.Struct, frozen=True):
    """The ids of a started turn."""

    session_id: str
    match_id: str
    turn_id: str


class StoredTurn(NamedTuple):
    """A stored turn with everything needed to play it. `brief` is set if it was just validated."""

    script: TurnScript
    match: MatchView
    brief: Brief | None = None

    @property
    def started(self) -> Started:
        """The ids of the turn."""
        return Started(self.script.session_id, self.script.match_id, self.script.turn_id)


class NewTurns:
    """Makes new turns for one person, in one open transaction at one time."""

    def __init__(
        self, matchmaker: Matchmaker, repository: ArenaRepository, caller: Caller, now: datetime
    ) -> None:
        self._matchmaker = matchmaker
        self._repository = repository
        self._caller = caller
        self._owner_id = caller.person_id
        self._seal = caller.seal
        self._now = now

    def in_new_session(self, request: StartSession, wraps: Sequence[SealWrap] | None = None) -> StoredTurn:
        """Begin a session with its first match and turn; `wraps` if it is sealed. Raises Invalid, Unavailable."""
        session = SessionRow(
            id=random_id(),
            owner_id=self._owner_id,
            space_id=self._caller.space_id,
            title=title_of(request.prompt) if self._seal is None else TITLE,
            mode=request.mode,
            archived=False,
            created_at=self._now,
            updated_at=self._now,
            deleted_at=None,
            sealed=self._seal is not None,
        )
        if self._seal is None:
            self._repository.insert(session, *title_text(session, request.prompt))
        else:
            self._repository.insert(
                session, seal_row(self._seal, session, title_of(request.prompt), wraps or ())
            )
        return self._in_match(session.id, 0, request)

    def in_new_match(self, session_id: str, request: StartMatch) -> StoredTurn:
        """Begin a new match in a session. Raises NotFound, Invalid, Conflict, Unavailable."""
        self._repository.session(self._owner_id, session_id)
        index = self._repository.next_match_index(session_id)
        stored = self._in_match(session_id, index, request)
        self._repository.touch(session_id, self._now, request.mode)
        return stored

    def next(
        self,
        match_id: str,
        turn_input: TurnInput,
        change: ChangeSeats | None = None,
        files: Sequence[AttachmentReference] = (),
    ) -> StoredTurn:
        """Begin the next turn of a match, with any changes of seats and any files.

        Raises NotFound, Invalid, Conflict, Unavailable.
        """
        match = self._repository.match(self._owner_id, match_id, lock=True)
        turns = self._repository.turns([match_id])
        mode = self._matchmaker.modes.get(match.mode)
        check_input(turn_input, mode.inputs if mode else PROMPT)
        check_next_turn(match, [turn.status for turn in turns])
        turn_input = self._with_files(turn_input, mode, files)
        check_late_picture(match, turns, turn_input)
        turn = self._turn(match, len(turns), turn_input)
        if change is not None:
            self._change_seats(match, turn.index, change)
        check_seat(turn_input, lambda: self._repository.seats([match_id]))
        self._insert(turn_input, turn)
        self._repository.touch(match.session_id, self._now)
        return self._checked(read_stored_turn(self._repository, turn.id, self._matchmaker))

    def again(self, turn_id: str, is_played: Callable[[], bool], *, seat: str | None = None) -> StoredTurn:
        """Retry the incomplete replies of a match's last turn, or one seat in any case.

        `is_played` is asked once the match is locked: another retry may have begun since this one was sent.

        Raises NotFound, Invalid, Conflict.
        """
        match_id = self._repository.turn(self._owner_id, turn_id).match_id
        match = self._repository.match(self._owner_id, match_id, lock=True)
        turns = self._repository.turns([match_id])
        turn = next(turn for turn in turns if turn.id == turn_id)
        replies = self._repository.replies([turn_id])
        check_open(match)
        if turn.status == "running" and is_played():
            raise turn_running()
        if seat is not None:
            check_alone(match, seat, {reply.seat for reply in replies})
        done = turn.status == "completed" and all(reply.status == "completed" for reply in replies)
        if (done and seat is None) or turns[-1].id != turn_id:
            raise Conflict(
                "There is nothing to retry: this turn is complete, or a later turn follows it.",
                code="nothing_to_retry",
            )
        self._repository.renew(turn_id, seat)
        self._repository.touch(turn.session_id, self._now)
        return read_stored_turn(self._repository, turn_id, self._matchmaker)

    def _in_match(self, session_id: str, index: int, request: StartSession) -> StoredTurn:
        """Begin a match with this index and its first turn."""
        mode = self._matchmaker.mode(request.mode)
        if self._seal is not None:
            check_mode(mode)
        brief, stored = _brief(mode, request.brief)
        turn_input = self._with_files(PromptInput(request.prompt), mode, request.attachments)
        needs = (*needed_for(attached_to(turn_input)), *mode.needs(brief))
        seated = self._matchmaker.seats(
            mode.seating, request.seats, settings_of(request.seat_settings), needs, self._caller
        )
        if self._seal is not None:
            check_models([self._matchmaker.catalog.model(seat.model_id) for seat in seated.seats])
        parents = self._parents(request, seated.seats)
        mode.check(brief, seated.seats)
        check_names(mode, seated.seats, "seats")
        match = self._match(session_id, index, brief, stored, mode, seated)
        seats = [
            seat_row(match, number, seat, parent=parents.get(seat.name))
            for number, seat in enumerate(seated.seats)
        ]
        turn = self._turn(match, 0, turn_input)
        self._insert(turn_input, match, *seats, turn)
        if parents:
            return self._checked(read_stored_turn(self._repository, turn.id, self._matchmaker))
        view = match_view(match, seats, [TurnReplies(turn.id, turn.status, {})], (), self._matchmaker.card)
        script = first_script(match, turn, turn_input, seated.seats, self._seal)
        return self._checked(StoredTurn(script, view, brief))

    def _match(
        self,
        session_id: str,
        index: int,
        brief: Brief,
        stored: dict[str, Any],
        mode: Mode[Any],
        seated: Seated,
    ) -> MatchRow:
        return MatchRow(
            id=random_id(),
            session_id=session_id,
            owner_id=self._owner_id,
            index=index,
            mode=mode.name,
            brief=stored,
            brief_version=brief.version,
            blind=mode.seating.blind,
            paced=mode.seating.paced,
            # A vote is counted and kept with what it was about, so nothing is voted on in a sealed session.
            ballot=None
            if self._seal
            else mode.ballot and msgspec.to_builtins(mode.ballot.resolved(seated.seats)),
            status="open",
            void=None,
            propensity=seated.propensity,
            created_at=self._now,
        )

    def _with_files(
        self, turn_input: TurnInput, mode: Mode[Any] | None, files: Sequence[AttachmentReference]
    ) -> TurnInput:
        """Return an input with its pictures and files. Raises Invalid."""
        if not files or not isinstance(turn_input, PromptInput):
            return turn_input
        if self._seal is not None:
            raise no_files()
        return PromptInput(turn_input.text, find_attached(self._repository, self._owner_id, mode, files))

    def _insert(self, turn_input: TurnInput, *rows: Row) -> None:
        """Store rows, the last of which is a turn with this input."""
        turn = cast("TurnRow", rows[-1])
        files = [each.sha256 for each in attached_to(turn_input)]
        having = (TurnAttachmentRow(turn.id, sha256, self._owner_id) for sha256 in files)
        found_by = search_texts(turn, turn_input) if self._seal is None else ()
        self._repository.insert(*rows, *found_by, *having)
        if files:
            self._repository.release(self._owner_id, files, self._now)

    def _checked(self, stored: StoredTurn) -> StoredTurn:
        """Return a turn, checked that its models can read its pictures. Raises Invalid.

        Models of a blind match were drawn accordingly.
        """
        if not stored.match.blind:
            check_sight(stored.script, self._matchmaker.catalog)
        return stored

    def _change_seats(self, match: MatchRow, turn: int, change: ChangeSeats) -> None:
        """Add and remove seats from a turn on. Raises Invalid, Conflict, Unavailable."""
        if match.blind:
            raise Conflict(
                "You can't change the models of a blind match.",
                "Vote first, or start a new match.",
                code="seats_stay",
            )
        mode, rows = self._matchmaker.mode(match.mode), self._repository.seats([match.id])
        joining = change_seats(mode.seating, rows, change, self._matchmaker.catalog)
        if self._seal is not None:
            check_models([self._matchmaker.catalog.model(seat.model_id) for seat in joining])
        leaving = [row for row in rows if row.until_turn is None and row.name in change.leave]
        staying = [row for row in rows if row.until_turn is None and row not in leaving]
        mode.check(read_brief(mode, match.brief), [*map(seat_of, staying), *joining])
        check_names(mode, joining, "seats.add")
        if match.ballot is not None and mode.ballot is not None:
            # A seat that left stays on the ballot: earlier turns may still be judged.
            ballot = mode.ballot.resolved([*map(seat_of, rows), *joining])
            self._repository.set_ballot(match.id, msgspec.to_builtins(ballot))
        self._repository.free_seats([row.id for row in leaving], turn)
        self._repository.insert(
            *(seat_row(match, len(rows) + at, seat, turn) for at, seat in enumerate(joining))
        )

    def _turn(self, match: MatchRow, index: int, turn_input: TurnInput) -> TurnRow:
        return TurnRow(
            id=random_id(),
            match_id=match.id,
            session_id=match.session_id,
            owner_id=match.owner_id,
            author_id=self._caller.author_id,
            index=index,
            input=msgspec.to_builtins(turn_input),
            input_sha256=sha256_text(text_of(turn_input)),
            status="running",
            play=0,
            error=None,
            created_at=self._now,
            ended_at=None,
        )

    def _parents(self, request: StartSession, seats: Sequence[Seat]) -> Mapping[str, ContinueFrom]:
        """Return the conversation that each seat continues. Raises Invalid, Conflict."""
        if not isinstance(request, StartMatch):
            return {}
        if request.continue_from is not None:
            if request.continue_seats:
                raise Invalid(
                    "continue_seats", "This field can't be combined with “continue_from”.", "Leave one out."
                )
            self._check_lineage(request.continue_from, "continue_from")
            return {seat.name: request.continue_from for seat in seats}
        for name, parent in (request.continue_seats or {}).items():
            if name not in {seat.name for seat in seats}:
                raise Invalid(
                    f"continue_seats.{name}",
                    f"This mode has no seat “{name}” that can continue a conversation.",
                )
            self._check_lineage(parent, f"continue_seats.{name}")
        return request.continue_seats or {}

    def _check_lineage(self, parent: ContinueFrom, field: str) -> None:
        try:
            turn = self._repository.turn(self._owner_id, parent.turn_id)
            match = self._repository.match(self._owner_id, turn.match_id)
        except NotFound:
            raise Invalid(f"{field}.turn_id", "The turn to continue from does not exist.") from None
        if parent.seat not in {seat.name for seat in self._repository.seats([match.id])}:
            raise Invalid(f"{field}.seat", f"The match to continue from has no seat “{parent.seat}”.")
        if turn.status == "running":
            raise turn_running()
        if match.blind and match.status != "voted":
            raise Conflict(
                "This battle is still blind, so you can't continue with one of its models yet.",
                "Vote first.",
                code="still_blind",
            )


def read_stored_turn(repository: ArenaRepository, turn_id: str, matchmaker: Matchmaker) -> StoredTurn:
    """Read a turn to play or replay. Raises NotFound."""
    script = repository.script(turn_id, matchmaker.remembers)
    match = repository.any_match(script.match_id)
    return StoredTurn(script, read_rows(repository, [match], only="").view(match, matchmaker.card))


def _brief(mode: Mode[Any], raw: dict[str, Any] | None) -> tuple[Brief, dict[str, Any]]:
    """Return a mode's settings and their stored form. Raises Invalid."""
    if not raw:
        return usual_brief(mode)
    brief = read_brief(mode, raw)
    return brief, brief.model_dump(mode="json")
