"""Coded votes: pending votes of a bulk batch as numbers, 48 bytes each."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeVar

import msgspec
import numpy as np

from parley.features.standings.counts_delta import CountsDelta
from parley.features.standings.rated_votes import OUTCOMES, categories_of
from parley.ratings.arrays import Flags, Integers
from parley.ratings.outcomes import Outcome

T = TypeVar("T")


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
    """Pending votes in their order, added page by page as they are read."""

    def __init__(self) -> None:
        self.first_seq = self.last_seq = self._number = 0
        self.voters = Counter[str]()
        self.replies = CountsDelta()
        """The use of the replies, from the responses to voters."""
        self._models: dict[str | None, int] = {}
        self._reasons: dict[str | None, int] = {}
        self._categories: dict[str, int] = {}
        self._pages: list[VoteArrays] = []

    def __len__(self) -> int:
        """Return how many votes there are, with those that are in no table."""
        return self._number

    @property
    def models(self) -> list[str]:
        """The models by their codes."""
        return [it or "" for it in self._models]

    @property
    def reasons(self) -> list[str | None]:
        """Why votes do not count, by code; None where they do."""
        return list(self._reasons)

    @property
    def categories(self) -> list[tuple[str, ...]]:
        """The lists of categories by their codes."""
        return [categories_of(it) for it in self._categories]

    @property
    def arrays(self) -> VoteArrays:
        """The votes that are in tables."""
        pages = self._pages or [VoteArrays(*[np.zeros(0, np.int64)] * len(VoteArrays._fields))]
        return VoteArrays(*(np.concatenate(column) for column in zip(*pages, strict=True)))

    def add(self, columns: Sequence[Sequence[Any]]) -> None:
        """Add a page of pending votes, given as columns.

        They are: number, side chosen, left model (None of a vote that is in no table), right model, why it does not
        count, time (text is in UTC), categories as JSON, voter to be examined, and response to the voter.
        """
        seqs, choice, left, right, reason, at, categories, voters, results = columns
        self._number += len(seqs)
        self.first_seq, self.last_seq = self.first_seq or seqs[0], seqs[-1]
        self.voters.update(filter(None, voters))
        for result in filter(None, results):
            # As text where SQLite returned it.
            self.replies.add_replies(msgspec.json.decode(result) if isinstance(result, str) else result)
        choices: dict[str, int] = {}
        chosen = _codes(choice, choices)
        arrays = VoteArrays(
            at=_microseconds(at),
            left=_codes(left, self._models),
            right=_codes(right, self._models),
            outcome=np.array([OUTCOMES.get(it, Outcome.TIE) for it in choices], np.int64)[chosen],
            reason=_codes(reason, self._reasons),
            categories=_codes(categories, self._categories),
        )
        self._pages.append(arrays.take(arrays.left != self._models.get(None, -1)))


def _codes(values: Sequence[T], known: dict[T, int]) -> Integers:
    """Return the place of each value among the distinct ones, which are added to `known` in order."""
    for value in dict.fromkeys(values):
        known.setdefault(value, len(known))
    return np.fromiter(map(known.__getitem__, values), np.int64, len(values))


def _microseconds(times: Sequence[Any]) -> Integers:
    """Return times in microseconds since 1970; text is in UTC, without its zone."""
    plain = [it.astimezone(UTC).replace(tzinfo=None) if isinstance(it, datetime) else it for it in times]
    return np.array(plain, dtype="datetime64[us]").astype(np.int64)
