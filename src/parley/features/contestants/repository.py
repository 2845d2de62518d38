"""The query of contestants."""

from collections.abc import Sequence

from sqlalchemy import select

from parley.storage.database import Transaction
from parley.storage.tables.presets import Preset


def contestant_presets(transaction: Transaction) -> Sequence[Preset]:
    """Return every preset that can be drawn for blind battles, of any owner."""
    return transaction.scalars(select(Preset).where(Preset.contestant).order_by(Preset.id)).all()
