"""Tests of narrow columns: what is not an id is refused, and rows of earlier stage files become narrow ones."""

import pytest

from parley.storage.tables.narrow import STATUSES, id_bytes, is_id
from parley.workspace.vote_files.repository import narrowed, vote_records
from tests.unit.storage.test_audit_imports import NOW, staged


@pytest.mark.parametrize("text", ["", "x", "A" * 32, "a" * 31, "a" * 33, f"{'a' * 30} b", "a b" * 16])
def test_what_is_not_32_lower_case_hex_digits_is_no_id(text: str) -> None:
    assert not is_id(text)
    with pytest.raises(ValueError, match="is not an id of 32 lower-case hex digits"):
        id_bytes(text)


def test_an_id_is_its_bytes() -> None:
    assert id_bytes("0f" * 16) == b"\x0f" * 16


def test_statuses_differ_in_two_bits_each() -> None:
    numbers = list(STATUSES.values())
    assert all((one ^ other).bit_count() == 2 for one in numbers for other in numbers if one != other)


def test_a_row_of_an_earlier_stage_file_becomes_a_narrow_one() -> None:
    votes = [staged(3)]
    (wide,), (due,) = (vote_records(votes, NOW, sqlite=sqlite).rows for sqlite in (False, True))
    found = narrowed(wide)
    assert [one == other for one, other in zip(found, due, strict=True)].count(False) == 1, "but for the time"
