"""Tests of narrow columns: what is not an id is refused."""

import pytest

from parley.storage.tables.compact_types import STATUSES, id_bytes, is_id


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
