"""Tests of stage files: what goes in comes out, whole or not at all."""

import errno
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from parley.storage.audit_imports import PackedVotes
from parley.storage.vote_stages import COLUMNS, Stage, StageWriter


def columns_of(first: int, last: int, **own: Sequence[Any]) -> list[Sequence[Any]]:
    """Columns of votes that differ in nothing but their ids and what is given."""
    same: dict[str, Any] = {
        "kind": "blind",
        "rated": True,
        "counted": True,
        "created_at": "2025-01-01 00:00:00.000000",
    }
    numbers = range(first, last + 1)
    every = {name: [same.get(name)] * len(numbers) for name in COLUMNS}
    every |= {name: [number.to_bytes(16, "big") for number in numbers] for name in ("id", "voter_id")}
    return list((every | own).values())


def packed(first: int, last: int) -> list[PackedVotes]:
    return [PackedVotes(f"{first:032x}", f"{last:032x}", last - first + 1, "0" * 64, b"packed")]


def test_parts_come_out_as_they_went_in_whatever_their_votes_share(tmp_path: Path) -> None:
    given = [
        columns_of(1, 3),
        columns_of(4, 4, excluded_reason=["spam"]),
        columns_of(5, 6, excluded_reason=[None, "spam"], read_ms=[7, None], result=[b"\x01" * 16, "{}"]),
    ]
    path = tmp_path / "a.votes"
    with StageWriter(path) as writer:
        for (first, last), columns in zip([(1, 3), (4, 4), (5, 6)], given, strict=True):
            writer.add(columns, packed(first, last))
        writer.finish([b"{}"])
    assert list(tmp_path.iterdir()) == [path]
    stage = Stage(path)
    parts = stage.parts()
    assert [(part.after, part.last, part.votes) for part in parts] == [(0, 3, 3), (3, 4, 1), (4, 6, 2)]
    assert [stage.first_id(part) for part in parts] == [f"{number:032x}" for number in (1, 4, 5)]
    read = [stage.read(part, rows=True) for part in parts]
    assert [it.rows for it in read] == [list(zip(*columns, strict=True)) for columns in given]
    assert [it.packed for it in read] == [packed(1, 3), packed(4, 4), packed(5, 6)]
    assert [[it.vote_id for it in each.excluded] for each in read] == [[], [f"{4:032x}"], [f"{6:032x}"]]
    assert stage.cards() == [b"{}"]


def test_a_stage_that_is_not_finished_leaves_nothing(tmp_path: Path) -> None:
    with StageWriter(tmp_path / "a.votes") as writer:
        writer.add(columns_of(1, 3), packed(1, 3))
        assert list(tmp_path.iterdir())
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_an_error_of_the_file(tmp_path: Path) -> None:
    with StageWriter(tmp_path / "a.votes") as writer:
        writer._driver.execute("PRAGMA max_page_count = 12")
        with pytest.raises(OSError, match="No space left") as raised:
            writer.add(columns_of(1, 3_000), packed(1, 3_000))
    assert (raised.value.errno, raised.value.filename) == (errno.ENOSPC, str(tmp_path / "a.part"))
    assert list(tmp_path.iterdir()) == []
