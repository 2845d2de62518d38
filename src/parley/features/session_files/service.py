"""Sessions as files: export, and import from Parley and other chat programs."""

import asyncio
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from parley.features.catalog.memory import ModelMemory
from parley.features.session_files.conversation import Conversation
from parley.features.session_files.entries import ReadFile, entries_of, read_entries
from parley.features.session_files.openai_messages import read_messages
from parley.features.session_files.reading import Entry, ReadConversation
from parley.features.session_files.report import Report
from parley.features.session_files.repository import SessionFilesRepository
from parley.features.session_files.rows import rows_of, session_id_of
from parley.features.session_files.schemas import ExportSessions, ImportedSessions
from parley.features.session_files.transcript import Transcript, transcript_of
from parley.features.session_files.writing import file_name, sessions_of, write_file
from parley.features.sessions.service import SessionsService
from parley.features.vote_files.model_names import NEW_MAX, ModelNames
from parley.kernel.caller import Caller
from parley.kernel.errors import Invalid, NotFound
from parley.kernel.mode import Mode
from parley.kernel.ports import Clock
from parley.kernel.sealing import not_in_sealed
from parley.kernel.views import ModelCard
from parley.storage.database import Database, Transaction
from parley.storage.tables.conversations import ReplyRow, SessionRow, TurnRow
from parley.storage.tables.rows import Row
from parley.storage.tables.search import SearchTextRow
from parley.text.folding import folded

BATCH = 25
"""The conversations that one transaction stores, so that other writers get their turn between two."""

BATCH_CHARS = 1_000_000
"""The characters after which a batch is stored, even if it has fewer conversations."""

_OWN_ID = re.compile("[0-9a-f]{32}")

NO_MODEL = "Imported model"
"""The model of a conversation that names none."""

log = logging.getLogger(__name__)


class SessionFiles:
    """Exports what a person can see, and imports conversations as their chats."""

    def __init__(
        self,
        *,
        database: Database,
        sessions: SessionsService,
        memory: ModelMemory,
        modes: Mapping[str, Mode[Any]],
        clock: Clock,
    ) -> None:
        self._database = database
        self._sessions = sessions
        self._memory = memory
        self._modes = modes
        self._clock = clock
        # A process may take much memory, so there is one.
        self._reading = asyncio.Semaphore(1)

    async def export(self, caller: Caller, request: ExportSessions) -> tuple[str, bytes]:
        """Return a file's name and content. Raises NotFound."""
        transcripts: list[Transcript] = []
        for each in dict.fromkeys(request.ids):
            try:
                transcripts.append(await self.transcript(caller, each))
            except NotFound as error:
                raise NotFound(error.title, f"{each} may have been deleted. Nothing was exported.") from None
        are_sources = request.texts == "source"
        content = await asyncio.to_thread(write_file, transcripts, request.format, are_sources=are_sources)
        return file_name(transcripts, request.format), content

    async def transcript(self, caller: Caller, session_id: str) -> Transcript:
        """Return a session as its viewer may see it. Raises NotFound."""
        view = await self._sessions.read(caller, session_id)
        if view.session.sealed:
            raise not_in_sealed(
                "Exporting, sharing and copying are not possible",
                "Each would make a readable copy outside of the seal.",
            )
        return transcript_of(view, self._readable)

    async def copy(self, caller: Caller, transcript: Transcript) -> str:
        """Store a transcript as chats of the caller's; return the session of its first branch.

        A second copy of the same transcript is the first one. Raises DatabaseBusy.
        """
        now, names = self._now(), ModelNames(self._memory.known())
        copies: list[Conversation] = []
        for each in sessions_of(transcript):
            conversation = read_messages(each, "", ours=True)
            key = f"copy of {conversation.key} {each['messages_sha256']}"
            mine = {"tags": (), "archived": False, "pinned": False, "branch_of": None, "updated_at": now}
            copies.append(msgspec.structs.replace(conversation, key=key, **mine))
        batch = await asyncio.to_thread(lambda: [(each, self._rows(caller, each, names)) for each in copies])
        await self._store(caller, batch, names.cards)
        return session_id_of(copies[0], caller.person_id)

    async def check(self, caller: Caller, session_id: str) -> None:
        """Raise NotFound unless a session is the caller's."""
        await self._sessions.check(caller, session_id)

    async def import_file(self, caller: Caller, path: Path, name: str) -> ImportedSessions:
        """Import each readable conversation of a file that was not imported before.

        `name` is what errors call the file. What is stored when this raises or is cancelled stays stored; a second try
        skips it. Raises Invalid if nothing can be read, DatabaseBusy, OSError.
        """
        log.info("%s imports sessions", caller)
        entries = path.with_name(f"{path.stem}-read.upload")
        try:
            async with self._reading:
                file = await read_entries(path, name, entries)
            return await self._import(caller, file)
        finally:
            await asyncio.to_thread(entries.unlink, missing_ok=True)

    async def _import(self, caller: Caller, file: ReadFile) -> ImportedSessions:
        report, names = Report(), ModelNames(self._memory.known())
        entries, stored_models = entries_of(file), 0
        with closing(entries):
            while batch := await asyncio.to_thread(_batch, entries):
                report.count(batch)
                conversations = await asyncio.to_thread(self._with_rows, caller, batch, names)
                models = names.cards[stored_models:]
                stored_models += len(models)
                report.imported += await self._store(caller, conversations, models)
        if file.ending is not None:
            if not report.places:
                raise Invalid("file", file.ending.title, file.ending.detail)
            report.stopped(file.ending)
        return report.result()

    def _with_rows(
        self, caller: Caller, batch: Sequence[Entry], names: ModelNames
    ) -> list[tuple[Conversation, list[Row]]]:
        return [
            (entry.conversation, self._rows(caller, entry.conversation, names))
            for entry in batch
            if isinstance(entry, ReadConversation)
        ]

    def _readable(self, mode: str, text: str) -> str:
        return self._modes[mode].readable(text) if mode in self._modes else text

    def _rows(self, caller: Caller, conversation: Conversation, names: ModelNames) -> list[Row]:
        model_names = {each.model for each in conversation.exchanges()}
        models = {name: _resolved(names, name or NO_MODEL) for name in model_names}
        rows = list(rows_of(conversation, caller, models, self._now()))
        session = next(row for row in rows if isinstance(row, SessionRow))
        # It may have been given by a person, so it is searched like one.
        return [
            *rows,
            SearchTextRow(session.id, session.owner_id, is_title=True, text=folded(session.title)),
        ]

    async def _store(
        self, caller: Caller, batch: Sequence[tuple[Conversation, list[Row]]], models: Sequence[ModelCard]
    ) -> int:
        """Store the new ones, and the models that are new too; return how many."""

        def store(transaction: Transaction) -> int:
            repository = SessionFilesRepository(transaction)
            self._memory.adopt(transaction, models, self._now())
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
        self._memory.learn(models)
        return imported

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


def _batch(entries: Iterator[Entry]) -> list[Entry]:
    """Return the next entries of a file, as many as one transaction stores. Blocks."""
    batch: list[Entry] = []
    size = 0
    while len(batch) < BATCH and size < BATCH_CHARS and (entry := next(entries, None)) is not None:
        batch.append(entry)
        if isinstance(entry, ReadConversation):
            size += sum(len(each.text) + len(each.reasoning) for each in entry.conversation.messages)
    return batch


def _resolved(names: ModelNames, name: str) -> str:
    """Return a model's id; that of an unknown one for a name that no model can have, or one too many."""
    is_known = name in names.mapped or names.find(name) is not None
    if not is_known and len(names.cards) >= NEW_MAX - 1:
        name = NO_MODEL
    try:
        return names.resolve(name)
    except ValueError:
        return names.resolve(NO_MODEL)


def _ids(conversation: Conversation, caller: Caller) -> list[str]:
    """Return the ids that a conversation may have here: that of an import, or its own before an export."""
    own = conversation.branch_of or conversation.key
    return [
        *([own] if conversation.source == "parley" and _OWN_ID.fullmatch(own) else []),
        session_id_of(conversation, caller.person_id),
    ]


def _begins(digests: Sequence[str | None], rows: Sequence[Row]) -> bool:
    """Return whether a session here begins with the questions and answers of a file; it may have gone on."""
    answers = {row.turn_id: row.text_sha256 for row in rows if isinstance(row, ReplyRow)}
    turns = [row for row in rows if isinstance(row, TurnRow)]
    wanted = [digest for turn in turns for digest in (turn.input_sha256, answers.get(turn.id))]
    return list(digests[: len(wanted)]) == wanted
