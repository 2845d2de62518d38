"""Requests and views of data sets."""

from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from pydantic import Field

from parley.features.lab.prompts.schemas import PromptName, VariableName
from parley.kernel.request import MOST, Request

Split: TypeAlias = Literal["train", "validation", "holdout"]
SPLITS: tuple[Split, ...] = ("train", "validation", "holdout")

MOST_ROWS = 20_000
MOST_DATASETS = 500
MAX_TEXT_BYTES = 30_000_000


class WriteRow(Request):
    """The values of a row by the names of variables, and the expected answer."""

    fields: dict[str, Any]
    expected: Annotated[str, Field(max_length=100_000)] | None = None
    split: Split = "validation"


class NewDataset(Request):
    """A new data set, with rows if there are any."""

    name: PromptName
    rows: Annotated[list[WriteRow], Field(default_factory=list, max_length=MOST_ROWS)]


class RenameDataset(Request):
    """The new name."""

    name: PromptName


class AddRows(Request):
    """Rows to add at the end."""

    rows: Annotated[list[WriteRow], Field(min_length=1, max_length=MOST_ROWS)]


class RowsFromFile(Request):
    """The text of a file with rows: CSV with a header, or one JSON object per line.

    The columns `expected` and `split` are what they say; all others are values.
    """

    format: Literal["csv", "jsonl"]
    text: Annotated[str, Field(min_length=1, max_length=MAX_TEXT_BYTES)]
    split: Split = "validation"


class RowFromTurn(Request):
    """A turn whose question becomes a row, under a variable's name."""

    turn_id: Annotated[str, Field(min_length=1, max_length=32)]
    variable: VariableName
    split: Split = "validation"


class RowsFromBattles(Request):
    """A model whose lost battles become rows: the question under a variable's name, and the voter's reason."""

    model: Annotated[str, Field(min_length=1, max_length=64)]
    variable: VariableName
    split: Split = "train"


class SplitRows(Request):
    """The shares of rows for training, validation and hold-out; a seed makes the same split again."""

    train: Annotated[float, Field(ge=0, le=1)]
    validation: Annotated[float, Field(ge=0, le=1)]
    holdout: Annotated[float, Field(ge=0, le=1)]
    seed: Annotated[int, Field(ge=0, le=MOST)] = 1


class DatasetView(msgspec.Struct, frozen=True, kw_only=True):
    """A data set. `number` and `sha256` are those of its present version."""

    id: str
    name: str
    number: int
    sha256: str
    rows: int
    splits: dict[str, int]
    created_at: str
    updated_at: str


class DatasetList(msgspec.Struct, frozen=True):
    """Every data set of the owner, by name."""

    datasets: list[DatasetView]


class RowView(msgspec.Struct, frozen=True, kw_only=True):
    """A row: its values, the expected answer, its split, and its origin."""

    id: str
    position: int
    split: str
    fields: dict[str, Any]
    expected: str | None
    source: str
    sha256: str


class DatasetDetail(msgspec.Struct, frozen=True, kw_only=True):
    """A data set with some of its rows, from `offset` on."""

    dataset: DatasetView
    columns: tuple[str, ...]
    offset: int
    rows: list[RowView]
