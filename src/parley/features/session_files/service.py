"""Sessions as files: export, and import from Parley and other chat programs."""

import asyncio
import logging
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from parley.features.catalog.memory import ModelMemory
from parley.features.session_files.conversation import Conversation
from parley.features.session_files.reading import read_file
from parley.features.session_files.repository import SessionFilesRepository
from parley.features.session_files.rows import rows_of, session_id_of
from parley.features.session_files.schemas import ExportSessions, ImportedSessions
from parley.features.session_files.transcript import Transcript, transcript_of
from parley.features.session_files.writing import file_name, write_file
from parley.features.sessions.service import SessionsService
from parley.features.vote_files.model_names import ModelNames
from parley.kernel.caller import Caller
from parley.kernel.errors import NotFound
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction
from parley.storage.tables.conversations import ReplyRow, SessionRow, TurnRow
from parley.storage.tables.declared import Row
from parley.storage.tables.search import SearchTextRow
from parley.text.folding import folded

BATCH = 25
"""How many conversations one transaction stores, so that other writers get their turn between two."""

REPORTED = 100
"""How many unreadable conversations a report names."""

NO_MODEL = "Imported model"
"""The model of a conversation that names none."""

log = logging.getLogger(__name__)


class SessionFiles:
    """Exports what a person can see, and imports conversations as their chats."""

    def __init__(
        self, *, database: Database, sessions: SessionsService, memory: ModelMemory, clock: Clock
    ) -> None:
        self._database = database
        self._sessions = sessions
        self._memory = memory
        self._clock = clock

    async def export(self, caller: Caller, asked: ExportSessions) -> tuple[str, bytes]:
        """Return a file's name and content. Raises NotFound."""
        transcripts: list[Transcript] = []
        for each in dict.fromkeys(asked.ids):
            try:
                transcripts.append(transcript_of(await self._sessions.read(caller, each)))
            except NotFound as error:
                raise NotFound(error.title, f"{each} may have been deleted. Nothing was exported.") from None
        content = await asyncio.to_thread(write_file, transcripts, asked.format)
        return file_name(transcripts, asked.format), content

    async def import_file(self, caller: Caller, path: Path, name: str) -> ImportedSessions:
        """Import each readable conversation of a file that was not imported before. Raises Invalid, DatabaseBusy.

        `name` is what errors call the file. What is stored when this raises stays stored; a second try skips it.
        """
        log.info("%s imports sessions", caller)
        found = await asyncio.to_thread(read_file, path, name)
        names = ModelNames(self._memory.known())
        imported = 0
        for start in range(0, len(found.conversations), BATCH):
            batch = [
                (conversation, self._rows(caller, conversation, names))
                for _, conversation in found.conversations[start : start + BATCH]
            ]
            imported += await self._store(caller, batch, names)
        return ImportedSessions(
            imported=imported,
            already_here=len(found.conversations) - imported,
            unreadable=len(found.skipped),
            skipped=tuple(found.skipped[:REPORTED]),
        )

    def _rows(self, caller: Caller, conversation: Conversation, names: ModelNames) -> list[Row]:
        said = {each.model for each in conversation.exchanges()}
        models = {name: _resolved(names, name or NO_MODEL) for name in said}
        rows = list(rows_of(conversation, caller.person_id, models, self._now()))
        session = next(row for row in rows if isinstance(row, SessionRow))
        # It may have been given by a person, so it is searched like one.
        return [
            *rows,
            SearchTextRow(session.id, session.owner_id, is_title=True, text=folded(session.title)),
        ]

    async def _store(
        self, caller: Caller, batch: Sequence[tuple[Conversation, list[Row]]], names: ModelNames
    ) -> int:
        """Store the new ones; return how many."""

        def store(transaction: Transaction) -> int:
            repository = SessionFilesRepository(transaction)
            self._memory.adopt(transaction, names.cards, self._now())
            imported = 0
            for conversation, rows in batch:
                there = repository.deleted(caller.person_id, _ids(conversation, caller))
                if False in there.values():
                    continue
                imported += 1
                import_id = session_id_of(conversation, caller.person_id)
                if conversation.edited:
                    # What was deleted here does not have it.
                    there = {each: True for each in there if each == import_id}
                if import_id in there and not _begins(repository.digests(import_id), rows):
                    # What was deleted here is not what the file has: the file's is wanted.
                    self._sessions.forget(transaction, import_id)
                    there.pop(import_id)
                if there:
                    repository.restore(next(iter(there)))
                else:
                    repository.insert(*rows)
            return imported

        imported = await self._database.write(store)
        self._memory.learn(names.cards)
        return imported

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


def _resolved(names: ModelNames, name: str) -> str:
    """Return a model's id; that of an unknown one for a name that no model can have."""
    try:
        return names.resolve(name)
    except ValueError:
        return names.resolve(NO_MODEL)


def _ids(conversation: Conversation, caller: Caller) -> list[str]:
    """Return the ids that a conversation may have here: that of an import, or its own before an export."""
    own = conversation.branch_of or conversation.key
    return [
        *([own] if conversation.source == "parley" else []),
        session_id_of(conversation, caller.person_id),
    ]


def _begins(digests: Sequence[str | None], rows: Sequence[Row]) -> bool:
    """Return whether a session here begins with the questions and answers of a file; it may have gone on."""
    answers = {row.turn_id: row.text_sha256 for row in rows if isinstance(row, ReplyRow)}
    turns = [row for row in rows if isinstance(row, TurnRow)]
    wanted = [digest for turn in turns for digest in (turn.input_sha256, answers.get(turn.id))]
    return list(digests[: len(wanted)]) == wanted
