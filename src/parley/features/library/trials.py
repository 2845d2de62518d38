"""The library's port to the Prompt Lab: what it takes from a trial, and what it reads there later."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

import msgspec

from parley.features.library.schemas import AssetCell
from parley.storage.database import Transaction


class MadeText(msgspec.Struct, frozen=True, kw_only=True):
    """A trial's answer. `key` names the trial; `prompt` is what search finds it by."""

    owner_id: str
    key: str
    model_id: str
    prompt: str
    text: str
    made_at: datetime


class TrialSource(msgspec.Struct, frozen=True, kw_only=True):
    """The place of a trial's answer, as it is there now. `cell` is null, and `prompt` empty, without its run."""

    prompt: str
    model_id: str
    cost_micros: int | None
    duration_ms: int
    cell: AssetCell | None


class TrialReader(Protocol):
    """Reads trials on an open transaction."""

    def texts(self, transaction: Transaction, owner_id: str, keys: Sequence[str], /) -> Mapping[str, str]:
        """Return the texts of an owner's trials, by key."""
        ...

    def source(self, transaction: Transaction, owner_id: str, key: str, /) -> TrialSource | None:
        """Return where an owner's trial was made; None if it was deleted."""
        ...
