"""Tests of rows: each has its table's columns, in their order."""

import pytest

from parley.storage import schema
from parley.storage.tables.declared import Row, core

GIVEN_BY_THE_DATABASE = {"search_texts": {"id"}, "search_replies": {"id"}, "votes": {"seq", "block"}}


@pytest.mark.parametrize("kind", Row.__subclasses__(), ids=lambda kind: kind.__name__)
def test_a_row_has_the_columns_of_its_table(kind: type[Row]) -> None:
    table = core(kind.table)
    assert table.name in schema.metadata().tables
    given = GIVEN_BY_THE_DATABASE.get(table.name, set())
    assert [column.name for column in table.columns if column.name not in given] == list(
        kind.__struct_fields__
    )
