"""Tables of imports: a data set of votes from a file, and its votes."""

from typing import Annotated, Any

from sqlalchemy import Index, String

from parley.storage.tables.rows import (
    Counter,
    Digest,
    Id,
    Json,
    Key,
    Name,
    Row,
    Time,
    column,
    stored_in,
)
from parley.storage.tables.styles import StyleOfSides

LOADING, READY = "loading", "ready"


@stored_in("imports", Index("ix_imports_sha256", "sha256"))
class ImportRow(Row):
    """A file that was imported. Until its state is `ready`, none of its votes exist for anybody.

    `sha256` is that of the file, `votes` the number of votes that are stored of it, `bad_rows` of rows that were
    skipped since they are no votes, and `duplicates` of those that were skipped since they are there already.
    """

    id: Key
    owner_id: Id
    name: Annotated[str, String(255)]
    format: Name
    sha256: Digest
    votes: Annotated[int, Counter]
    duplicates: Annotated[int, Counter]
    bad_rows: Annotated[int, Counter]
    state: Name
    created_at: Time


@stored_in("imported_votes")
class ImportedVoteRow(Row):
    """A vote of a file. `seq` is its place among the votes of its import, from 1; it never changes.

    `choice` is `left`, `right`, `tie` or `both_bad`. `voter_id` is a pseudonym, null where the file names nobody.
    `not_counted_reason` is null of a vote that counts; `kind` is `blind` or `open`, and only blind votes are rated.
    """

    import_id: Annotated[str, String(32), column(primary_key=True, references="imports.id")]
    seq: Annotated[int, Counter, column(primary_key=True, autoincrement=False)]
    voter_id: Id | None
    left_model_id: Name
    right_model_id: Name
    choice: Name
    created_at: Time
    kind: Name
    not_counted_reason: Name | None
    propensity: float | None
    categories: Annotated[list[str], Json]
    prompt_sha256: Digest | None
    style: Annotated[dict[str, Any] | None, StyleOfSides]
    source: Annotated[str | None, String(200)]
