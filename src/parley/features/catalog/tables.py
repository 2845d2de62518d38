"""Tables of the providers and models in the database, in addition to the model list's file."""

from typing import Annotated

from sqlalchemy import LargeBinary, String

from parley.storage.tables.rows import Document, Row, Time, column, stored_in


@stored_in("providers")
class ProviderRow(Row):
    """A configured way to reach models. A retired id is never reused.

    `entry` has the fields of a provider in the model list, without its key. `sealed_key` is the encrypted key;
    `key_variable` names an environment variable that holds it instead.
    """

    id: Annotated[str, String(64), column(primary_key=True)]
    name: Annotated[str, String(200)]
    entry: Document
    enabled: bool
    sealed_key: Annotated[bytes | None, LargeBinary]
    key_variable: Annotated[str | None, String(200)]
    created_at: Time
    updated_at: Time
    retired_at: Time | None


@stored_in("pool_choices")
class PoolChoiceRow(Row):
    """A person's choice about a model's place in the battle pool, wherever it is configured; NULL is no choice."""

    model_id: Annotated[str, String(64), column(primary_key=True)]
    chosen: bool | None
    weight: float | None
    updated_at: Time


@stored_in("kept_models")
class ModelRow(Row):
    """A model; `entry` has the fields of a model in the model list, with routes.

    `sources` names the fields of the entry that no person set: they are from the server or from published prices.
    """

    id: Annotated[str, String(64), column(primary_key=True)]
    entry: Document
    sources: Document
    created_at: Time
    updated_at: Time
    retired_at: Time | None
