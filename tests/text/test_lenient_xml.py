"""Elements are read out of careless XML, and where each stands."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parley.text.lenient_xml import Element, escape, first_of, outside_of, read_elements

NAMES = ("answer", "confidence", "thinking")


def parsed(text: str) -> list[tuple[str, str]]:
    return [(element.name, element.text) for element in read_elements(text, NAMES)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<answer>yes</answer>", [("answer", "yes")]),
        ("<ANSWER>yes</Answer >", [("answer", "yes")]),
        ("< answer kind='x' >\n yes \n< / answer >", [("answer", "yes")]),
        ("```xml\n<answer>yes</answer>\n```", [("answer", "yes")]),
        ("Here: <answer>```py\nx\n```</answer> done", [("answer", "```py\nx\n```")]),
        ("<answer>cut o", [("answer", "cut o")]),
        ("<answer>cut off</ans", [("answer", "cut off")]),
        ("<answer>cut off <", [("answer", "cut off")]),
        ("<answer>one <confidence>0.5</confidence>", [("answer", "one"), ("confidence", "0.5")]),
        (
            "<thinking>no <answer>draft</answer></thinking><answer>real</answer>",
            [("thinking", "no <answer>draft</answer>"), ("answer", "real")],
        ),
        ("<answer>a &lt; b &amp;&amp; c</answer>", [("answer", "a < b && c")]),
        ("<answer>if a < b: x = &lt;</answer>", [("answer", "if a < b: x = &lt;")]),
        ("<answer>R&D &amp; more</answer>", [("answer", "R&D &amp; more")]),
        ("<answer><![CDATA[ a < b ]]></answer>", [("answer", "a < b")]),
        ("<answer><![CDATA[a < b", [("answer", "a < b")]),
        ("<answer>an </answer> tag</answer> end", [("answer", "an </answer> tag")]),
        ("<answer>a</answer> </answer>", [("answer", "a")]),
        (
            "<answer>a</answer> b <confidence>1</confidence></answer></confidence>",
            [("answer", "a"), ("confidence", "1")],
        ),
        ("<answers>no</answers><answer-x>no</answer-x>", []),
        ("</answer>", []),
        ("", []),
    ],
)
def test_what_is_read(text: str, expected: list[tuple[str, str]]) -> None:
    assert parsed(text) == expected


@given(
    st.lists(
        st.sampled_from(["<answer>", "</answer>", "<confidence>", "x &lt; ", "é𝄞 ", "<", ">", " \n"]),
        max_size=30,
    )
)
def test_spans_stand_in_the_source_and_never_overlap(pieces: list[str]) -> None:
    text = "".join(pieces)
    last = 0
    elements = read_elements(text, NAMES)
    for element in elements:
        assert last <= element.opening <= element.after <= len(text)
        last = element.after
        if element.end:
            assert text[element.start : element.end] == element.text
            assert element.opening < element.start <= element.end <= element.after
    start, end = outside_of(text, elements)
    assert 0 <= start <= end <= len(text)
    assert text[start:end] == text[start:end].strip()


def test_the_first_that_says_something_counts() -> None:
    elements = read_elements("<answer> </answer><answer>b</answer><confidence>1</confidence>", NAMES)
    found = first_of(elements, "confidence", "answer")
    assert isinstance(found, Element)
    assert found.text == "b"
    assert first_of(elements, "thinking") is None


@given(st.text())
def test_what_is_escaped_is_read_back(text: str) -> None:
    (element,) = read_elements(f"<answer>{escape(text)}</answer>", NAMES)
    assert element.text == text.strip()


@pytest.mark.parametrize(
    "bad",
    ["<", "< ", "<answer ", "<answer>", "</answer>", "<answer" + " " * 500, "&lt;", "<answer><confidence>"],
)
def test_reading_takes_linear_time(bad: str) -> None:
    def seconds(length: int) -> float:
        begun = time.process_time()
        read_elements(f"<answer>{bad * (length // len(bad))}", NAMES)
        return time.process_time() - begun

    assert min(seconds(200_000) for _ in range(3)) < 40 * max(0.005, min(seconds(20_000) for _ in range(3)))
