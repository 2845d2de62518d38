"""The table of provider keys of one's own."""

from typing import Annotated

from sqlalchemy import LargeBinary, String

from parley.storage.tables.rows import Id, Row, Time, column, stored_in


@stored_in("own_keys")
class OwnKeyRow(Row):
    """A person's or workspace's key for a provider, encrypted for them and for the origin that it was given for.

    A provider that moves to another origin does not get it. `last_four` is all that anybody is shown again.
    """

    holder_id: Annotated[Id, column(references="users.id", primary_key=True)]
    provider_id: Annotated[str, String(64), column(primary_key=True)]
    origin: Annotated[str, String(300)]
    sealed: Annotated[bytes, LargeBinary]
    last_four: Annotated[str, String(4)]
    added_by: Id
    created_at: Time
