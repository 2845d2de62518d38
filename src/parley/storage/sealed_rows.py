"""Sealed rows: the columns of a sealed session that are ciphertext, sealed and opened in one place."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import msgspec
from sqlalchemy import bindparam

from parley.kernel.sealing import Seal, is_sealed, key_needed, not_sealed, wrong_key
from parley.storage.tables.conversations import AttemptRow, MatchRow, ReplyRow, SeatRow, TurnRow
from parley.storage.tables.rows import Row, select_rows
from parley.storage.tables.sealed import SealedSessionRow
from parley.storage.transaction import Transaction

R = TypeVar("R", bound=Row)
Event = tuple[str, int, str, dict[str, Any]]
"""The turn, number, kind and data of an event."""

RENEWED = "turn.renewed"
"""The one event that is stored before its turn is played; it has no text."""


_SEAL_OF = select_rows(SealedSessionRow).where(SealedSessionRow.c.session_id == bindparam("this"))


def seal_of(transaction: Transaction, session_id: str) -> SealedSessionRow | None:
    """Return what is stored of a session's seal; None if it is not sealed."""
    return next(iter(transaction.rows(_SEAL_OF, {"this": session_id}, SealedSessionRow)), None)


def title_place(session_id: str) -> str:
    """Return the place that a session's title is sealed for."""
    return f"sealed_sessions.title:{session_id}"


def check_seal(transaction: Transaction, session_id: str, seal: Seal | None, *, sealed: bool) -> None:
    """Raise Conflict or Forbidden unless a request has the key of a session that is sealed, or needs none.

    `sealed`: a row of it looks sealed; an unsealed session costs no query.
    """
    if seal is None and not sealed:
        return
    row = seal_of(transaction, session_id)
    if row is None:
        if seal is not None:
            raise not_sealed()
    elif seal is None:
        raise key_needed()
    elif seal.check != row.key_check:
        raise wrong_key()


def sealed_row(seal: Seal, row: Row) -> Row:
    """Return a new row with its texts sealed."""
    replaced = msgspec.structs.replace
    match row:
        case MatchRow():
            return replaced(row, brief=seal.document(row.brief, f"matches.brief:{row.id}"))
        case SeatRow() if row.settings is not None:
            return replaced(row, settings=seal.document(row.settings, f"seats.settings:{row.id}"))
        case TurnRow():
            return replaced(
                row,
                # An input without a text, such as one that continues, says nothing.
                input=_with_text(row.input, lambda text: seal.text(text, f"turns.input:{row.id}")),
                input_sha256=seal.mask(row.input_sha256, f"turns.input:{row.id}"),
            )
        case _:
            return row


def opened(seal: Seal | None, rows: Iterable[R]) -> list[R]:
    """Return rows with their texts opened. Raises Conflict `seal_broken`."""
    return list(rows) if seal is None else [_opened(seal, row) for row in rows]


def opened_events(seal: Seal | None, events: Iterable[Any]) -> Sequence[Event]:
    """Return events with their data opened. Raises Conflict `seal_broken`."""
    plain = [(turn_id, seq, kind, data) for turn_id, seq, kind, data in events]
    if seal is None:
        return plain
    return [
        (
            turn_id,
            seq,
            kind,
            data
            if kind == RENEWED and not is_sealed(data)
            else seal.open_document(data, f"turn_events.data:{turn_id}:{seq}"),
        )
        for turn_id, seq, kind, data in plain
    ]


def _opened(seal: Seal, row: R) -> R:
    replaced = msgspec.structs.replace
    match row:
        case MatchRow():
            return replaced(row, brief=seal.open_document(row.brief, f"matches.brief:{row.id}"))
        case SeatRow() if row.settings is not None:
            return replaced(row, settings=seal.open_document(row.settings, f"seats.settings:{row.id}"))
        case TurnRow():
            return replaced(
                row,
                input=open_input(seal, row.id, row.input),
                input_sha256=seal.mask(row.input_sha256, f"turns.input:{row.id}"),
                error=_problem(seal, row.error, f"turns.error:{row.id}"),
            )
        case ReplyRow() | AttemptRow():
            return _opened_reply(seal, row)
        case _:
            return row


def _opened_reply(seal: Seal, row: Any) -> Any:
    here = f"{row.id if isinstance(row, ReplyRow) else row.reply_id}:{row.attempt}"
    return msgspec.structs.replace(
        row,
        text=open_reply_text(seal, row.text, "text", here),
        reasoning=open_reply_text(seal, row.reasoning, "reasoning", here),
        error=_problem(seal, row.error, f"replies.error:{here}"),
        messages_sha256=seal.mask(row.messages_sha256, f"replies.messages:{here}"),
    )


def open_input(seal: Seal | None, turn_id: str, data: dict[str, Any]) -> dict[str, Any]:
    """Return a turn's stored input with its text opened."""
    if seal is None:
        return data
    return _with_text(data, lambda text: seal.open(text, f"turns.input:{turn_id}"))


def open_reply_text(seal: Seal, text: str, column_name: str, here: str) -> str:
    """Return a reply's text, opened; one that has not begun is empty and not sealed. `here`: reply and attempt."""
    return seal.open(text, f"replies.{column_name}:{here}") if text else ""


def _with_text(data: dict[str, Any], change: Callable[[str], str]) -> dict[str, Any]:
    return {**data, "text": change(data["text"])} if "text" in data else data


def _problem(seal: Seal, error: dict[str, Any] | None, place: str) -> dict[str, Any] | None:
    if error is None or not is_sealed(error.get("title")):
        return error  # Parley's own words, stored without the key
    return msgspec.json.decode(seal.open(error["title"], place))
