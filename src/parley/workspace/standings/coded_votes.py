"""Coded votes: pending votes of a bulk batch as numbers, 48 bytes each."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeAlias

import msgspec
import numpy as np

from parley.ratings.arrays import Flags, Integers
from parley.ratings.outcomes import Outcome
from parley.workspace.standings.counts_delta import CountsDelta
from parley.workspace.standings.rated_votes import OUTCOMES, categories_of

PendingRow: TypeAlias = Sequence[Any]
"""A pending vote as columns: those of `PendingVote`, without its status; categories are text, a time may be."""


class VoteArrays(NamedTuple):
    """Rated votes between two models, column by column."""

    at: Integers
    """In microseconds since 1970."""
    left: Integers
    right: Integers
    outcome: Integers
    reason: Integers
    categories: Integers

    def take(self, chosen: Flags) -> "VoteArrays":
        """Return some of the votes."""
        return VoteArrays(*(column[chosen] for column in self))


class CodedVotes:
    """Pending votes in their order, coded page by page while they are read."""

    def __init__(self, pages: Iterable[Sequence[PendingRow]]) -> None:
        self.first_seq = self.last_seq = self._number = 0
        self.voters = Counter[str]()
        self.replies = CountsDelta()
        """The use of the replies, from the responses to voters."""
        self._models: dict[Any, int] = {}
        self._reasons: dict[Any, int] = {}
        self._categories: dict[Any, int] = {}
        coded: Iterable[Any] = zip(*(self._coded(page) for page in pages if page), strict=True)
        joined = [np.concatenate(column) for column in coded]
        self.arrays = VoteArrays(*joined or [np.zeros(0, np.int64)] * len(VoteArrays._fields))

    def __len__(self) -> int:
        """Return how many votes were read, also those that are in no table."""
        return self._number

    @property
    def models(self) -> list[str]:
        """The models by their codes; no vote in `arrays` has one without a name."""
        return [it or "" for it in self._models]

    @property
    def reasons(self) -> list[str | None]:
        """Why votes do not count, by code; None where they do."""
        return [
            excluded or (None if counted else why or "not_counted")
            for excluded, counted, why in self._reasons
        ]

    @property
    def categories(self) -> list[tuple[str, ...]]:
        """The lists of categories by their codes."""
        return [categories_of(it) for it in self._categories]

    def _coded(self, page: Sequence[PendingRow]) -> VoteArrays:
        columns: list[Sequence[Any]] = list(zip(*page, strict=True))
        seqs, rated, choice, left, right, counted, why, excluded, at, categories, voters, results = columns
        self.first_seq, self.last_seq = self.first_seq or seqs[0], seqs[-1]
        self._number += len(seqs)
        for voter, votes in Counter(voters).items():
            if voter is not None:
                # As bytes where the driver's own rows are read.
                self.voters[voter.hex() if isinstance(voter, bytes) else voter] += votes
        for result in filter(None, results):
            # As text where the driver's own rows are read.
            self.replies.add_replies(msgspec.json.decode(result) if isinstance(result, str) else result)
        choices: dict[Any, int] = {}
        chosen = _codes(choice, choices)
        found = VoteArrays(
            at=_microseconds(at),
            left=_codes(left, self._models),
            right=_codes(right, self._models),
            outcome=np.array([OUTCOMES.get(it, Outcome.TIE) for it in choices], np.int64)[chosen],
            reason=_codes(list(zip(excluded, counted, why, strict=True)), self._reasons),
            categories=_codes(categories, self._categories),
        )
        named = np.array([bool(it) for it in self._models])
        between = np.array(rated, np.bool_) & (found.left != found.right)
        return found.take(between & named[found.left] & named[found.right])


def _codes(values: Sequence[Any], known: dict[Any, int]) -> Integers:
    """Return the place of each value among the distinct ones, which are added to `known` in order."""
    for value in dict.fromkeys(values):
        known.setdefault(value, len(known))
    return np.fromiter(map(known.__getitem__, values), np.int64, len(values))


def _microseconds(times: Sequence[Any]) -> Integers:
    """Return times in microseconds since 1970; text is in UTC, without its zone."""
    plain = [it.astimezone(UTC).replace(tzinfo=None) if isinstance(it, datetime) else it for it in times]
    return np.array(plain, dtype="datetime64[us]").astype(np.int64)
