"""The table of people's preferences."""

from typing import Annotated

from sqlalchemy import String, Text

from parley.storage.tables.rows import Row, Time, column, stored_in


@stored_in("preferences")
class PreferencesRow(Row):
    """Settings of a person's new chats: instructions and a model; null leaves it to Parley."""

    owner_id: Annotated[str, String(32), column(primary_key=True, references="users.id")]
    instructions: Annotated[str | None, Text]
    model_id: Annotated[str | None, String(64)]
    updated_at: Time
