"""Tables of the providers and models in the database, in addition to the model list's file."""

from sqlalchemy import Boolean, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from parley.storage.tables.declared import Document, Table, Time


class KeptProvider(Table):
    """A configured way to reach models. A retired id is never reused.

    `entry` has the fields of a provider in the model list, without its key. `sealed_key` is the encrypted key;
    `key_variable` names an environment variable that holds it instead.
    """

    __tablename__ = "providers"
    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    name: Mapped[str] = mapped_column(String(200))
    entry: Mapped[Document]
    enabled: Mapped[bool] = mapped_column(Boolean)
    sealed_key: Mapped[bytes | None] = mapped_column(LargeBinary)
    key_variable: Mapped[str | None] = mapped_column(String(200))
    created_at: Mapped[Time]
    updated_at: Mapped[Time]
    retired_at: Mapped[Time | None]


class KeptModel(Table):
    """A model; `entry` has the fields of a model in the model list, with routes."""

    __tablename__ = "kept_models"
    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    entry: Mapped[Document]
    created_at: Mapped[Time]
    updated_at: Mapped[Time]
    retired_at: Mapped[Time | None]
