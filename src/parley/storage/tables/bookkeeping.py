"""Tables of costs, and of results stored under an idempotency key."""

from sqlalchemy import BigInteger, Boolean, Index, Integer, String
from sqlalchemy.orm import Mapped, mapped_column

from parley.storage.tables.declared import Digest, Document, Id, Key, Name, Table, Time


class LedgerEntry(Table):
    """Tokens and money of one call to a provider. Micro-dollars; null if the model has no price.

    `purpose` is what it was for; turn and reply are null outside a turn.
    """

    __tablename__ = "ledger"
    __table_args__ = (Index("ix_ledger_turn_id", "turn_id"),)
    id: Mapped[Key]
    owner_id: Mapped[Id]
    purpose: Mapped[Name]
    turn_id: Mapped[str | None] = mapped_column(String(32))
    reply_id: Mapped[str | None] = mapped_column(String(32))
    attempt: Mapped[int] = mapped_column(Integer)
    model_id: Mapped[Name]
    provider_id: Mapped[str] = mapped_column(String(200))
    input_tokens: Mapped[int] = mapped_column(Integer)
    output_tokens: Mapped[int] = mapped_column(Integer)
    cost_micros: Mapped[int | None] = mapped_column(BigInteger)
    estimated: Mapped[bool] = mapped_column(Boolean)
    created_at: Mapped[Time]


class Receipt(Table):
    """The result of an idempotency key: the request's digest and the ids of what it created."""

    __tablename__ = "receipts"
    owner_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    key: Mapped[str] = mapped_column(String(255), primary_key=True)
    request_sha256: Mapped[Digest]
    result: Mapped[Document]
    created_at: Mapped[Time]
