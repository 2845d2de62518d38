"""The table of notes."""

from typing import Annotated

from sqlalchemy import Index, Text

from parley.storage.tables.rows import Key, Owner, Row, Time, stored_in


@stored_in("notes", Index("ix_notes_owner_id", "owner_id"))
class NoteRow(Row):
    """A short text of a person's own."""

    id: Key
    owner_id: Owner
    text: Annotated[str, Text]
    created_at: Time
