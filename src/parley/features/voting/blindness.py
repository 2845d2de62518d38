"""Blindness: whether the texts of a match give away which models answer."""

import asyncio
from collections.abc import Callable, Mapping, Sequence

import msgspec

from parley.features.voting import hygiene
from parley.features.voting.repository import Voter, VotingRepository
from parley.kernel.tools import last_steps
from parley.storage.database import Database
from parley.storage.tables.conversations import MatchRow, ReplyRow, TurnRow
from parley.text.identity.leak import Leak, find_leak

SHORT = 8_000
"""Characters that are scanned in the vote's own transaction: that is quicker than another read in a thread."""

REASONS: Mapping[Leak | None, str | None] = {
    "answer": hygiene.IDENTITY_LEAK,
    "question": hygiene.IDENTITY_QUESTION,
    None: None,
}


class _Texts(msgspec.Struct, frozen=True):
    prompts: tuple[str, ...]
    answers: tuple[str, ...]


class Scan(msgspec.Struct, frozen=True):
    """Findings in the texts of a match before its vote is stored.

    Both are None for a match that is not blind.
    """

    texts: _Texts | None
    leak: Leak | None


NOT_SCANNED = Scan(None, None)


class LongTexts(Exception):
    """The texts of a match must be scanned before its vote is stored."""


class BlindnessCheck:
    """Scans a match's texts; long ones in a thread, before the transaction."""

    def __init__(self, database: Database, names: Callable[[], Sequence[str]]) -> None:
        """`names` returns the names of all models that are listed."""
        self._database = database
        self._names = names

    async def scan(self, voter: Voter, match_id: str) -> Scan:
        """Scan the texts of a match. Raises NotFound."""
        texts = await self._database.read(
            lambda transaction: _texts_of(VotingRepository(transaction), voter, match_id)
        )
        if texts is None:
            return Scan(None, None)
        return Scan(texts, await asyncio.to_thread(self._find_leak, texts))

    def why_not(
        self, match: MatchRow, turns: Sequence[TurnRow], replies: Sequence[ReplyRow], scan: Scan
    ) -> str | None:
        """Return why a match was not blind, for its texts as they are in the vote's own transaction.

        Raises LongTexts where they are long and have not been scanned yet.
        """
        if not match.blind:
            return None
        texts = _texts(turns, replies)
        if texts == scan.texts:
            return REASONS[scan.leak]
        if scan is NOT_SCANNED and sum(map(len, (*texts.prompts, *texts.answers))) > SHORT:
            raise LongTexts
        return REASONS[self._find_leak(texts)]

    def _find_leak(self, texts: _Texts) -> Leak | None:
        return find_leak(texts.prompts, texts.answers, self._names())


def _texts_of(repository: VotingRepository, voter: Voter, match_id: str) -> _Texts | None:
    match, _ = repository.match(voter, match_id, lock=False)
    if not match.blind:
        return None
    return _texts(repository.turns(match_id), repository.replies(match_id))


def _texts(turns: Sequence[TurnRow], replies: Sequence[ReplyRow]) -> _Texts:
    seen = last_steps(replies, turn=lambda reply: reply.turn_id)
    return _Texts(
        tuple(str(turn.input.get("text", "")) for turn in turns), tuple(reply.text for reply in seen)
    )
