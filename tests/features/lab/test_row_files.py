"""Tests of rows in files: lines end only where CSV and JSON Lines say so."""

import pytest

from parley.features.lab.datasets.row_files import read_rows
from parley.features.lab.datasets.schemas import RowsFromFile
from parley.features.lab.promptfoo.sources import Files

ODD = "one\u2028two\x85three\x0bfour\x1cfive"


@pytest.mark.parametrize(
    ("form", "text"), [("csv", f"a,b\r\n{ODD},2\r\n"), ("jsonl", f'{{"a": "{ODD}", "b": "2"}}\n')]
)
def test_other_ends_of_lines_belong_to_the_text(form: str, text: str) -> None:
    text = text if form == "csv" else text.replace("\x0b", "\\u000b").replace("\x1c", "\\u001c")
    request = RowsFromFile.model_validate({"format": form, "text": text})
    assert [fields for fields, _, _ in read_rows(request)] == [{"a": ODD, "b": "2"}]


@pytest.mark.parametrize(
    ("name", "text"), [("t.csv", "a\nx\u2028y\n"), ("t.jsonl", '{"vars": {"a": "x\u2028y"}}\n')]
)
def test_other_ends_of_lines_belong_to_the_texts_of_promptfoo(name: str, text: str) -> None:
    data = Files({name: text}).source(name).located.data
    assert isinstance(data, list)
    assert data[0]["vars"] == {"a": "x\u2028y"}
