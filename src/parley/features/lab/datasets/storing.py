"""Stores data sets and their rows within a transaction; `seal` ends a version."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from parley.features.lab.datasets.repository import DatasetsRepository
from parley.features.lab.datasets.row_files import ReadRow
from parley.features.lab.datasets.schemas import MOST_DATASETS, MOST_ROWS
from parley.features.lab.prompts.body import digest_of
from parley.features.lab.tables import DatasetRow, LabRow
from parley.kernel.caller import Caller
from parley.kernel.errors import Conflict
from parley.kernel.ids import ordered_id, random_id


def add_dataset(
    repository: DatasetsRepository, caller: Caller, name: str, now: datetime, undone: str
) -> DatasetRow:
    """Store a data set without rows. Raises Conflict if there are too many; it says what is `undone` then."""
    if repository.count(caller.person_id) >= MOST_DATASETS:
        raise Conflict(
            f"You have {MOST_DATASETS} data sets, which is the limit.",
            f"{undone} Delete one that you no longer use.",
            code="too_many_rows",
        )
    dataset = DatasetRow(
        id=random_id(),
        owner_id=caller.person_id,
        space_id=caller.space_id,
        name=name,
        number=1,
        sha256=digest_of([]),
        created_at=now,
        updated_at=now,
    )
    repository.add(dataset)
    return dataset


def append_rows(
    repository: DatasetsRepository, dataset: DatasetRow, rows: Sequence[ReadRow], source: str
) -> None:
    """Add rows at the end of a data set's present version. Raises Conflict if there are too many."""
    present = sum(repository.splits(dataset).values())
    if present + len(rows) > MOST_ROWS:
        raise Conflict(
            f"“{dataset.name}” would have {present + len(rows):,} rows; the limit is {MOST_ROWS:,}.",
            "Nothing was added. Make another data set.",
            code="too_many_rows",
        )
    last = repository.last_position(dataset)
    repository.add(
        *(
            row_of(dataset, last + place, fields, expected, split, source)
            for place, (fields, expected, split) in enumerate(rows, 1)
        )
    )


def row_of(
    dataset: DatasetRow, position: int, fields: dict[str, Any], expected: str | None, split: str, source: str
) -> LabRow:
    """Return a row that the data set's present version has first."""
    return LabRow(
        id=ordered_id(),
        dataset_id=dataset.id,
        position=position,
        split=split,
        sha256=digest_of([fields, expected]),
        fields=fields,
        expected=expected,
        source=source,
        added_in=dataset.number,
    )


def seal(repository: DatasetsRepository, dataset: DatasetRow) -> None:
    """Store the hash of the present version."""
    dataset.sha256 = digest_of(repository.digests(dataset.id, dataset.number))
    repository.update(dataset)
