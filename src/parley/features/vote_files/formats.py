"""The formats of vote files, by their endings; Parquet needs pyarrow."""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, TypeAlias

from parley.kernel.errors import Invalid

Format: TypeAlias = Literal["jsonl", "csv", "parquet"]

ENDINGS: dict[str, Format] = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}


def format_of(name: str) -> Format:
    """Return the format for a file's ending. Raises Invalid."""
    found = ENDINGS.get(Path(name).suffix.lower())
    if found is None:
        raise Invalid("file", f"{name} is not a supported file type. Supported: {', '.join(ENDINGS)}.")
    return found


def require_pyarrow() -> None:
    """Raise Invalid if pyarrow is not installed; does not load it."""
    if find_spec("pyarrow") is None:
        raise _no_pyarrow()


def arrow() -> tuple[Any, Any]:
    """Load pyarrow and its Parquet module. Raises Invalid if it is not installed."""
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise _no_pyarrow() from None


def _no_pyarrow() -> Invalid:
    advice = "Install Parley with it: pip install 'parley[parquet]'"
    return Invalid("file", "Parquet needs pyarrow, which is not installed.", advice)
