"""Files of votes that attack: whatever one holds, it is refused in words, in bounded time and memory."""

import io
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from parley.features.vote_files.columns import READ, FileRow, needed_columns
from parley.features.vote_files.formats import Format
from parley.features.vote_files.limits import ROWS_FREE, FileLimits
from parley.features.vote_files.rows import VoteRows
from parley.kernel.errors import Invalid

NEEDED = ("model_a", "model_b", "winner")
VOTE = {"model_a": "ada", "model_b": "bob", "winner": "tie"}
HEADER = b"model_a,model_b,winner"


def rows_of(path: Path, kind: Format, **limits: int) -> VoteRows:
    return VoteRows(path, kind, needed_columns(NEEDED), columns=READ, limits=FileLimits(**limits))


def refused(path: Path, kind: Format, **limits: int) -> str:
    with pytest.raises(Invalid) as raised:
        for _ in rows_of(path, kind, **limits):
            pass
    return f"{raised.value.title} {raised.value.detail}"


def same(value: Any, times: int) -> pa.Array:
    """The same value many times, which takes no space in the file."""
    return pa.DictionaryArray.from_arrays(pa.array([0] * times, pa.int32()), pa.array([value]))


def votes_file(path: Path, rows: int, **columns: Any) -> Path:
    given = {**{name: same(value, rows) for name, value in VOTE.items()}, **columns}
    parquet.write_table(pa.table(given), path, compression="zstd")
    return path


def text_of(path: Path, parts: Iterator[bytes] | Sequence[bytes]) -> Path:
    with path.open("wb") as file:
        file.writelines(parts)
    return path


def test_a_text_that_is_there_once_and_stands_for_gigabytes_is_refused(tmp_path: Path) -> None:
    path = votes_file(tmp_path / "v.parquet", 300, conversation_a=same("x" * (4 << 20), 300))
    assert path.stat().st_size < 60_000
    assert "times its size" in refused(path, "parquet")


def test_one_value_of_many_megabytes_is_reported_with_its_row(tmp_path: Path) -> None:
    path = votes_file(tmp_path / "v.parquet", 1, question_id=pa.array(["y" * (1 << 26)]))
    assert dict(rows_of(path, "parquet")) == {1: "it is longer than 16 MiB"}


def test_rows_that_take_no_space_are_no_votes(tmp_path: Path) -> None:
    path = votes_file(tmp_path / "v.parquet", 200_000)
    assert path.stat().st_size < 5_000
    assert "200,000 rows in" in (message := refused(path, "parquet"))
    assert "the limit is 8 rows a byte" in message
    few = votes_file(tmp_path / "few.parquet", ROWS_FREE)
    assert len(list(rows_of(few, "parquet"))) == ROWS_FREE


def test_what_unpacks_to_a_thousand_times_its_size_is_refused(tmp_path: Path) -> None:
    path = votes_file(tmp_path / "v.parquet", 1_000, conversation_a=same("x" * (1 << 17), 1_000))
    assert "times its size" in refused(path, "parquet")


def test_lists_of_millions_of_values_are_reported_with_their_row(tmp_path: Path) -> None:
    lists = pa.array([["coding"], ["x"] * 1_200_000, ["coding"]])
    path = votes_file(tmp_path / "v.parquet", 3, category=lists)
    read = dict(rows_of(path, "parquet"))
    assert read[2] == "it has more than 1,000,000 values"
    assert [read[1]["category"], read[3]["category"]] == [["coding"], ["coding"]]  # pyright: ignore[reportArgumentType]


def test_a_row_of_more_than_sixteen_mebibytes_is_reported_in_every_format(tmp_path: Path) -> None:
    long = "z" * (17 << 20)
    path = votes_file(tmp_path / "v.parquet", 2, conversation_a=pa.array([long, "short"]))
    assert dict(rows_of(path, "parquet"))[1] == "it is longer than 16 MiB"
    line = b'{"model_a":"ada","model_b":"bob","winner":"tie","x":"%s"}\n'
    path = text_of(tmp_path / "v.jsonl", [line % long.encode(), line % b""])
    read: dict[int, FileRow | str] = dict(rows_of(path, "jsonl"))
    assert read[1] == "it is longer than 16 MiB"
    assert isinstance(read[2], dict)
    assert "v.csv:2: the row is longer than 16 MiB" in refused(
        text_of(tmp_path / "v.csv", [HEADER, b"\nada,bob,", long.encode()]), "csv"
    )


def test_a_row_of_csv_over_many_lines_is_no_longer_than_a_line_may_be(tmp_path: Path) -> None:
    cells = (b'"' + (b"x" * 4095 + b"\n") * 256 + b'",' for _ in range(20))
    message = refused(text_of(tmp_path / "v.csv", [HEADER, b"\n", *cells]), "csv")
    assert "the row is longer than 16 MiB" in message
    assert "quotation mark" in message


@pytest.mark.parametrize(("kind", "columns"), [("csv", 100_000), ("jsonl", 30_000), ("parquet", 2_000)])
def test_a_file_of_very_many_columns_is_refused_at_once(kind: Format, columns: int, tmp_path: Path) -> None:
    path = tmp_path / f"v.{kind}"
    names = [f"c{number}" for number in range(columns)]
    if kind == "parquet":
        votes_file(path, 1, **{name: pa.array([1]) for name in names})
    elif kind == "csv":
        text_of(path, [HEADER, b",", ",".join(names).encode(), b"\n"])
    else:
        text_of(path, [b'{"%s":1}\n' % name.encode() for name in names])
    begun = time.process_time()
    message = refused(path, kind)
    assert "1,000" in message
    assert "columns" in message
    assert time.process_time() - begun < 2


def test_the_header_of_csv_is_looked_at_once(tmp_path: Path) -> None:
    twice = text_of(tmp_path / "v.csv", [HEADER, b",winner\n"])
    assert "has the column “winner” twice" in refused(twice, "csv")
    unnamed = text_of(tmp_path / "u.csv", [HEADER, b",,\n", b"ada,bob,tie,,\n"])
    assert len(list(rows_of(unnamed, "csv"))) == 1


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_rows_have_a_limit_that_can_be_set(kind: Format, tmp_path: Path) -> None:
    path = tmp_path / f"v.{kind}"
    if kind == "parquet":
        votes_file(path, 11)
    elif kind == "csv":
        text_of(path, [HEADER, b"\n", *[b"ada,bob,tie\n"] * 11])
    else:
        text_of(path, [b'{"model_a":"ada","model_b":"bob","winner":"tie"}\n'] * 11)
    assert len(list(rows_of(path, kind, rows=11))) == 11
    message = refused(path, kind, rows=10)
    assert path.name in message
    assert "10" in message
    assert "import_max_rows" in message


def test_a_line_of_json_with_millions_of_values_is_not_made_into_them(tmp_path: Path) -> None:
    vote = b'{"model_a":"ada","model_b":"bob","winner":"tie"}\n'
    path = text_of(tmp_path / "v.jsonl", [b'{"model_a":[', b"[]," * 3_000_000, b"[]]}\n", vote])
    assert list(rows_of(path, "jsonl")) == [(1, "it has more than 1,000,000 values"), (2, VOTE)]


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_lines_of_nothing_end_when_nobody_waits_for_them(kind: Format, tmp_path: Path) -> None:
    path = text_of(tmp_path / f"v.{kind}", [HEADER if kind == "csv" else b"", b"\n" * (20 << 20)])
    rows = rows_of(path, kind, rows=1 << 40)
    reading = threading.Thread(target=lambda: list(rows))
    reading.start()
    while not rows.share(0):
        time.sleep(0.001)
    rows.close()
    reading.join(20)
    assert not reading.is_alive()
    assert rows.share(0) < 1


def test_what_is_no_parquet_is_reported_as_that(tmp_path: Path) -> None:
    whole = io.BytesIO()
    parquet.write_table(pa.table({name: [value] for name, value in VOTE.items()}), whole)
    for number, place in enumerate(range(4, len(whole.getvalue()), 97)):
        data = bytearray(whole.getvalue())
        data[place] ^= 0xFF
        path = text_of(tmp_path / f"{number}.parquet", [bytes(data)])
        try:
            assert len(list(rows_of(path, "parquet"))) <= ROWS_FREE
        except Invalid as error:
            assert path.name in error.title
        if number > 3:
            break
