"""Columns of names as integer codes: lists, NumPy arrays and Arrow arrays alike."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeAlias, runtime_checkable

import msgspec
import numpy as np
from numpy.typing import NDArray

from parley.ratings.arrays import Codes

MISSING = -1
"""The code of an entry that is None or NaN."""


class ArrowBuffer(Protocol):
    """The part of pyarrow's arrays of integers and names that is used."""

    def fill_null(self, value: int) -> "ArrowBuffer":
        """Put a value where there is none."""
        ...

    def to_numpy(self, zero_copy_only: bool = True) -> NDArray[np.integer]:
        """Return an array, a copy where it must be one."""
        ...

    def to_pylist(self) -> list[object]:
        """Return Python's values."""
        ...


@runtime_checkable
class ArrowColumn(Protocol):
    """The part of a pyarrow Array or ChunkedArray that is used; pyarrow itself is never imported here."""

    dictionary: ArrowBuffer
    indices: ArrowBuffer

    def dictionary_encode(self) -> "ArrowColumn":
        """Return the same as codes and a dictionary."""
        ...

    def unify_dictionaries(self) -> "ArrowColumn":
        """Return chunks that share one dictionary."""
        ...

    def combine_chunks(self) -> "ArrowColumn":
        """Return one chunk."""
        ...


Column: TypeAlias = Sequence[object] | NDArray[np.generic] | ArrowColumn


class Coded(msgspec.Struct, frozen=True, eq=False):
    """A column as codes: entry k is `names[codes[k]]`, or missing where the code is -1."""

    codes: Codes
    names: tuple[object, ...]


def coded(column: Column) -> Coded:
    """Return a column's distinct values and its codes."""
    if hasattr(column, "dictionary_encode"):
        return _of_arrow(column)  # type: ignore[arg-type]
    if isinstance(column, np.ndarray):
        return _of_array(column)
    return _of_values(column)  # type: ignore[arg-type]


def translated(column: Coded, numbers: Mapping[object, int]) -> Codes:
    """Return for every entry the number of its name; -1 where it is missing or has none."""
    table = np.array([numbers.get(name, MISSING) for name in column.names] + [MISSING], dtype=np.int32)
    return table[column.codes]


def _of_values(values: Iterable[object]) -> Coded:
    places: dict[object, int] = {None: MISSING}
    # NaN is the one value that does not equal itself.
    codes = np.fromiter(
        (places.setdefault(it if it == it else None, len(places) - 1) for it in values),
        dtype=np.int32,
    )
    return Coded(codes, tuple(places)[1:])


def _of_array(values: NDArray[np.generic]) -> Coded:
    if values.dtype.kind not in "USiub":
        return _of_values(values.tolist())
    names, codes = np.unique(values, return_inverse=True)
    return Coded(codes.reshape(-1).astype(np.int32), tuple(names.tolist()))


def _of_arrow(column: ArrowColumn) -> Coded:
    encoded = column.dictionary_encode()
    if hasattr(encoded, "unify_dictionaries"):
        encoded = encoded.unify_dictionaries().combine_chunks()
    codes = encoded.indices.fill_null(MISSING).to_numpy(zero_copy_only=False)
    return Coded(codes.astype(np.int32, copy=False), tuple(encoded.dictionary.to_pylist()))
