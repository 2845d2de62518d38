"""What points to people is removed from texts, whatever surrounds it, and ordinary text stays."""

import time

import pytest

from parley.features.exports.cleaning import Cleaner

NAMES = ("Anna Meyer", "bob", "Jürgen O'Neill", "anna.meyer", "王小明", "Team Nord", "Owner", "")
PLANTED = (
    "anna.meyer+list@mail.example.co.uk",
    "bob@example.org",
    "bob @ example.org",
    "+49 (0)171 234 56 78",
    "0171/2345678",
    "(555) 123-4567",
    "123-45-6789",
    "4111 1111 1111 1111",
    "DE89 3704 0044 0532 0130 00",
    "192.168.17.23",
    "2001:db8::8a2e:370:7334",
    "sk-proj-abcdefGHIJKL0123456789",
    "gh" + "p_16C7e42F292c6912E7710c838347Ae178B4a",
    "AK" + "IAIOSFODNN7EXAMPLE",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
    "Bearer abcdef0123456789",
    "https://me:pass@host.example/x",
    "https://hooks.example.com/services/T0000001/B0000001/x8Kd93jfkQ02",
    "https://files.example.com/a?token=abc&sig=def",
    "@anna_meyer",
    "Anna Meyer",
    "ANNA MEYER",
    "anna.meyer",
    "Meyer",
    "bob",
    "Jürgen O'Neill",
    "王小明",
    "Team Nord",
    "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0\n-----END PRIVATE KEY-----",
)
PARTS = {
    "https://me:pass@host.example/x": ("me:pass", "pass"),
    "https://hooks.example.com/services/T0000001/B0000001/x8Kd93jfkQ02": ("x8Kd93jfkQ02",),
    "https://files.example.com/a?token=abc&sig=def": ("token=abc", "sig=def"),
    "Bearer abcdef0123456789": ("abcdef0123456789",),
    "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0\n-----END PRIVATE KEY-----": (
        "MIIEvQIBADANBgkq",
    ),
}
AROUND = ("{}", "Write to {}, please.", "({})", "“{}”", "a\n{}\nb", "**{}**", "name={};", "{}\u200b.", "`{}`")
ORDINARY = (
    "Why is the sky blue?",
    "On 2026-11-28 it was 3.14159265 m, 12 times out of 1,000.",
    "def f(x): return x[1:3] ** 2",
    "See https://docs.python.org/3/library/re.html for more.",
    "The owner of the garden, a user, asked you.",
    "Use key-value-store, not a list.",
)


@pytest.fixture(scope="module")
def cleaner() -> Cleaner:
    return Cleaner(NAMES)


@pytest.mark.parametrize("around", AROUND)
def test_nothing_planted_is_left(cleaner: Cleaner, around: str) -> None:
    for planted in PLANTED:
        cleaned = cleaner.clean(around.format(planted))
        for part in PARTS.get(planted, (planted,)):
            assert part not in cleaned, (planted, cleaned)


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_stays(cleaner: Cleaner, text: str) -> None:
    assert cleaner.clean(text) == text


def test_a_name_split_by_invisible_characters_goes(cleaner: Cleaner) -> None:
    assert "Mey" not in cleaner.clean("An\u200bna Me\u00adyer")


def test_hostile_texts_take_linear_time(cleaner: Cleaner) -> None:
    begun = time.process_time()
    for piece in (
        "a@",
        "1 ",
        "http://",
        "anna ",
        "::1",
        ":",
        ".1",
        "a.",
        "sk-",
        "@",
        "-----BEGIN A",
        "DE12 ",
        "(+",
    ):
        cleaner.clean(piece * (20_000 // len(piece)))
    assert time.process_time() - begun < 10
