"""Routes of data sets."""

from typing import Annotated

from fastapi import Query

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.features.lab.datasets.schemas import (
    MAX_TEXT_BYTES,
    AddRows,
    DatasetDetail,
    DatasetList,
    NewDataset,
    RenameDataset,
    RowFromTurn,
    RowsFromBattles,
    RowsFromFile,
    SplitRows,
    WriteRow,
)
from parley.features.lab.datasets.service import DatasetsService
from parley.kernel.caller import Scope
from parley.kernel.request import MOST, Number

routes = Routes("/api/lab/datasets", tag="lab", needs=Scope.TALK)

ROW = {"fields": {"text": "It rains."}, "expected": "rain"}
FULL = ("too_many_rows",)


@routes.get()
async def list_datasets(app: App, caller: CallerDep) -> DatasetList:
    """List data sets by name."""
    return DatasetList(list(await app[DatasetsService].list(caller)))


@routes.post(
    errors=("dataset_exists", *FULL), most_bytes=MAX_TEXT_BYTES, example={"name": "Weather", "rows": [ROW]}
)
async def create_dataset(body: NewDataset, app: App, caller: CallerDep) -> DatasetDetail:
    """Save a data set under a new name."""
    return await app[DatasetsService].create(caller, body)


@routes.get("/{dataset_id}")
async def read_dataset(
    dataset_id: str,
    app: App,
    caller: CallerDep,
    *,
    offset: Annotated[int, Query(ge=0, le=MOST, description="The rows to skip.")] = 0,
    limit: Annotated[Number | None, Query(description="The most rows to return.")] = None,
) -> DatasetDetail:
    """Read a data set with its rows."""
    return await app[DatasetsService].read(caller, dataset_id, offset=offset, limit=limit)


@routes.patch("/{dataset_id}", errors=("dataset_exists",), example={"name": "Weather"})
async def rename_dataset(dataset_id: str, body: RenameDataset, app: App, caller: CallerDep) -> DatasetDetail:
    """Rename a data set."""
    return await app[DatasetsService].rename(caller, dataset_id, body)


@routes.delete("/{dataset_id}")
async def remove_dataset(dataset_id: str, app: App, caller: CallerDep) -> None:
    """Remove a data set with its rows. Recorded answers are kept."""
    await app[DatasetsService].remove(caller, dataset_id)


@routes.post("/{dataset_id}/rows", errors=FULL, most_bytes=MAX_TEXT_BYTES, example={"rows": [ROW]})
async def add_rows(dataset_id: str, body: AddRows, app: App, caller: CallerDep) -> DatasetDetail:
    """Add rows at the end."""
    return await app[DatasetsService].add_rows(caller, dataset_id, body)


@routes.post(
    "/{dataset_id}/file",
    errors=FULL,
    most_bytes=MAX_TEXT_BYTES,
    example={"format": "csv", "text": "text,expected\nIt rains.,rain\n"},
)
async def add_file(dataset_id: str, body: RowsFromFile, app: App, caller: CallerDep) -> DatasetDetail:
    """Add the rows of a file: CSV with a header, or one JSON object per line."""
    return await app[DatasetsService].add_file(caller, dataset_id, body)


@routes.put(
    "/{dataset_id}/file",
    errors=FULL,
    most_bytes=MAX_TEXT_BYTES,
    example={"format": "csv", "text": "text,expected\nIt rains.,rain\n"},
)
async def replace_rows(dataset_id: str, body: RowsFromFile, app: App, caller: CallerDep) -> DatasetDetail:
    """Replace all rows with those of a file. Earlier versions keep the old ones."""
    return await app[DatasetsService].replace_rows(caller, dataset_id, body)


@routes.post(
    "/{dataset_id}/turns",
    errors=FULL,
    example={"turn_id": "0123456789abcdef0123456789abcdef", "variable": "text"},
)
async def add_turn(dataset_id: str, body: RowFromTurn, app: App, caller: CallerDep) -> DatasetDetail:
    """Add the question of a turn as a row."""
    return await app[DatasetsService].add_turn(caller, dataset_id, body)


@routes.post("/{dataset_id}/battles", errors=FULL, example={"model": "my-model", "variable": "text"})
async def add_battles(dataset_id: str, body: RowsFromBattles, app: App, caller: CallerDep) -> DatasetDetail:
    """Add the questions that a model lost by your votes; expected is the answer that you preferred."""
    return await app[DatasetsService].add_battles(caller, dataset_id, body)


@routes.put("/{dataset_id}/rows/{row_id}", example=ROW)
async def change_row(
    dataset_id: str, row_id: str, body: WriteRow, app: App, caller: CallerDep
) -> DatasetDetail:
    """Replace a row. Earlier versions keep the old one."""
    return await app[DatasetsService].change_row(caller, dataset_id, row_id, body)


@routes.delete("/{dataset_id}/rows/{row_id}")
async def remove_row(dataset_id: str, row_id: str, app: App, caller: CallerDep) -> DatasetDetail:
    """Remove a row. Earlier versions keep it."""
    return await app[DatasetsService].remove_row(caller, dataset_id, row_id)


@routes.post("/{dataset_id}/split", example={"train": 0.5, "validation": 0.3, "holdout": 0.2})
async def split_rows(dataset_id: str, body: SplitRows, app: App, caller: CallerDep) -> DatasetDetail:
    """Divide the rows at random into training, validation and hold-out."""
    return await app[DatasetsService].split(caller, dataset_id, body)
