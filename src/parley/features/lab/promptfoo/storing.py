"""Stores a promptfoo config as versions of a prompt and rows of a data set, using the same ones again."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from parley.features.lab.checks.contract import CheckSpec
from parley.features.lab.datasets.repository import DatasetsRepository
from parley.features.lab.datasets.row_files import ReadRow
from parley.features.lab.datasets.storing import add_dataset, append_rows, seal
from parley.features.lab.prompts.body import PromptBody, digest_of
from parley.features.lab.prompts.repository import PromptsRepository
from parley.features.lab.prompts.service import add_prompt, version_row
from parley.features.lab.tables import DatasetRow, LabRow, PromptRow
from parley.kernel.caller import Caller
from parley.kernel.ids import random_id
from parley.storage.database import Transaction

SOURCE = "promptfoo"


class Content(NamedTuple):
    """A config's bodies with their labels, its checks and its rows, under one name."""

    name: str
    bodies: Sequence[tuple[str, PromptBody]]
    checks: Sequence[CheckSpec]
    rows: Sequence[Mapping[str, Any]]


class Known(NamedTuple):
    """The prompt and the data set that have a content's name already; `versions` are by hash."""

    prompt: PromptRow | None
    versions: Mapping[str, int]
    dataset: DatasetRow | None
    rows: Sequence[LabRow]

    @property
    def checks(self) -> Sequence[Any]:
        """The prompt's checks, as they are stored."""
        return self.prompt.checks if self.prompt else ()

    def has_rows(self, rows: Sequence[Mapping[str, Any]]) -> bool:
        """Return whether the data set has just these rows."""
        return [row.sha256 for row in self.rows] == [digest_of([row, None]) for row in rows]

    def numbers(self, bodies: Sequence[tuple[str, PromptBody]]) -> list[tuple[int, bool]]:
        """Return the version of each body, and whether it is a new one."""
        newest, numbers = self.prompt.newest if self.prompt else 0, dict(self.versions)
        result: list[tuple[int, bool]] = []
        for _, body in bodies:
            is_new = body.sha256 not in numbers
            if is_new:
                newest += 1
                numbers[body.sha256] = newest
            result.append((numbers[body.sha256], is_new))
        return result


def stored_form(checks: Sequence[CheckSpec]) -> list[Any]:
    """Return checks as the database gives them back: to be compared, tuples have to be lists."""
    return msgspec.json.decode(msgspec.json.encode(checks))


def look_up(transaction: Transaction, caller: Caller, name: str) -> Known:
    """Return the caller's prompt and data set of a name."""
    prompts, datasets = PromptsRepository(transaction), DatasetsRepository(transaction)
    prompt = prompts.named(caller.person_id, name)
    versions = prompts.versions(prompt.id) if prompt else ()
    dataset = next((it for it in datasets.all(caller.person_id) if it.name == name), None)
    rows = datasets.rows(dataset.id, dataset.number) if dataset else ()
    return Known(prompt, {it.sha256: it.number for it in versions}, dataset, rows)


def store(
    transaction: Transaction, caller: Caller, content: Content, now: datetime
) -> tuple[PromptRow, tuple[int, ...], DatasetRow]:
    """Store a content; return its prompt, its versions and its data set. Raises Conflict."""
    known = look_up(transaction, caller, content.name)
    prompt, numbers = _store_prompt(transaction, caller, content, known, now)
    return prompt, numbers, _store_rows(transaction, caller, content, known, now)


def _store_prompt(
    transaction: Transaction, caller: Caller, content: Content, known: Known, now: datetime
) -> tuple[PromptRow, tuple[int, ...]]:
    repository, checks = PromptsRepository(transaction), stored_form(content.checks)
    numbers = known.numbers(content.bodies)
    row = known.prompt or PromptRow(
        id=random_id(),
        owner_id=caller.person_id,
        space_id=caller.space_id,
        name=content.name,
        newest=0,
        model_id=None,
        checks=checks,
        created_at=now,
        updated_at=now,
    )
    for (label, body), (number, is_new) in zip(content.bodies, numbers, strict=True):
        if not is_new:
            continue
        row.newest, row.updated_at = number, now
        version = version_row(row, body, caller.author_id, label, number - 1 or None)
        if known.prompt is None and number == 1:
            add_prompt(transaction, row, version)
        else:
            repository.add(version)
    if row.checks != checks:
        row.checks, row.updated_at = checks, now
    repository.update(row)
    return row, tuple(number for number, _ in numbers)


def _store_rows(
    transaction: Transaction, caller: Caller, content: Content, known: Known, now: datetime
) -> DatasetRow:
    repository, dataset = DatasetsRepository(transaction), known.dataset
    if dataset is not None and known.has_rows(content.rows):
        return dataset
    # A row that stays keeps its split: who divided the rows did so on purpose.
    splits = {row.sha256: row.split for row in known.rows}
    rows: list[ReadRow] = []
    for values in content.rows:
        split: Any = splits.get(digest_of([values, None]), "validation")
        rows.append((dict(values), None, split))
    if dataset is None:
        dataset = add_dataset(repository, caller, content.name, now, "Nothing was imported.")
    else:
        dataset.number, dataset.updated_at = dataset.number + 1, now
        repository.take_out([row.id for row in known.rows], dataset.number)
    append_rows(repository, dataset, rows, SOURCE)
    seal(repository, dataset)
    return dataset
