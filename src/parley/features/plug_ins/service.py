"""Use cases of plug-ins that are YAML: add, change, switch, delete, restore; and what others take from them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from datetime import UTC, datetime

import msgspec

from parley.features.moderation.tables import RuleRow
from parley.features.plug_ins.fitting import as_plug_in, check_fit, misfit, rule_body
from parley.features.plug_ins.folder import FolderFile, PlugInFolder
from parley.features.plug_ins.reading import PlugIn, read_source
from parley.features.plug_ins.repository import PlugInsRepository, no_plug_in
from parley.features.plug_ins.schemas import AddPlugIn, ChangePlugIn, InstalledPlugIn, PlugInList, PlugInView
from parley.features.plug_ins.tables import PlugInRow
from parley.features.usage.service import UsageService
from parley.kernel.caller import Caller, Scope
from parley.kernel.errors import Conflict, Forbidden
from parley.kernel.ids import random_id
from parley.kernel.messages import sha256_text
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction

MOST = 100
"""The most plug-ins of a person, of a workspace, and of everybody."""

MOST_DELETED = 100
"""The deleted plug-ins that can be restored; they are forgotten when the server stops."""

_BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


class PlugIns:
    """Keeps plug-ins for people, workspaces and everybody, beside the files of the data folder.

    `words_changed` is awaited after every change of a word list, before it is answered.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        folder: PlugInFolder,
        usage: UsageService,
        installed: Sequence[InstalledPlugIn],
        words_changed: Callable[[], Awaitable[object]],
        *,
        moderates: bool,
    ) -> None:
        """`moderates`: rules of moderation are applied here."""
        self._database = database
        self._clock = clock
        self._folder = folder
        self._usage = usage
        self._installed = installed
        self._words_changed = words_changed
        self._moderates = moderates
        self._deleted: dict[str, PlugInRow] = {}

    async def list(self, caller: Caller) -> PlugInList:
        """Return what the caller sees: their own or the workspace's, everybody's, and the folder's."""
        manages = Scope.MANAGE in caller.scopes
        rows = await self._database.read(lambda it: PlugInsRepository(it).seen_by(caller.person_id))
        files = await asyncio.to_thread(self._folder.read)
        views = [self._view(caller, row) for row in rows]
        # A file that can't be read is for who can mend it.
        views += [self._file_view(file) for file in files if manages or not file.problem]
        return PlugInList(
            plug_ins=views,
            installed=list(self._installed) if manages else [],
            folder=str(self._folder.path) if manages else None,
            may_add_for_everybody=manages,
        )

    async def add(self, caller: Caller, request: AddPlugIn) -> PlugInView:
        """Store a new plug-in, which takes effect. Raises Invalid, Forbidden, Conflict."""
        plug_in = await self._read(caller, request.text, everybody=request.everybody)
        now = self._now()
        row = PlugInRow(
            id=random_id(),
            owner_id=None if request.everybody else caller.person_id,
            kind=plug_in.kind,
            name=plug_in.name,
            text=request.text,
            content=_stored(plug_in),
            enabled=True,
            created_at=now,
            updated_at=now,
        )
        await self._store(row)
        return self._view(caller, row)

    async def change(self, caller: Caller, plug_in_id: str, request: ChangePlugIn) -> PlugInView:
        """Change a plug-in's text or state. Raises NotFound, Invalid, Forbidden, Conflict."""
        before = await self._database.read(lambda it: self._changeable(it, caller, plug_in_id))
        plug_in = None
        if request.text is not None:
            plug_in = await self._read(caller, request.text, everybody=before.owner_id is None)
        now = self._now()

        def store(transaction: Transaction) -> PlugInRow:
            row = self._changeable(transaction, caller, plug_in_id)
            if plug_in is not None and request.text is not None:
                row.kind, row.name, row.text = plug_in.kind, plug_in.name, request.text
                row.content = _stored(plug_in)
                _check_name(PlugInsRepository(transaction), row)
            row.enabled = row.enabled if request.enabled is None else request.enabled
            row.updated_at = now
            PlugInsRepository(transaction).update(row)
            return row

        row = await self._database.write(store)
        if "words" in (row.kind, before.kind):
            await self._words_changed()
        return self._view(caller, row)

    async def delete(self, caller: Caller, plug_in_id: str) -> None:
        """Delete a plug-in; it can be restored. Raises NotFound, Forbidden."""

        def store(transaction: Transaction) -> PlugInRow:
            row = self._changeable(transaction, caller, plug_in_id)
            PlugInsRepository(transaction).remove(row)
            return row

        row = await self._database.write(store)
        self._deleted[plug_in_id] = row
        while len(self._deleted) > MOST_DELETED:
            del self._deleted[next(iter(self._deleted))]
        if row.kind == "words":
            await self._words_changed()

    async def restore(self, caller: Caller, plug_in_id: str) -> PlugInView:
        """Restore a deleted plug-in. Raises NotFound, Forbidden, Conflict if its name is taken meanwhile."""
        row = self._deleted.get(plug_in_id)
        if row is None or row.owner_id not in (None, caller.person_id):
            raise no_plug_in()
        _check_may(caller, row.kind, everybody=row.owner_id is None)
        await self._store(row)
        self._deleted.pop(plug_in_id, None)
        return self._view(caller, row)

    async def word_lists(self) -> Sequence[RuleRow]:
        """Return the word lists that are on, as rules of moderation."""
        rows = await self._database.read(lambda it: PlugInsRepository(it).word_lists())
        rules = [
            _rule(row.id, as_plug_in(row.kind, row.name, row.content), row.owner_id, row.created_at)
            for row in rows
        ]
        rules.extend(
            _rule(_file_id(file), file.source.plug_in, None, _BEGAN)
            for file in await asyncio.to_thread(self._folder.read)
            if file.source and file.source.plug_in.kind == "words" and not self._problem_of(file)
        )
        return rules

    # ── a person's own ───────────────────────────────────────────────────────────────────────────

    async def count(self, caller: Caller) -> int:
        """Return how many the person or workspace has."""
        return await self._database.read(lambda it: PlugInsRepository(it).count(caller.person_id))

    async def export(self, caller: Caller) -> AsyncIterator[PlugInView]:
        """Yield those of the person or workspace."""
        for row in await self._database.read(lambda it: PlugInsRepository(it).of(caller.person_id)):
            yield self._view(caller, row)

    async def erase(self, caller: Caller) -> int:
        """Delete those of the person or workspace for good, also what could be restored; return how many."""
        owner = caller.person_id
        self._deleted = {key: row for key, row in self._deleted.items() if row.owner_id != owner}
        erased = await self._database.write(lambda it: PlugInsRepository(it).erase(owner))
        await self._words_changed()
        return erased

    # ── private ──────────────────────────────────────────────────────────────────────────────────

    async def _read(self, caller: Caller, text: str, *, everybody: bool) -> PlugIn:
        source = await asyncio.to_thread(read_source, text)
        plug_in = source.plug_in
        _check_may(caller, plug_in.kind, everybody=everybody)
        await check_fit(source, self._usage)
        files = await asyncio.to_thread(self._folder.read)
        for file in files:
            if file.source and file.source.plug_in[:2] == plug_in[:2]:
                raise _exists(plug_in.kind, plug_in.name, f"the file {file.name} of the data folder")
        return plug_in

    async def _store(self, row: PlugInRow) -> None:
        def store(transaction: Transaction) -> None:
            repository = PlugInsRepository(transaction)
            _check_name(repository, row)
            if len(repository.of(row.owner_id)) >= MOST:
                raise Conflict(
                    f"There are {MOST} plug-ins already.",
                    "Nothing was saved. Delete one first.",
                    code="too_many_plug_ins",
                )
            repository.add(row)

        await self._database.write(store)
        if row.kind == "words":
            await self._words_changed()

    def _changeable(self, transaction: Transaction, caller: Caller, plug_in_id: str) -> PlugInRow:
        row = PlugInsRepository(transaction).get(caller.person_id, plug_in_id)
        _check_may(caller, row.kind, everybody=row.owner_id is None)
        return row

    def _view(self, caller: Caller, row: PlugInRow) -> PlugInView:
        plug_in = as_plug_in(row.kind, row.name, row.content)
        origin = "everybody" if row.owner_id is None else "workspace" if caller.member_id else "own"
        return PlugInView(
            id=row.id,
            kind=plug_in.kind,
            name=row.name,
            title=plug_in.title,
            about=plug_in.about,
            origin=origin,
            file=None,
            enabled=row.enabled,
            may_change=caller.may_write and _may(caller, row.kind, everybody=row.owner_id is None),
            text=row.text,
            content=plug_in.content,
            problem=self._misfit(plug_in),
            updated_at=row.updated_at.isoformat(),
        )

    def _file_view(self, file: FolderFile) -> PlugInView:
        plug_in = file.source.plug_in if file.source else None
        problem = self._problem_of(file)
        return PlugInView(
            id=_file_id(file),
            kind=plug_in.kind if plug_in else None,
            name=plug_in.name if plug_in else file.name,
            title=plug_in.title if plug_in else file.name,
            about=plug_in.about if plug_in else "",
            origin="folder",
            file=file.name,
            enabled=not problem,
            may_change=False,
            text=file.text,
            content=plug_in.content if plug_in else None,
            problem=problem,
            updated_at=None,
        )

    def _problem_of(self, file: FolderFile) -> str | None:
        if file.problem or file.source is None:
            return file.problem
        return self._misfit(file.source.plug_in)

    def _misfit(self, plug_in: PlugIn) -> str | None:
        if plug_in.kind == "words" and not self._moderates:
            return "Moderation is off where only you use Parley: start it with PARLEY_MODERATION=on."
        wrong = misfit(plug_in, self._usage)
        return f"{plug_in.kind}.{wrong[0]}: {wrong[1].rstrip('.')}." if wrong else None

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


def _may(caller: Caller, kind: str, *, everybody: bool) -> bool:
    """Return whether the caller may have such a plug-in: providers and moderation are for administrators."""
    return Scope.MANAGE in caller.scopes or not (everybody or kind in ("connector", "words"))


def _check_may(caller: Caller, kind: str, *, everybody: bool) -> None:
    if not _may(caller, kind, everybody=everybody):
        what = "plug-ins for everybody" if everybody else "providers and word lists"
        raise Forbidden(
            f"Only administrators add and change {what}.",
            "Nothing was changed. You can have checks, cards and views of your own.",
        )


def _check_name(repository: PlugInsRepository, row: PlugInRow) -> None:
    """Refuse a name that whoever sees the plug-in knows already for another of its kind."""
    seen = repository.of(None) if row.owner_id is None else repository.seen_by(row.owner_id)
    if any((each.kind, each.name) == (row.kind, row.name) and each.id != row.id for each in seen):
        raise _exists(row.kind, row.name, "another plug-in")


def _exists(kind: str, name: str, where: str) -> Conflict:
    return Conflict(
        f"There is a {kind} named “{name}” already: {where}.",
        "Nothing was saved. Choose another name.",
        code="plug_in_exists",
    )


def _stored(plug_in: PlugIn) -> dict[str, object]:
    return {"title": plug_in.title, "about": plug_in.about, "content": plug_in.content}


def _file_id(file: FolderFile) -> str:
    return sha256_text(file.name)[:32]


def _rule(rule_id: str, plug_in: PlugIn, owner_id: str | None, created_at: datetime) -> RuleRow:
    fields = {
        **rule_body(plug_in).model_dump(),
        "audience": "everybody" if owner_id is None else "workspace",
        "space_id": owner_id,
    }
    return msgspec.convert({**fields, "id": rule_id, "created_at": created_at}, RuleRow)
