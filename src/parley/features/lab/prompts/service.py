"""Use cases of prompts: save, version, label, fork, remove."""

from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec

from parley.features.lab.checks.checking import read_checks
from parley.features.lab.checks.contract import CheckSpec
from parley.features.lab.prompts.body import PromptBody
from parley.features.lab.prompts.repository import PromptsRepository
from parley.features.lab.prompts.schemas import (
    MOST_PROMPTS,
    MOST_VERSIONS,
    ChangePrompt,
    ForkPrompt,
    NewPrompt,
    NewVersion,
    PromptDetail,
    PromptView,
    VersionView,
)
from parley.features.lab.tables import PromptLabelRow, PromptRow, PromptVersionRow
from parley.kernel.caller import Caller
from parley.kernel.errors import Conflict, NotFound
from parley.kernel.ids import random_id
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction
from parley.storage.readable_rows import each_readable

PRODUCTION = "production"
"""The label of the version that composers and other programs use."""


class PromptsService:
    """Saves prompts, their versions and labels for their owner."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def list(self, caller: Caller) -> Sequence[PromptView]:
        """Return the caller's prompts by name."""

        def read(transaction: Transaction) -> list[PromptView]:
            repository = PromptsRepository(transaction)
            rows = repository.all(caller.person_id)
            labels = repository.labels([row.id for row in rows])
            versions = {it.prompt_id: it for it in repository.shown(rows, labels, PRODUCTION)}
            return list(
                each_readable(rows, lambda row: view_of(row, labels[row.id], body_of(versions[row.id])))
            )

        return await self._database.read(read)

    async def read(self, caller: Caller, prompt_id: str) -> PromptDetail:
        """Return a prompt with all its versions. Raises NotFound."""
        return await self._database.read(
            lambda transaction: _detail(
                transaction, PromptsRepository(transaction).get(caller.person_id, prompt_id)
            )
        )

    async def create(self, caller: Caller, request: NewPrompt, *, replace: bool = False) -> PromptDetail:
        """Store a prompt with its first version, or with `replace` the next one of a prompt of this name.

        Raises Conflict if the name is taken, or there are too many; Invalid.
        """
        checks = await read_checks(request.checks)
        now, body = self._now(), request.body()

        def store(transaction: Transaction) -> PromptDetail:
            repository = PromptsRepository(transaction)
            known = repository.named(caller.person_id, request.name) if replace else None
            if known is not None:
                known.model_id, known.checks = request.model, msgspec.to_builtins(checks)
                self._add_if_new(repository, known, body, caller, request.note)
                return _detail(transaction, known)
            row = PromptRow(
                id=random_id(),
                owner_id=caller.person_id,
                space_id=caller.space_id,
                name=request.name,
                newest=1,
                model_id=request.model,
                checks=msgspec.to_builtins(checks),
                created_at=now,
                updated_at=now,
            )
            add_prompt(transaction, row, version_row(row, body, caller.author_id, request.note, None))
            return _detail(transaction, row)

        return await self._database.write(store)

    async def add_version(self, caller: Caller, prompt_id: str, request: NewVersion) -> PromptDetail:
        """Store a new version; one that equals the newest is not stored again. Raises NotFound."""
        return await self.add_body(caller, prompt_id, request.body(), request.note, request.parent)

    async def add_body(
        self, caller: Caller, prompt_id: str, body: PromptBody, note: str, parent: int | None
    ) -> PromptDetail:
        """Store a body as the newest version, unless the newest is the same. Raises NotFound."""

        def store(transaction: Transaction) -> PromptDetail:
            repository = PromptsRepository(transaction)
            row = repository.get(caller.person_id, prompt_id)
            self._add_if_new(repository, row, body, caller, note, parent)
            return _detail(transaction, row)

        return await self._database.write(store)

    async def restore(self, caller: Caller, prompt_id: str, number: int) -> PromptDetail:
        """Store an earlier version's body as the newest version. Raises NotFound."""

        def store(transaction: Transaction) -> PromptDetail:
            repository = PromptsRepository(transaction)
            row = repository.get(caller.person_id, prompt_id)
            body = body_of(repository.version(row.id, number))
            self._add_if_new(repository, row, body, caller, f"Restored from v{number}", number)
            return _detail(transaction, row)

        return await self._database.write(store)

    async def change(self, caller: Caller, prompt_id: str, request: ChangePrompt) -> PromptDetail:
        """Change a prompt's name, model or checks. Raises NotFound, Conflict if the name is taken, Invalid."""
        checks = None if request.checks is None else await read_checks(request.checks)
        now = self._now()

        def store(transaction: Transaction) -> PromptDetail:
            repository = PromptsRepository(transaction)
            row = repository.get(caller.person_id, prompt_id)
            if request.name is not None and request.name != row.name:
                _check_free(repository, caller.person_id, request.name)
                row.name = request.name
            if "model" in request.model_fields_set:
                row.model_id = request.model
            if checks is not None:
                row.checks = msgspec.to_builtins(checks)
            row.updated_at = now
            repository.update(row)
            return _detail(transaction, row)

        return await self._database.write(store)

    async def fork(self, caller: Caller, prompt_id: str, request: ForkPrompt) -> PromptDetail:
        """Make a new prompt from a version. Raises NotFound, Conflict if the name is taken."""
        now = self._now()

        def store(transaction: Transaction) -> PromptDetail:
            repository = PromptsRepository(transaction)
            origin = repository.get(caller.person_id, prompt_id)
            body = body_of(repository.version(origin.id, request.version))
            row = msgspec.structs.replace(
                origin, id=random_id(), name=request.name, newest=1, created_at=now, updated_at=now
            )
            note = f"Forked from {origin.name} v{request.version}"
            add_prompt(transaction, row, version_row(row, body, caller.author_id, note, None))
            return _detail(transaction, row)

        return await self._database.write(store)

    async def move_label(
        self, caller: Caller, prompt_id: str, label: str, number: int | None
    ) -> PromptDetail:
        """Point a label to a version, or remove it. Raises NotFound."""
        now = self._now()

        def store(transaction: Transaction) -> PromptDetail:
            repository = PromptsRepository(transaction)
            row = repository.get(caller.person_id, prompt_id)
            if number is None:
                repository.drop_label(row.id, label)
            else:
                repository.version(row.id, number)
                repository.move_label(PromptLabelRow(row.id, label, number, now))
            return _detail(transaction, row)

        return await self._database.write(store)

    async def remove(self, caller: Caller, prompt_id: str) -> None:
        """Remove a prompt with its versions and runs. Raises NotFound."""

        def store(transaction: Transaction) -> None:
            repository = PromptsRepository(transaction)
            repository.remove(repository.get(caller.person_id, prompt_id))

        await self._database.write(store)

    async def body(self, caller: Caller, prompt_id: str, number: int) -> PromptBody:
        """Return the body of a version. Raises NotFound."""

        def read(transaction: Transaction) -> PromptBody:
            repository = PromptsRepository(transaction)
            return body_of(repository.version(repository.get(caller.person_id, prompt_id).id, number))

        return await self._database.read(read)

    async def find(self, caller: Caller, name: str, label: str) -> tuple[PromptView, VersionView]:
        """Return a prompt by its name and one version by a label, `v3` or `newest`. Raises NotFound."""

        def read(transaction: Transaction) -> tuple[PromptView, VersionView]:
            repository = PromptsRepository(transaction)
            row = repository.named(caller.person_id, name)
            if row is None:
                raise NotFound(f"There is no prompt “{name}”.", "Prompt Lab lists yours.")
            labels = repository.labels([row.id])[row.id]
            version = repository.version(row.id, _number(row, labels, label))
            return view_of(row, labels, body_of(version)), version_view(version)

        return await self._database.read(read)

    async def erase(self, caller: Caller) -> int:
        """Remove all the caller's prompts; return how many."""
        return await self._database.write(
            lambda transaction: PromptsRepository(transaction).remove_all(caller.person_id)
        )

    def _add_if_new(
        self,
        repository: PromptsRepository,
        row: PromptRow,
        body: PromptBody,
        caller: Caller,
        note: str,
        parent: int | None = None,
    ) -> None:
        """Add a version, unless the newest is the same; `parent` is the newest if it is not named."""
        parent = parent or row.newest
        repository.version(row.id, parent)
        if repository.version(row.id, row.newest).sha256 == body.sha256:
            repository.update(row)
            return
        if row.newest >= MOST_VERSIONS:
            raise Conflict(
                f"This prompt has {MOST_VERSIONS:,} versions, which is the limit.",
                "Nothing was saved. Fork it to go on.",
                code="too_many_prompts",
            )
        row.newest, row.updated_at = row.newest + 1, self._now()
        repository.update(row)
        repository.add(version_row(row, body, caller.author_id, note, parent))

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


def add_prompt(transaction: Transaction, row: PromptRow, version: PromptVersionRow) -> None:
    """Insert a prompt with its first version. Raises Conflict."""
    repository = PromptsRepository(transaction)
    _check_free(repository, row.owner_id, row.name)
    if repository.count(row.owner_id) >= MOST_PROMPTS:
        raise Conflict(
            f"You have {MOST_PROMPTS:,} prompts, which is the limit.",
            "Nothing was saved. Delete one that you no longer use.",
            code="too_many_prompts",
        )
    repository.add(row)
    repository.add(version)


def version_row(
    row: PromptRow, body: PromptBody, author_id: str, note: str, parent: int | None
) -> PromptVersionRow:
    """Return the row of a prompt's newest version."""
    return PromptVersionRow(
        prompt_id=row.id,
        number=row.newest,
        sha256=body.sha256,
        body=msgspec.to_builtins(body),
        note=note,
        parent=parent,
        author_id=author_id,
        created_at=row.updated_at,
    )


def body_of(row: PromptVersionRow) -> PromptBody:
    """Return the body of a version."""
    return msgspec.convert(row.body, PromptBody)


def checks_of(row: PromptRow) -> tuple[CheckSpec, ...]:
    """Return the checks of a prompt."""
    return msgspec.convert(row.checks, tuple[CheckSpec, ...])


def view_of(row: PromptRow, labels: dict[str, int], body: PromptBody) -> PromptView:
    """Return a prompt as the API shows it."""
    return PromptView(
        id=row.id,
        name=row.name,
        text=body.text,
        newest=row.newest,
        labels=labels,
        model=row.model_id,
        checks=checks_of(row),
        created_at=row.created_at.isoformat(),
        updated_at=row.updated_at.isoformat(),
    )


def version_view(row: PromptVersionRow) -> VersionView:
    """Return a version as the API shows it."""
    body = body_of(row)
    return VersionView(
        number=row.number,
        sha256=row.sha256,
        messages=body.messages,
        variables=body.variables,
        options=body.options,
        note=row.note,
        parent=row.parent,
        author=row.author_id,
        created_at=row.created_at.isoformat(),
    )


def _detail(transaction: Transaction, row: PromptRow) -> PromptDetail:
    repository = PromptsRepository(transaction)
    labels = repository.labels([row.id])[row.id]
    versions = repository.versions(row.id)
    shown = next(it for it in versions if it.number == labels.get(PRODUCTION, row.newest))
    return PromptDetail(
        prompt=view_of(row, labels, body_of(shown)), versions=[version_view(it) for it in versions]
    )


def _number(row: PromptRow, labels: dict[str, int], label: str) -> int:
    if label in labels:
        return labels[label]
    if label == "newest":
        return row.newest
    if label.startswith("v") and label[1:].isdecimal():
        return int(label[1:])
    raise NotFound(
        f"The prompt “{row.name}” has no label “{label}”.",
        "Use a label of it, “newest”, or “v” and a number.",
    )


def _check_free(repository: PromptsRepository, owner_id: str, name: str) -> None:
    if repository.named(owner_id, name) is not None:
        raise Conflict(
            f"A prompt named “{name}” already exists.",
            "Nothing was changed. Choose another name, or edit the existing prompt.",
            code="prompt_exists",
        )
