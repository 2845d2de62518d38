"""Tests of YAML that knows its lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parley.text.located_yaml import LocatedError, TextPlace, parse_yaml

DOCUMENT = """\
# a comment with ${NOTHING} in it
providers:
  - {id: vllm, api_key: ${VLLM_KEY}, weight: 1}
models:
  - id: tiny
    prices:
      input: 0.5
"""


def parse(text: str, **variables: str) -> object:
    return parse_yaml(text, variables).data


def mistakes(text: str, **variables: str) -> list[tuple[int, int, str]]:
    with pytest.raises(LocatedError) as caught:
        parse_yaml(text, variables)
    return [(mistake.place.line, mistake.place.column, mistake.text) for mistake in caught.value.mistakes]


def test_a_document_becomes_plain_data() -> None:
    assert parse(DOCUMENT, VLLM_KEY="s3cret") == {
        "providers": [{"id": "vllm", "api_key": "s3cret", "weight": 1}],
        "models": [{"id": "tiny", "prices": {"input": 0.5}}],
    }


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ((), (2, 1)),
        (("providers",), (2, 1)),
        (("providers", 0), (3, 5)),
        (("providers", 0, "api_key"), (3, 16)),
        (("providers", 0, "weight"), (3, 38)),
        (("models", 0, "prices"), (6, 5)),
        (("models", 0, "prices", "input"), (7, 7)),
    ],
)
def test_every_value_has_a_place(path: tuple[str | int, ...], place: tuple[int, int]) -> None:
    assert parse_yaml(DOCUMENT, {"VLLM_KEY": "a much longer key than its name"}).place(path) == place


def test_a_missing_value_is_placed_at_the_nearest_thing_around_it() -> None:
    located = parse_yaml(DOCUMENT, {"VLLM_KEY": ""})
    assert located.place(("models", 0, "prices", "output")) == (6, 5)
    assert located.place(("unknown", 3)) == TextPlace(2, 1)


def test_a_variable_may_stand_anywhere_in_a_value() -> None:
    assert parse("a: http://${HOST}:${PORT}/v1\nb: '${HOST}'\nc: [${HOST}]", HOST="x", PORT="80") == {
        "a": "http://x:80/v1",
        "b": "x",
        "c": ["x"],
    }


def test_an_expanded_value_is_text_and_is_not_parsed_again() -> None:
    assert parse("a: ${A}\nb: ${B}\nc: ${C}", A="123", B="{x: [", C="${A}") == {
        "a": "123",
        "b": "{x: [",
        "c": "${A}",
    }


@pytest.mark.parametrize(("value", "result"), [(None, "b, {c"), ("", "b, {c"), ("set", "set")])
def test_a_default_stands_in_for_a_missing_or_empty_variable(value: str | None, result: str) -> None:
    variables = {} if value is None else {"A": value}
    assert parse_yaml("{a: ${A:-b, {c}, d: 1}", variables).data == {"a": result, "d": 1}


def test_without_variables_nothing_is_expanded() -> None:
    assert parse_yaml("a: x${B}").data == {"a": "x${B}"}


def test_every_missing_variable_is_named_with_its_line() -> None:
    assert mistakes("a: 1\nb: ${ONE}\nc:\n  - ${TWO}\n") == [
        (2, 4, "the environment variable ONE is not set (to allow that, write ${ONE:-})"),
        (4, 5, "the environment variable TWO is not set (to allow that, write ${TWO:-})"),
    ]


def test_a_half_written_variable_is_a_mistake() -> None:
    assert [line for line, _, _ in mistakes("a: 1\nb: ${1}\n")] == [2]


def test_a_repeated_key_is_a_mistake() -> None:
    assert mistakes("a: 1\nb: 2\na: 3") == [(3, 1, "“a” appears twice in one mapping (first in line 1)")]


def test_words_that_older_yaml_took_for_truth_values_or_dates_are_text() -> None:
    assert parse("[yes, No, on, OFF, 2024-01-01, true, False, ~]") == [
        "yes", "No", "on", "OFF", "2024-01-01", True, False, None,
    ]  # fmt: skip


def test_an_alias_is_written_out() -> None:
    assert parse("a: &x {b: 1}\nc: *x") == {"a": {"b": 1}, "c": {"b": 1}}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: [", 1),
        ("a: 1\n\tb: 2", 2),
        ("a: &x [*x]", 1),
        ("a: 1\nb: !python/object:os.system x", 2),
        ("a: !!int x", 1),
        ("a: 1\n<<: {b: 1}", 2),
        ("a: 1\n? [b]\n: 1", 2),
        ("a: 1\nb: \x00", 2),
        ("a: 1\n---\nb: 2", 2),
        ("[" * 5000, 1),
    ],
)
def test_what_is_not_plain_yaml_is_a_mistake_with_a_line(text: str, line: int) -> None:
    assert mistakes(text)[0][0] == line


def test_a_document_that_aliases_blow_up_is_refused() -> None:
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 8)
    )
    assert "too large" in mistakes(bomb)[0][2]


def test_an_empty_document_is_none() -> None:
    assert parse("") is None
    assert parse("# only a comment\n") is None


@given(st.text())
def test_any_text_is_data_or_a_located_mistake(text: str) -> None:
    try:
        parse_yaml(text, {})
    except LocatedError as error:
        assert 1 <= error.line <= len(text.splitlines()) + 1
        assert error.column >= 1
