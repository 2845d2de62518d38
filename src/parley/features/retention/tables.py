"""The table of retention: one row for each kind that is not stored forever."""

from typing import Annotated

from sqlalchemy import Integer

from parley.storage.tables.rows import Name, Row, Time, column, stored_in


@stored_in("retention_rules")
class RetentionRow(Row):
    """Things of a kind are deleted `days` after their last change."""

    kind: Annotated[Name, column(primary_key=True)]
    days: Annotated[int, Integer]
    changed_at: Time
