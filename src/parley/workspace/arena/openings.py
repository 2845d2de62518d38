"""Openings: new turns, drawn up within one transaction and ready to be played without being read again."""

import random
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

import msgspec
from pydantic import ValidationError

from parley.kernel.errors import Conflict, Invalid, NotFound
from parley.kernel.ids import random_id
from parley.kernel.messages import sha256_text
from parley.kernel.mode import Brief, Mode
from parley.kernel.ports import Ensemble, TurnScript
from parley.kernel.seats import Seat as SeatTaken
from parley.kernel.seats import Seating
from parley.kernel.views import MatchView, ModelCard, PromptInput, TurnInput
from parley.storage.tables.conversations import Match
from parley.text.folding import folded
from parley.text.plain_words import in_plain_words
from parley.workspace.arena.drafts import MatchDraft, SearchTextDraft, SeatDraft, SessionDraft, TurnDraft
from parley.workspace.arena.reading import read_rows
from parley.workspace.arena.repository import ArenaRepository
from parley.workspace.arena.sampling import Sampling
from parley.workspace.arena.schemas import ContinueFrom, StartMatch, StartSession
from parley.workspace.arena.seating import BattleCatalog, Seated, take_seats
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

    def seats(self, seating: Seating, wished: Mapping[str, str] | None) -> Seated:
        """Seat models, drawn or chosen. Raises Invalid, Unavailable."""
        return take_seats(seating, wished, self.catalog, self.chance, self.sampling)

    def mode(self, name: str) -> Mode[Any]:
        """Return a mode. Raises Invalid."""
        mode = self.modes.get(name)
        if mode is None:
            raise Invalid("mode", f"There is no mode “{name}”.", f"There are: {', '.join(self.modes)}.")
        return mode

    def check(self, mode: str, seats: Mapping[str, str], brief: Mapping[str, Any]) -> Brief:
        """Return the settings of a match that could begin so. Raises Invalid, Unavailable."""
        known = self.mode(mode)
        seated = self.seats(known.seating, seats)
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
        opening = self._match(session_id, index, asked, asked.continue_from)
        self._repository.touch(session_id, self._now, asked.mode)
        return opening

    def turn(self, match_id: str, said: TurnInput) -> Opening:
        """Take the next turn of a match. Raises NotFound, Invalid, Conflict."""
        match = self._repository.match(self._owner_id, match_id, lock=True)
        turns = self._repository.turns([match_id])
        if not isinstance(said, PromptInput) and not self._venue.mode(match.mode).continues:
            raise Invalid("input.type", "input.type: this mode needs a new question in every turn.")
        _check_next_turn(match, [turn.status for turn in turns])
        turn = self._turn(match, len(turns), said)
        self._repository.insert(turn, *_search_texts(turn, said))
        self._repository.touch(match.session_id, self._now)
        return read_opening(self._repository, turn.id, self._venue.card)

    def again(self, turn_id: str, *, played: bool) -> Opening:
        """Ask again what is not complete in a match's last turn. Raises NotFound, Conflict."""
        turn = self._repository.turn(self._owner_id, turn_id)
        match = self._repository.match(self._owner_id, turn.match_id, lock=True)
        turns = self._repository.turns([match.id])
        replies = self._repository.replies([turn_id])
        _check_open(match)
        if turn.status == "running" and played:
            raise _running()
        whole = turn.status == "completed" and all(reply.status == "completed" for reply in replies)
        if whole or turns[-1].id != turn_id:
            raise Conflict(
                "There is nothing to ask again: this turn is complete, or a later one follows it.",
                code="nothing_to_retry",
            )
        turn.status = "running"
        self._repository.renew(turn_id)
        self._repository.touch(turn.session_id, self._now)
        return read_opening(self._repository, turn_id, self._venue.card)

    def _match(
        self,
        session_id: str,
        index: int,
        asked: StartSession | StartMatch,
        parent: ContinueFrom | None = None,
    ) -> Opening:
        mode = self._venue.mode(asked.mode)
        brief, kept = _settings(mode, asked.brief)
        if parent:
            self._check_lineage(parent)
        seated = self._venue.seats(mode.seating, asked.seats)
        mode.check(brief, seated.seats)
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
            ballot=list(mode.seating.ballot),
            status="open",
            void=None,
            propensity=seated.propensity,
            parent_turn_id=parent.turn_id if parent else None,
            parent_seat=parent.seat if parent else None,
            created_at=self._now,
        )
        seats = [_seat_row(match, number, seat) for number, seat in enumerate(seated.seats)]
        said = PromptInput(asked.prompt)
        turn = self._turn(match, 0, said)
        self._repository.insert(match, *seats, turn, *_search_texts(turn, said))
        if parent:
            return read_opening(self._repository, turn.id, self._venue.card)
        view = match_view(match, seats, [turn.status], None, self._venue.card)
        return Opening(_first_script(match, turn, said, seated.seats), view, brief)

    def _turn(self, match: Match | MatchDraft, index: int, said: TurnInput) -> TurnDraft:
        text = said.text if isinstance(said, PromptInput) else ""
        return TurnDraft(
            id=random_id(),
            match_id=match.id,
            session_id=match.session_id,
            owner_id=match.owner_id,
            index=index,
            input=msgspec.to_builtins(said),
            input_sha256=sha256_text(text),
            status="running",
            play=0,
            released=None,
            error=None,
            created_at=self._now,
        )

    def _check_lineage(self, parent: ContinueFrom) -> None:
        try:
            turn = self._repository.turn(self._owner_id, parent.turn_id)
            match = self._repository.match(self._owner_id, turn.match_id)
        except NotFound:
            raise Invalid("continue_from.turn_id", "There is no such turn to continue from.") from None
        if parent.seat not in {seat.name for seat in self._repository.seats([match.id])}:
            raise Invalid("continue_from.seat", f"That match has no seat “{parent.seat}”.")
        if turn.status == "running":
            raise _running()
        if match.blind and match.status != "voted":
            raise Conflict(
                "This battle is still blind, so nobody may continue with one of its models.",
                "Vote first.",
                code="still_blind",
            )


def read_opening(repository: ArenaRepository, turn_id: str, card: Callable[[str], ModelCard]) -> Opening:
    """Read a turn that is to be played (again). Raises NotFound."""
    script = repository.script(turn_id)
    match = repository.any_match(script.match_id)
    return Opening(script, read_rows(repository, [match], only="").view(match, card))


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


def _seat_row(match: MatchDraft, index: int, seat: SeatTaken) -> SeatDraft:
    return SeatDraft(
        id=seat.id, match_id=match.id, index=index, name=seat.name, role=seat.role, model_id=seat.model_id
    )


def _search_texts(turn: TurnDraft, said: TurnInput) -> list[SearchTextDraft]:
    if not isinstance(said, PromptInput):
        return []
    text = folded(said.text)
    return [SearchTextDraft(session_id=turn.session_id, owner_id=turn.owner_id, is_title=False, text=text)]


def _check_open(match: Match) -> None:
    if match.status == "void":
        raise Conflict(
            "This battle is void, because one of its models could not answer.",
            "Draw again: a new battle with the same question.",
            code="battle_void",
        )
    if match.status == "voted":
        raise Conflict(
            "This battle is over: you have voted.",
            "Start a new battle, or continue with a model.",
            code="battle_over",
        )


def _check_next_turn(match: Match, statuses: list[str]) -> None:
    _check_open(match)
    if "running" in statuses:
        raise _running()
    if match.blind and statuses[-1] != "completed":
        raise Conflict(
            "The last turn was stopped, so the two sides have not heard the same.",
            "Ask again first, or draw again.",
            code="turn_not_complete",
        )


def _running() -> Conflict:
    return Conflict("A turn is still running here.", "Wait for its end, or stop it.", code="turn_running")
