"""What a text leaves open in Markdown is closed, and nothing else is added."""

import pytest

from parley.features.session_files.markdown import closed


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("```py\nx", "\n```"),
        ("~~~~\n```\nx", "\n~~~~"),
        ("- a\n\n```\nb", "\n```"),
        ("<!-- b", "\n-->"),
        ("<pre>\nx\n\ny", "\n</pre>"),
        ("<script>\nx", "\n</script>"),
        ("<?php\n x", "\n?>"),
        ("<!DOCTYPE x", "\n>"),
        ("<![CDATA[\nx", "\n]]>"),
    ],
)
def test_what_stays_open_is_closed(text: str, end: str) -> None:
    assert closed(text) == text + end
    assert closed(text + end) == text + end


@pytest.mark.parametrize(
    "text",
    [
        "```py\nx\n```",
        "- a\n  ```\n  ends with its item",
        "1. a\n\n   ```\n   ends with its item",
        "> ```\n> ends with its quote",
        "    ```\nindented code",
        "```a`b\nno fence",
        "a <!-- b",
        "<div>\nb",
        "plain `code`",
    ],
)
def test_what_ends_by_itself_stays_as_it_is(text: str) -> None:
    assert closed(text) == text
