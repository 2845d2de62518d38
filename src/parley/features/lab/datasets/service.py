"""Use cases of data sets: rows by hand, from files and from sessions; splits; versions."""

import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import msgspec

from parley.features.lab.datasets.repository import DatasetsRepository
from parley.features.lab.datasets.row_files import ReadRow, read_rows
from parley.features.lab.datasets.schemas import (
    SPLITS,
    AddRows,
    DatasetDetail,
    DatasetView,
    NewDataset,
    RenameDataset,
    RowFromTurn,
    RowsFromBattles,
    RowsFromFile,
    RowView,
    SplitRows,
    WriteRow,
)
from parley.features.lab.datasets.storing import add_dataset, append_rows, row_of, seal
from parley.features.lab.prompts.body import digest_of
from parley.features.lab.tables import DatasetRow, LabRow
from parley.kernel.caller import Caller
from parley.kernel.errors import Conflict, Invalid
from parley.kernel.ids import ordered_id
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction
from parley.storage.readable_rows import each_readable

Change = Callable[[DatasetsRepository, DatasetRow], None]


class DatasetsService:
    """Saves data sets and their rows for their owner. Every change makes a version."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def list(self, caller: Caller) -> Sequence[DatasetView]:
        """Return the caller's data sets by name."""

        def read(transaction: Transaction) -> list[DatasetView]:
            repository = DatasetsRepository(transaction)
            rows = repository.all(caller.person_id)
            return list(each_readable(rows, lambda row: _view(repository, row)))

        return await self._database.read(read)

    async def read(
        self, caller: Caller, dataset_id: str, *, offset: int = 0, limit: int | None = None
    ) -> DatasetDetail:
        """Return a data set with some of its rows. Raises NotFound."""

        def look(transaction: Transaction) -> DatasetDetail:
            repository = DatasetsRepository(transaction)
            row = repository.get(caller.person_id, dataset_id)
            return detail_of(repository, row, offset, limit)

        return await self._database.read(look)

    async def create(self, caller: Caller, request: NewDataset) -> DatasetDetail:
        """Store a data set. Raises Conflict if its name is taken, or there are too many."""
        now = self._now()

        def store(transaction: Transaction) -> DatasetDetail:
            repository = DatasetsRepository(transaction)
            _check_free(repository, caller.person_id, request.name)
            row = add_dataset(repository, caller, request.name, now, "Nothing was saved.")
            append_rows(repository, row, [_written(each) for each in request.rows], "hand")
            seal(repository, row)
            return detail_of(repository, row)

        return await self._database.write(store)

    async def rename(self, caller: Caller, dataset_id: str, request: RenameDataset) -> DatasetDetail:
        """Rename a data set. Raises NotFound, Conflict."""

        def store(transaction: Transaction) -> DatasetDetail:
            repository = DatasetsRepository(transaction)
            row = repository.get(caller.person_id, dataset_id)
            if request.name != row.name:
                _check_free(repository, caller.person_id, request.name)
                row.name = request.name
                repository.update(row)
            return detail_of(repository, row)

        return await self._database.write(store)

    async def add_rows(self, caller: Caller, dataset_id: str, request: AddRows) -> DatasetDetail:
        """Add rows at the end. Raises NotFound, Conflict if there are too many."""
        rows = [_written(each) for each in request.rows]
        return await self._change(caller, dataset_id, lambda it, row: append_rows(it, row, rows, "hand"))

    async def add_file(self, caller: Caller, dataset_id: str, request: RowsFromFile) -> DatasetDetail:
        """Add the rows of a file. Raises Invalid, naming the line; NotFound, Conflict."""
        rows = read_rows(request)
        return await self._change(
            caller, dataset_id, lambda it, row: append_rows(it, row, rows, request.format)
        )

    async def replace_rows(self, caller: Caller, dataset_id: str, request: RowsFromFile) -> DatasetDetail:
        """Replace all rows with those of a file; the same rows make no version. Raises Invalid, NotFound."""
        rows = read_rows(request)

        def change(repository: DatasetsRepository, dataset: DatasetRow) -> None:
            before = repository.rows(dataset.id, dataset.number)
            digests = [(digest_of([fields, expected]), split) for fields, expected, split in rows]
            if [(row.sha256, row.split) for row in before] == digests:
                dataset.number -= 1
                return
            repository.take_out([row.id for row in before], dataset.number)
            append_rows(repository, dataset, rows, request.format)

        return await self._change(caller, dataset_id, change)

    async def add_turn(self, caller: Caller, dataset_id: str, request: RowFromTurn) -> DatasetDetail:
        """Add the question of a turn. Raises NotFound, Invalid."""

        def change(repository: DatasetsRepository, row: DatasetRow) -> None:
            question = repository.question(caller.person_id, request.turn_id)
            if not question:
                raise Invalid(
                    "turn_id", "This question doesn't exist.", "Nothing was added. Reload the session."
                )
            fields = {request.variable.strip(): question}
            append_rows(repository, row, [(fields, None, request.split)], f"turn:{request.turn_id}")

        return await self._change(caller, dataset_id, change)

    async def add_battles(self, caller: Caller, dataset_id: str, request: RowsFromBattles) -> DatasetDetail:
        """Add the questions that a model lost by the caller's votes, those that are there already left out.

        Raises NotFound, Invalid if there are none, Conflict.
        """

        def change(repository: DatasetsRepository, dataset: DatasetRow) -> None:
            known = {row.source for row in repository.rows(dataset.id, dataset.number)}
            lost = [it for it in repository.lost(caller.person_id, request.model) if it.source not in known]
            if not lost:
                raise Invalid(
                    "model",
                    f"You have no votes against “{request.model}” that are not here already.",
                    "Nothing was added. Vote in battles or comparisons, or choose another model.",
                )
            for each in lost:
                reason = {"reason": each.reason} if each.reason else {}
                fields = {request.variable.strip(): each.question, **reason}
                append_rows(repository, dataset, [(fields, each.preferred, request.split)], each.source)

        return await self._change(caller, dataset_id, change)

    async def change_row(
        self, caller: Caller, dataset_id: str, row_id: str, request: WriteRow
    ) -> DatasetDetail:
        """Replace a row. Raises NotFound."""

        def change(repository: DatasetsRepository, dataset: DatasetRow) -> None:
            row = repository.row(dataset, row_id)
            fields, expected, split = _written(request)
            replacement = row_of(dataset, row.position, fields, expected, split, row.source)
            repository.take_out([row.id], dataset.number)
            repository.add(replacement)

        return await self._change(caller, dataset_id, change, row_id=row_id)

    async def remove_row(self, caller: Caller, dataset_id: str, row_id: str) -> DatasetDetail:
        """Remove a row; earlier versions have it still. Raises NotFound."""

        def change(repository: DatasetsRepository, dataset: DatasetRow) -> None:
            repository.take_out([repository.row(dataset, row_id).id], dataset.number)

        return await self._change(caller, dataset_id, change, row_id=row_id)

    async def split(self, caller: Caller, dataset_id: str, request: SplitRows) -> DatasetDetail:
        """Divide all rows by shares, at random but repeatably. Raises NotFound, Invalid."""
        shares = (request.train, request.validation, request.holdout)
        if abs(sum(shares) - 1) > 0.001:
            raise Invalid("train", "The three shares must add up to 100%.", "Nothing was changed.")

        def change(repository: DatasetsRepository, dataset: DatasetRow) -> None:
            rows = repository.rows(dataset.id, dataset.number - 1)
            order = list(range(len(rows)))
            random.Random(request.seed).shuffle(order)  # noqa: S311 - repeatable on purpose
            ends = [round(len(rows) * sum(shares[: place + 1])) for place in range(3)]
            for place, index in enumerate(order):
                split = next(name for name, end in zip(SPLITS, ends, strict=True) if place < end)
                row = rows[index]
                if row.split != split:
                    repository.take_out([row.id], dataset.number)
                    repository.add(
                        msgspec.structs.replace(row, id=ordered_id(), split=split, added_in=dataset.number)
                    )

        return await self._change(caller, dataset_id, change)

    async def remove(self, caller: Caller, dataset_id: str) -> None:
        """Remove a data set; runs keep their results. Raises NotFound."""

        def store(transaction: Transaction) -> None:
            repository = DatasetsRepository(transaction)
            repository.remove(repository.get(caller.person_id, dataset_id))

        await self._database.write(store)

    async def erase(self, caller: Caller) -> int:
        """Remove all the caller's data sets; return how many."""
        return await self._database.write(
            lambda transaction: DatasetsRepository(transaction).remove_all(caller.person_id)
        )

    async def _change(
        self, caller: Caller, dataset_id: str, change: Change, *, row_id: str | None = None
    ) -> DatasetDetail:
        """Make the next version of a data set."""
        now = self._now()

        def store(transaction: Transaction) -> DatasetDetail:
            repository = DatasetsRepository(transaction)
            dataset = repository.get(caller.person_id, dataset_id)
            if row_id is not None:
                repository.row(dataset, row_id)
            dataset.number, dataset.updated_at = dataset.number + 1, now
            change(repository, dataset)
            seal(repository, dataset)
            return detail_of(repository, dataset)

        return await self._database.write(store)

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


def _written(row: WriteRow) -> ReadRow:
    return dict(row.fields), row.expected, row.split


def _view(repository: DatasetsRepository, row: DatasetRow) -> DatasetView:
    splits = repository.splits(row)
    return DatasetView(
        id=row.id,
        name=row.name,
        number=row.number,
        sha256=row.sha256,
        rows=sum(splits.values()),
        splits={name: splits.get(name, 0) for name in SPLITS},
        created_at=row.created_at.isoformat(),
        updated_at=row.updated_at.isoformat(),
    )


def detail_of(
    repository: DatasetsRepository, row: DatasetRow, offset: int = 0, limit: int | None = None
) -> DatasetDetail:
    """Return a data set with some of its rows as the API shows it."""
    rows = repository.rows(row.id, row.number, offset=offset, limit=limit)
    columns = dict.fromkeys(name for each in rows for name in each.fields)
    return DatasetDetail(
        dataset=_view(repository, row),
        columns=tuple(columns),
        offset=offset,
        rows=[row_view(each) for each in rows],
    )


def row_view(row: LabRow) -> RowView:
    """Return a row as the API shows it."""
    return RowView(**{name: getattr(row, name) for name in RowView.__struct_fields__})


def _check_free(repository: DatasetsRepository, owner_id: str, name: str) -> None:
    if repository.named(owner_id, name) is not None:
        raise Conflict(
            f"A data set named “{name}” already exists.",
            "Nothing was changed. Choose another name.",
            code="dataset_exists",
        )
