"""Use cases of a person's data as a whole: location, export and deletion."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Collection
from contextlib import suppress
from pathlib import Path

import msgspec

from parley.kernel.caller import Caller
from parley.kernel.errors import NotFound, Unavailable
from parley.storage.database import Database
from parley.workspace.attachments.service import AttachmentsService
from parley.workspace.data.schemas import DataSummary, Erased
from parley.workspace.presets.service import PresetsService
from parley.workspace.sessions.service import SessionsService
from parley.workspace.templates.service import TemplatesService
from parley.workspace.vote_files.exports import ExportOptions, VoteExports

log = logging.getLogger(__name__)


class DataService:
    """All of a person's data at once. Votes are exported by their own service."""

    def __init__(
        self,
        *,
        database: Database,
        folder: Path,
        sessions: SessionsService,
        presets: PresetsService,
        attachments: AttachmentsService,
        templates: TemplatesService,
        votes: VoteExports,
    ) -> None:
        self._database = database
        self._folder = folder
        self._sessions = sessions
        self._presets = presets
        self._attachments = attachments
        self._templates = templates
        self._votes = votes

    async def summary(self, caller: Caller, folders: Collection[Path]) -> DataSummary:
        """Return where the data is stored and its size; `folders` are measured."""
        url = self._database.url
        server = url.set(drivername="postgresql").render_as_string()
        address = url.database if self._database.is_sqlite else server
        return DataSummary(
            folder=str(self._folder),
            database=address or "",
            bytes=await asyncio.to_thread(_size, folders),
            sessions=len(await self._sessions.ids(caller)),
            presets=len(await self._presets.list(caller)),
            votes=sum(await self._votes.count(ExportOptions(kind="jsonl"))),
        )

    async def export(self, caller: Caller) -> AsyncGenerator[bytes]:
        """Yield JSON lines: each preset, template and session with its matches, as the API shows them."""
        log.info("%s exports all sessions", caller)
        for preset in await self._presets.list(caller):
            yield _line("preset", preset)
        for template in await self._templates.list(caller):
            yield _line("template", template)
        for session_id in await self._sessions.ids(caller):
            # Skip a session that was deleted meanwhile.
            with suppress(NotFound):
                yield _line("session", await self._sessions.read(caller, session_id))

    async def erase(self, caller: Caller) -> Erased:
        """Delete all the caller's sessions, attachments, presets and templates permanently.

        Votes stay counted, without their texts.
        """
        log.info("%s deletes all sessions and presets", caller)
        presets = await self._presets.list(caller)
        for preset in presets:
            with suppress(NotFound):
                await self._presets.remove(caller, preset.id)
        await self._templates.erase(caller)
        erased = Erased(sessions=await self._sessions.erase(caller), presets=len(presets))
        await self._attachments.erase(caller)
        try:
            await self._database.compact()
        except Unavailable as error:
            log.warning("everything is deleted, but the database could not be made smaller: %s", error)
        return erased


def _line(kind: str, view: object) -> bytes:
    return msgspec.json.encode({"kind": kind, kind: view}) + b"\n"


def _size(folders: Collection[Path]) -> int:
    """Return the total size of the files in folders, in bytes; files deleted meanwhile are not counted."""
    total = 0
    for path in {path for folder in folders for path in folder.rglob("*")}:
        with suppress(OSError):
            total += path.stat().st_size if path.is_file() else 0
    return total
