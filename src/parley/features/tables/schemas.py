"""Requests about tables."""

from typing import Annotated

from pydantic import Field

from parley.kernel.request import Request

MOST_SQL_CHARS = 20_000


class AskTables(Request):
    """One SELECT over the tables of a session."""

    sql: Annotated[str, Field(min_length=1, max_length=MOST_SQL_CHARS)]
