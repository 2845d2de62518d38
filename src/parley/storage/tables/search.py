"""Tables of what sessions are found by, with their rows."""

from typing import Annotated

from sqlalchemy import Index, Text

from parley.storage.tables.rows import Counter, Id, Owner, Row, column, stored_in


@stored_in("search_texts", Index("ix_search_texts_session_id", "session_id"))
class SearchTextRow(Row):
    """A session's searchable texts, folded: the prompt of each turn, and a title that the person gave."""

    session_id: Annotated[Id, column(references="sessions.id", ondelete="CASCADE")]
    owner_id: Owner
    is_title: bool
    text: Annotated[str, Text]
    id: Annotated[int, Counter, column(primary_key=True, assigned=True)] = 0


@stored_in(
    "search_replies",
    Index("ix_search_replies_session_id", "session_id"),
    Index("ix_search_replies_turn_id", "turn_id"),
)
class SearchReplyRow(Row):
    """A session's searchable replies, folded: only what its owner can read."""

    session_id: Annotated[Id, column(references="sessions.id", ondelete="CASCADE")]
    owner_id: Owner
    turn_id: Id
    reply_id: Id
    text: Annotated[str, Text]
    id: Annotated[int, Counter, column(primary_key=True, assigned=True)] = 0
