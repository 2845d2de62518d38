"""Retry-After in every form that servers send."""

import pytest

from parley.wire.retry_after import parse_retry_after

NOW = 1_700_000_000.0  # Tue, 14 Nov 2023 22:13:20 GMT


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("0", 0.0),
        ("3", 3.0),
        (" 7 ", 7.0),
        ("1.5", 1.5),
        ("-1", 0.0),
        ("99999", 99999.0),
        ("Tue, 14 Nov 2023 22:13:50 GMT", 30.0),
        ("Tue, 14 Nov 2023 22:13:50", 30.0),
        ("Tue, 14 Nov 2023 21:00:00 GMT", 0.0),
        ("Tuesday, 14-Nov-23 22:14:20 GMT", 60.0),
        (None, None),
        ("", None),
        ("   ", None),
        ("soon", None),
        ("inf", None),
        ("nan", None),
        ("9" * 400, None),
        ("Tue, 99 Nov 2023 22:13:50 GMT", None),
        ("1,5", None),
        ("\x00", None),
    ],
)
def test_a_header_means(header: str | None, seconds: float | None) -> None:
    assert parse_retry_after(header, now=NOW) == seconds


def test_a_date_is_held_against_the_date_of_the_answer_so_that_clocks_need_not_agree() -> None:
    until = "Fri, 31 Dec 1999 23:59:59 GMT"
    served = "Fri, 31 Dec 1999 23:59:54 GMT"
    for now in (0.0, NOW, 4e9):
        assert parse_retry_after(until, now=now, served=served) == 5.0
    assert parse_retry_after("2", now=NOW, served=served) == 2.0
    assert parse_retry_after(until, now=946684794.0, served="yesterday") == 5.0
