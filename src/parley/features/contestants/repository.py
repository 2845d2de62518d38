"""The query of contestants."""

from collections.abc import Sequence

from parley.storage.database import Transaction
from parley.storage.tables.presets import PresetRow
from parley.storage.tables.rows import select_rows


def contestant_presets(transaction: Transaction) -> Sequence[PresetRow]:
    """Return every preset that can be drawn for blind battles, of any owner."""
    query = select_rows(PresetRow).where(PresetRow.c.contestant).order_by(PresetRow.c.id)
    return transaction.select(PresetRow, query)
