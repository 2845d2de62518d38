"""Counts of imported votes: the standings read them in the table of votes until they count data sets themselves."""

from sqlalchemy import String, cast, delete, func, insert, literal, null, select

from parley.storage.tables.compact_types import bytes_of
from parley.storage.tables.imports import ImportedVoteRow
from parley.storage.tables.votes import VoteRow
from parley.storage.transaction import Transaction

_TO = VoteRow.c
_FROM = ImportedVoteRow.c


def count_import(transaction: Transaction, import_id: str) -> None:
    """Let the votes of an import count."""
    is_blind = _FROM.kind == "blind"
    digits = (
        func.printf("%016x", _FROM.seq)
        if transaction.dialect == "sqlite"
        else func.lpad(func.to_hex(_FROM.seq), 16, "0")
    )
    vote_id = bytes_of(literal(import_id[:16]) + cast(digits, String))
    voter = func.coalesce(bytes_of(_FROM.voter_id), vote_id)
    values = {
        **{name: _FROM[name] for name in _SAME},
        "id": vote_id,
        "rated": is_blind,
        "voter_id": voter,
        "counted": _FROM.not_counted_reason.is_(None),
        "processing_status": literal("pending", _TO.processing_status.type),
        "origin": literal("import"),
        "result": literal({}, _TO.result.type),
        "categories_by": literal("rules"),
        **{name: null() for name in _NONE},
    }
    query = select(*values.values()).where(_FROM.import_id == import_id).order_by(_FROM.seq)
    transaction.execute(insert(VoteRow.table).from_select(list(values), query, include_defaults=False))


def remove_import(transaction: Transaction, import_id: str) -> None:
    """Let the votes of an import count no more; the standings are rebuilt afterwards."""
    low, high = (bytes_of(literal(import_id[:16] + digit * 16)) for digit in "0f")
    transaction.execute(delete(VoteRow.table).where(_TO.origin == "import", _TO.id >= low, _TO.id <= high))


_SAME = (
    *("kind", "choice", "left_model_id", "right_model_id", "propensity", "not_counted_reason"),
    *("created_at", "categories", "prompt_sha256", "style"),
)
_NONE = (*("match_id", "turn_id", "session_id", "owner_id", "reason", "seats", "excluded_reason", "read_ms"),)
