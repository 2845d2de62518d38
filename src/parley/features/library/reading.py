"""Things of the library as they are read where they were made: cards, sources and texts."""

from collections.abc import Mapping, Sequence

import msgspec

from parley.features.catalog.memory import ModelMemory
from parley.features.library.assets import card_of, program_source, source_of, trial_source
from parley.features.library.code_blocks import code_block
from parley.features.library.repository import LibraryRepository, Origin
from parley.features.library.schemas import AssetCard, AssetMade, AssetSource
from parley.features.library.trials import TrialReader
from parley.kernel.errors import NotFound
from parley.storage.database import Transaction
from parley.storage.tables.assets import AssetRow

EXCERPT = 400
"""The characters of a text that its card shows."""

SEARCHED = 60_000
"""The characters of a reply in which a card's text is looked for."""

TEXTS = ("code", "table", "text")


class AssetReading:
    """Reads replies and trials on an open transaction. `trials` is set by the Prompt Lab."""

    def __init__(self, memory: ModelMemory) -> None:
        self._memory = memory
        self.trials: TrialReader | None = None

    def cards(self, transaction: Transaction, rows: Sequence[AssetRow]) -> list[AssetCard]:
        """Return rows of one owner as they are listed, with the beginnings of their texts."""
        repository = LibraryRepository(transaction)
        made = [row.reply_id for row in rows if row.reply_id]
        texts = [row.reply_id for row in rows if row.reply_id and row.kind in TEXTS]
        keys = [row.source_id for row in rows if row.origin == "trial" and row.source_id]
        beginnings = repository.texts(texts, SEARCHED) if texts else {}
        beginnings |= self._trial_texts(transaction, rows[0].owner_id, keys) if keys else {}
        preferred = repository.preferred(made) if made else set[str]()
        cards: list[AssetCard] = []
        for row in rows:
            text = beginnings.get(row.reply_id or row.source_id or "")
            if text is not None and row.part is not None:
                text = code_block(text, row.part)
            cards.append(card_of(row, text[:EXCERPT] if text else None, preferred=row.reply_id in preferred))
        return cards

    def text(self, transaction: Transaction, row: AssetRow) -> str | None:
        """Return the text of something, None if it is a file. Raises NotFound if the answer that had it was deleted."""
        if row.origin == "trial" and row.source_id:
            text = self._trial_texts(transaction, row.owner_id, [row.source_id]).get(row.source_id)
            if text is None:
                raise NotFound(
                    "The answer that this was in doesn't exist any more.", "Delete it from the library."
                )
        elif row.kind in TEXTS:
            text = LibraryRepository(transaction).own_reply(row.owner_id, row.reply_id or "")[0].text
        else:
            return None
        return text if row.part is None else code_block(text, row.part)

    def source(self, transaction: Transaction, row: AssetRow, origin: Origin | None) -> AssetSource | None:
        """Return where something was made; None for an upload, and where that was deleted."""
        if origin is not None:
            part = row.part if row.kind in ("picture", "file") else None
            return source_of(origin, part, self._memory.card)
        if row.made:
            return program_source(msgspec.convert(row.made, AssetMade), self._memory.card)
        if row.source_id is None:
            return None
        if row.origin == "trial":
            trial = self.trials.source(transaction, row.owner_id, row.source_id) if self.trials else None
            return trial_source(trial, self._memory.card) if trial else None
        session = LibraryRepository(transaction).session(row.owner_id, row.source_id)
        return AssetSource(session_id=session.id, session_title=session.title) if session else None

    def _trial_texts(self, transaction: Transaction, owner_id: str, keys: Sequence[str]) -> Mapping[str, str]:
        return self.trials.texts(transaction, owner_id, keys) if self.trials else {}
