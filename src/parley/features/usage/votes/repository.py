"""The query of votes by model."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import func, select

from parley.features.usage.measure import Line, Question
from parley.storage.database import Transaction
from parley.storage.tables.conversations import UserRow
from parley.storage.tables.votes import VoteRow
from parley.storage.voter_blocks import of_voters

_VOTE = VoteRow.c

_LEFT, _RIGHT = ("left",), ("right",)
_NEITHER = ("tie", "both_bad")


def read_win_rates(transaction: Transaction, question: Question) -> Sequence[Line]:
    """Return wins, ties, losses and the win rate per model in counted blind votes; a tie counts half."""
    query = select(
        _VOTE.left_model_id, _VOTE.right_model_id, _VOTE.choice, func.count().label("votes")
    ).where(
        _VOTE.kind == "blind",
        _VOTE.match_id.is_not(None),
        _VOTE.counted.is_(True),
        _VOTE.excluded_reason.is_(None),
        _VOTE.created_at >= _time(question.start),
        _VOTE.created_at < _time(question.end),
    )
    if question.owner_id:
        query = query.where(of_voters(_voter_of(transaction, question.owner_id)))
    rows: Sequence[Any] = transaction.execute(
        query.group_by(_VOTE.left_model_id, _VOTE.right_model_id, _VOTE.choice)
    ).all()
    tally: dict[str, list[int]] = {}
    for row in rows:
        for model, side in ((row.left_model_id, _LEFT), (row.right_model_id, _RIGHT)):
            place = 0 if row.choice in side else 1 if row.choice in _NEITHER else 2
            tally.setdefault(model or "", [0, 0, 0])[place] += row.votes
    wanted = question.where.get("model")
    lines = [_line(model, *counts) for model, counts in tally.items() if not wanted or model in wanted]
    lines.sort(key=lambda line: (-float(line[1] or 0), str(line[0])))
    if question.by:
        return lines
    votes = sum(row.votes for row in rows)
    ties = sum(row.votes for row in rows if row.choice in _NEITHER)
    return [(None, votes - ties, ties, votes - ties, votes)]


def _line(model: str, wins: int, ties: int, losses: int) -> Line:
    votes = wins + ties + losses
    return (model, (wins + ties / 2) / votes, wins, ties, losses, votes)


def _voter_of(transaction: Transaction, person_id: str) -> str:
    """Return the pseudonym of a person's votes."""
    return transaction.scalar(select(UserRow.c.voter_id).where(UserRow.c.id == person_id)) or "0" * 32


def _time(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
