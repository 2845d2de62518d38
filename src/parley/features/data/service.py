"""Use cases of a person's data as a whole: location, export and deletion."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Collection
from contextlib import suppress
from pathlib import Path

import msgspec

from parley.engine.gateway import Gateway
from parley.features.data.schemas import DataSummary, Erased
from parley.features.feature import Features
from parley.kernel.caller import Caller, Scope, SpaceRole
from parley.kernel.errors import Forbidden, Unavailable
from parley.kernel.parts import Parts
from parley.settings import Settings
from parley.storage.database import Database

log = logging.getLogger(__name__)


class DataService:
    """All of a person's data at once: what every feature stores of them."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._database = parts[Database]

    async def summary(self, caller: Caller, folders: Collection[Path]) -> DataSummary:
        """Return where the data is stored, its size and how many things there are; `folders` are measured."""
        url = self._database.url
        server = url.set(drivername="postgresql").render_as_string()
        address = (url.database if self._database.is_sqlite else server) or ""
        manages = Scope.MANAGE in caller.scopes
        counts = {it.noun: await it.count(self._parts, caller) for it in self._parts[Features].personal}
        return DataSummary(
            folder=str(self._parts[Settings].data_dir) if manages else None,
            database=address if manages else None,
            bytes=await asyncio.to_thread(_size, folders) if manages else None,
            sessions=counts["session"],
            presets=counts["preset"],
            votes=counts["vote"],
        )

    async def export(self, caller: Caller) -> AsyncGenerator[bytes]:
        """Yield JSON lines: each thing of the caller's, as the API shows it."""
        log.info("%s exports all sessions", caller)
        for personal in self._parts[Features].personal:
            if personal.export is not None:
                async for view in personal.export(self._parts, caller):
                    yield _line(personal.noun, view)

    async def erase(self, caller: Caller) -> Erased:
        """Delete everything of the caller's permanently. Votes stay counted, without their texts.

        Raises Forbidden in a workspace of others.
        """
        if caller.space_role not in (None, SpaceRole.OWNER):
            raise Forbidden(
                "Only an owner of this workspace may delete everything in it.",
                "Nothing was deleted. Ask one.",
            )
        log.info("%s deletes all sessions and presets", caller)
        erased = {it.noun: await it.erase(self._parts, caller) for it in self._parts[Features].personal}
        await self._parts[Gateway].forget_answers(caller.person_id)
        try:
            if Scope.MANAGE in caller.scopes:  # for everybody else's data it would hold up the others
                await self._database.compact()
        except Unavailable as error:
            log.warning("everything is deleted, but the database could not be made smaller: %s", error)
        return Erased(sessions=erased["session"], presets=erased["preset"])


def _line(kind: str, view: object) -> bytes:
    return msgspec.json.encode({"kind": kind, kind: view}) + b"\n"


def _size(folders: Collection[Path]) -> int:
    """Return the total size of the files in folders, in bytes; files deleted meanwhile are not counted."""
    total = 0
    for path in {path for folder in folders for path in folder.rglob("*")}:
        with suppress(OSError):
            total += path.stat().st_size if path.is_file() else 0
    return total
