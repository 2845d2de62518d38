"""Blindness: whether the texts of a match tell its voter which models answer."""

import asyncio
from collections.abc import Callable, Mapping, Sequence

import msgspec

from parley.storage.database import Database
from parley.text.identity.telling import Told, told
from parley.workspace.voting import hygiene
from parley.workspace.voting.repository import BallotRepository, VotedMatch, VotedReply, VotedTurn

SHORT = 8_000
"""Characters that are looked through in the vote's own transaction: sooner than a thread reads them once more."""

REASONS: Mapping[Told | None, str | None] = {
    "answer": hygiene.IDENTITY_LEAK,
    "question": hygiene.IDENTITY_QUESTION,
    None: None,
}


class _Texts(msgspec.Struct, frozen=True):
    prompts: tuple[str, ...]
    answers: tuple[str, ...]


class Looked(msgspec.Struct, frozen=True):
    """What was found in the texts of a match before its vote is stored; None for a match that is not blind."""

    texts: _Texts | None
    told: Told | None


NOT_LOOKED = Looked(None, None)


class LongTexts(Exception):
    """The texts of a match are to be looked through before its vote is stored."""


class Blindness:
    """Looks through a match's texts; through long ones in a thread, before the transaction."""

    def __init__(self, database: Database, names: Callable[[], Sequence[str]]) -> None:
        """`names` returns the names of all models that are listed."""
        self._database = database
        self._names = names

    async def look(self, owner_id: str, match_id: str) -> Looked:
        """Look through the texts of a match. Raises NotFound."""
        texts = await self._database.read(
            lambda transaction: _texts_of(BallotRepository(transaction), owner_id, match_id)
        )
        if texts is None:
            return Looked(None, None)
        return Looked(texts, await asyncio.to_thread(self._told, texts))

    def why_not(
        self, match: VotedMatch, turns: Sequence[VotedTurn], replies: Sequence[VotedReply], looked: Looked
    ) -> str | None:
        """Return why a match was not blind, for its texts as they are in the vote's own transaction.

        Raises LongTexts where they are long and nobody has looked through them yet.
        """
        if not match.blind:
            return None
        texts = _texts(turns, replies)
        if texts == looked.texts:
            return REASONS[looked.told]
        if looked is NOT_LOOKED and sum(map(len, (*texts.prompts, *texts.answers))) > SHORT:
            raise LongTexts
        return REASONS[self._told(texts)]

    def _told(self, texts: _Texts) -> Told | None:
        return told(texts.prompts, texts.answers, self._names())


def _texts_of(repository: BallotRepository, owner_id: str, match_id: str) -> _Texts | None:
    if not repository.peek(owner_id, match_id).blind:
        return None
    return _texts(repository.turns(match_id), repository.replies(match_id))


def _texts(turns: Sequence[VotedTurn], replies: Sequence[VotedReply]) -> _Texts:
    return _Texts(
        tuple(str(turn.input.get("text", "")) for turn in turns), tuple(reply.text for reply in replies)
    )
