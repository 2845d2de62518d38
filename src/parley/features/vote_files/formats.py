"""The formats of vote files, by their endings."""

from pathlib import Path
from typing import Literal, TypeAlias

from parley.kernel.errors import Invalid

Format: TypeAlias = Literal["jsonl", "csv", "parquet"]

ENDINGS: dict[str, Format] = {
    **dict.fromkeys((".csv", ".tsv", ".txt"), "csv"),
    **dict.fromkeys((".jsonl", ".ndjson"), "jsonl"),
    ".parquet": "parquet",
}


def format_of(name: str) -> Format:
    """Return the format for a file's ending. Raises Invalid."""
    file_format = ENDINGS.get(Path(name).suffix.lower())
    if file_format is None:
        raise Invalid("file", f"{name} is not a supported file type. Supported: {', '.join(ENDINGS)}.")
    return file_format
