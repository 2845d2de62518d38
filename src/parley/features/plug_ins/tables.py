"""The table of plug-ins that are YAML."""

from typing import Annotated

from sqlalchemy import Index, String, Text

from parley.storage.tables.rows import Document, Key, Name, Owner, Row, Time, stored_in


@stored_in("plug_ins", Index("ix_plug_ins_owner_id", "owner_id", "kind", "name"))
class PlugInRow(Row):
    """A plug-in of a person or workspace; without an owner it is everybody's.

    `text` is the YAML as it was written, `content` what was read from it; see `kinds`.
    """

    id: Key
    owner_id: Owner | None
    kind: Annotated[str, String(16)]
    name: Name
    text: Annotated[str, Text]
    content: Document
    enabled: bool
    created_at: Time
    updated_at: Time
