"""The queries of imports."""

from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec
from sqlalchemy import delete, func, select

from parley.features.vote_files.parsing import FileVote
from parley.storage.audit_log import append_import, lock_head, seconds_text, time_text
from parley.storage.bulk import bulk_insert, stored_time
from parley.storage.documents import encode_document
from parley.storage.tables.conversations import UserRow
from parley.storage.tables.imports import LOADING, READY, ImportedVoteRow, ImportRow
from parley.storage.tables.rows import select_rows
from parley.storage.tables.votes import VoteRow
from parley.storage.transaction import Transaction

DELETED_AT_ONCE = 20_000
"""Votes that one transaction deletes: on SQLite others wait for it."""

_COLUMNS = (
    *("import_id", "seq", "voter_id", "left_model_id", "right_model_id", "choice", "created_at", "kind"),
    *("not_counted_reason", "propensity", "categories", "prompt_sha256", "style", "source"),
)
_VOTE = ImportedVoteRow.c


class ImportsRepository:
    """Queries on one open transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self._db = transaction

    def own_voters(self) -> set[str]:
        """Return the pseudonyms of this installation."""
        return set(self._db.scalars(select(UserRow.c.voter_id)))

    def has_cast_here(self) -> bool:
        """Return whether there are votes that were cast here."""
        return self._db.scalar(select(VoteRow.c.seq).where(VoteRow.c.origin == "here").limit(1)) is not None

    def cast_here(self, ids: Sequence[str]) -> set[str]:
        """Return which of the ids are votes that were cast here."""
        return set(self._db.scalars(select(VoteRow.c.id).where(VoteRow.c.id.in_(ids))))

    def ready(self) -> list[ImportRow]:
        """Return the imports, the newest first."""
        query = select_rows(ImportRow).where(ImportRow.c.state == READY)
        return self._db.select(ImportRow, query.order_by(ImportRow.c.created_at.desc(), ImportRow.c.id))

    def of_file(self, sha256: str) -> ImportRow | None:
        """Return the import of a file."""
        return self._db.find(ImportRow, ImportRow.c.sha256 == sha256, ImportRow.c.state == READY)

    def of_id(self, import_id: str) -> ImportRow | None:
        """Return an import."""
        return self._db.find(ImportRow, ImportRow.c.id == import_id, ImportRow.c.state == READY)

    def loading(self) -> list[str]:
        """Return the ids of imports that are not complete, or were removed."""
        return list(self._db.scalars(select(ImportRow.c.id).where(ImportRow.c.state == LOADING)))

    def begin(self, row: ImportRow) -> None:
        """Store an import that has no votes yet."""
        self._db.insert(row)

    def load(self, import_id: str, first_seq: int, votes: Sequence[FileVote], now: datetime) -> None:
        """Store votes of an import that is not complete; those without a time get `now`."""
        sqlite, undated = self._db.dialect == "sqlite", time_text(now)
        self._db.scalar(select(ImportRow.c.id).where(ImportRow.c.id == import_id))
        rows = [
            (
                *(import_id, seq, vote.voter, vote.left, vote.right, vote.choice),
                stored_time(undated if vote.seconds is None else seconds_text(vote.seconds), sqlite=sqlite),
                *(vote.kind, vote.reason, vote.propensity, encode_document(vote.categories)),
                *(vote.prompt_sha256, vote.style and msgspec.json.encode(vote.style).decode(), vote.source),
            )
            for seq, vote in enumerate(votes, first_seq)
        ]
        bulk_insert(self._db, ImportedVoteRow, _COLUMNS, rows)

    def publish(self, row: ImportRow, now: datetime) -> None:
        """Make an import's votes exist, with an entry in the audit log."""
        self._db.update(row)
        append_import(self._db, lock_head(self._db), _entry(row), now, removed=False)

    def hide(self, row: ImportRow, now: datetime) -> None:
        """Let an import's votes exist no more, with an entry in the audit log; `delete_some` deletes them."""
        row.state = LOADING
        self._db.update(row, columns=("state",))
        append_import(self._db, lock_head(self._db), _entry(row), now, removed=True)

    def delete_some(self, import_id: str) -> bool:
        """Delete votes of an import that does not exist for anybody, and it with the last ones.

        Returns whether there are more.
        """
        last = self._db.scalar(select(func.max(_VOTE.seq)).where(_VOTE.import_id == import_id)) or 0
        chosen = (_VOTE.import_id == import_id, _VOTE.seq > last - DELETED_AT_ONCE)
        self._db.execute(delete(ImportedVoteRow.table).where(*chosen))
        if last > DELETED_AT_ONCE:
            return True
        self._db.execute(delete(ImportRow.table).where(ImportRow.c.id == import_id))
        return False


def _entry(row: ImportRow) -> dict[str, object]:
    return {"import_id": row.id, "name": row.name, "file_sha256": row.sha256, "votes": row.votes}


def moment(seconds: float) -> datetime:
    """Return a clock's seconds as a time."""
    return datetime.fromtimestamp(seconds, UTC)
