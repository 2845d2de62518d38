"""New rows: seats, what search finds, and seals."""

from collections.abc import Sequence

import msgspec

from parley.features.arena.schemas import ContinueFrom, SealWrap
from parley.kernel.inputs import TurnInput, text_of
from parley.kernel.sealing import Seal
from parley.kernel.seats import AS_IT_IS, Seat
from parley.storage.sealed_rows import title_place
from parley.storage.tables.conversations import MatchRow, SeatRow, SessionRow, TurnRow
from parley.storage.tables.sealed import SealedSessionRow
from parley.storage.tables.search import SearchTextRow
from parley.text.folding import folded


def seal_row(seal: Seal, session: SessionRow, title: str, wraps: Sequence[SealWrap]) -> SealedSessionRow:
    """Return what is stored of a sealed session's seal."""
    return SealedSessionRow(
        session_id=session.id,
        owner_id=session.owner_id,
        key_check=seal.check,
        wraps=[wrap.model_dump(exclude_none=True) for wrap in wraps],
        title=seal.text(title, title_place(session.id)),
        created_at=session.created_at,
    )


def seat_row(
    match: MatchRow, index: int, seat: Seat, turn: int = 0, parent: ContinueFrom | None = None
) -> SeatRow:
    """Return the row of a seat, which takes part from the turn with this index on."""
    return SeatRow(
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


def title_text(session: SessionRow, prompt: str) -> list[SearchTextRow]:
    """Return a title's search text; empty if the prompt, which is searched anyway, contains it."""
    if session.title.removesuffix("…") in " ".join(prompt.split()):
        return []
    return [SearchTextRow(session.id, session.owner_id, is_title=True, text=folded(session.title))]


def search_texts(turn: TurnRow, turn_input: TurnInput) -> list[SearchTextRow]:
    """Return the search text of an input; empty if it has none."""
    if not text_of(turn_input):
        return []
    text = folded(text_of(turn_input))
    return [SearchTextRow(session_id=turn.session_id, owner_id=turn.owner_id, is_title=False, text=text)]
