"""What upstreams say is shown short, and without a secret in it."""

import time

import pytest

from parley.wire.redaction import END, LIMIT, LOOKED_AT, MASK, excerpt, redact, shorten

SECRETS = [
    "sk-proj-AbCdEf0123456789AbCdEf",
    "sk-ant-api03-abc_DEF-123456789",
    "gsk_0123456789abcdefABCDEF",
    "AIzaSyA0123456789abcdefghijklmnopqrstuv",
    "hf_abcdefghijKLMNOP0123",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
    "0123456789abcdef0123456789abcdef",
]
SENTENCES = [
    "Incorrect API key provided: {}. You can find it elsewhere.",
    'x {{"api_key":"{}"}} y',
    "Authorization: Bearer {}",
    "https://example.org/v1?key={}&x=1",
    "https://user:{}@example.org/",
    "token {} is expired",
]


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("sentence", SENTENCES)
def test_no_key_gets_through(sentence: str, secret: str) -> None:
    assert secret not in redact(sentence.format(secret))


@pytest.mark.parametrize("secret", ["plainword", "p@ss word with spaces", "short"])
def test_the_providers_own_key_is_masked_whatever_it_looks_like(secret: str) -> None:
    assert secret not in redact(f"you sent {secret}!", [secret, None])


@pytest.mark.parametrize(
    "text",
    [
        "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
        "The model `llama-3.1-8b-instruct` does not exist.",
        "Rate limit reached for requests; try again in 20s.",
        "Unknown parameter: 'stream_options'.",
        "a well-known key-value-store",
    ],
)
def test_plain_sentences_stay_as_they_are(text: str) -> None:
    assert redact(text) == text


def test_a_long_text_is_cut_with_an_ellipsis() -> None:
    assert shorten("word " * 200, 50) == ("word " * 10)[:49].rstrip() + "…"
    assert len(shorten("x" * 10_000)) == 300


def test_a_key_that_the_cut_would_halve_is_masked_whole() -> None:
    shown = excerpt("x" * 290 + " sk-0123456789abcdef0123456789")
    assert shown is not None
    assert "sk-0" not in shown


@pytest.mark.parametrize(
    "key", ["only-words-and-no-digits", "correct horse battery staple", "sk-0123456789abcdef"]
)
def test_a_key_over_the_end_of_what_is_looked_at_is_not_shown(key: str) -> None:
    for kept in range(1, len(key)):
        for filler in ("\x00", "\n", "<br>"):
            front = "<p>" + filler * ((LOOKED_AT - 4 - kept) // len(filler))
            shown = excerpt(front + " " * (LOOKED_AT - len(front) - kept) + key, [key]) or ""
            assert key[:END] not in shown


def test_a_key_at_the_end_of_a_text_that_somebody_else_cut_is_masked() -> None:
    assert redact("you sent only-w", ["only-words-and-no-digits"]) == f"you sent {MASK}"


@pytest.mark.parametrize(
    "body", [" " * 20_000, "\n" * 20_000, "x" * 20_000, "<" * 20_000, "&#" + "9" * 20_000]
)
def test_endless_bodies_of_any_kind_are_shown_short(body: str) -> None:
    assert len(excerpt(body) or "") <= LIMIT
    assert len(excerpt("<p>" + body) or "") <= LIMIT


@pytest.mark.parametrize(
    "unit",
    [
        "a-",
        "a/",
        "a1-",
        "sk-",
        "key=",
        "key ",
        "secretkey",
        "<a ",
        "</script ",
        "a://",
        "://a",
        "eyJ",
        "Bearer ",
    ],
)
def test_time_grows_with_the_length_and_not_with_its_square(unit: str) -> None:
    began = time.process_time()
    redact(unit * (400_000 // len(unit)), ["s3cret-key-of-the-provider", unit * 20])
    assert time.process_time() - began < 3


def test_control_characters_and_lines_do_not_reach_the_page() -> None:
    assert excerpt(b"one\r\n\x00two\x1b[31m\xff") == "one two [31m\ufffd"


def test_of_a_web_page_only_the_words_are_shown() -> None:
    page = b"<!doctype html><html><style>a{}</style><script>x()</script><h1>502 Bad&nbsp;Gateway</h1></html>"
    assert excerpt(page) == "502 Bad Gateway"


def test_nothing_shown_is_nothing() -> None:
    assert excerpt(b"") is None
    assert excerpt(b" \n ") is None
