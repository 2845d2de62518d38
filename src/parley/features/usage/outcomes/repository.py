"""The queries of what consortia and teams came to, from the notes of their turns."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from statistics import fmean, median
from typing import Any

from sqlalchemy import select

from parley.features.usage.measure import Line, Question, period_of
from parley.storage.database import Transaction
from parley.storage.tables.conversations import MatchRow, SessionRow, TurnEventRow, TurnRow

AGREEMENT, RESULT, ROUND = "consortium.agreement/1", "consortium.result/1", "team.round/1"

_TURN, _MATCH, _EVENT = TurnRow.c, MatchRow.c, TurnEventRow.c
_NOTE = _EVENT.data["note"]


def read_consortia(transaction: Transaction, question: Question) -> Sequence[Line]:
    """Return turns, rounds, agreement, confidence, and how often a turn settled and cost more than one model."""
    notes = _notes(transaction, question, "consortium", (AGREEMENT, RESULT))
    groups: dict[int | None, list[dict[str, Any]]] = {}
    for created_at, turn in notes:
        if RESULT in turn:
            groups.setdefault(period_of(question.by, created_at), []).append(turn)
    return [(*_key(question, period), *_consortium(turns)) for period, turns in _sorted(groups)]


def read_teams(transaction: Transaction, question: Question) -> Sequence[Line]:
    """Return turns, rounds, cost and why the rounds of teams ended."""
    groups: dict[int | None, list[dict[str, Any]]] = {}
    for created_at, turn in _notes(transaction, question, "team", (ROUND,)):
        groups.setdefault(period_of(question.by, created_at), []).append(turn[ROUND])
    return [(*_key(question, period), *_team(rounds)) for period, rounds in _sorted(groups)]


def _consortium(turns: Sequence[Mapping[str, Any]]) -> Line:
    results = [turn[RESULT] for turn in turns]
    agreed = [turn.get(AGREEMENT, {}).get("consensus") for turn in turns]
    sure = [result["synthesis"]["confidence"] for result in results]
    prices = [
        result["worth"]["cost_usd"] / best["cost_usd"]
        for result in results
        if (best := result["worth"]["best_single"]) and best["cost_usd"] and result["worth"]["cost_usd"]
    ]
    return (
        len(turns),
        fmean(result["metadata"]["iteration_count"] for result in results),
        _mean(agreed),
        _mean(sure),
        fmean(bool(result["settled"]) for result in results),
        median(prices) if prices else None,
    )


def _team(rounds: Sequence[Mapping[str, Any]]) -> Line:
    why = Counter(each["why"] for each in rounds)
    return (
        len(rounds),
        fmean(each["done"] for each in rounds),
        round(fmean(each["spent"]["cost_micros"] for each in rounds)),
        (why["moderator"]) / len(rounds),
        (why["tokens"] + why["money"]) / len(rounds),
    )


def _notes(
    transaction: Transaction, question: Question, mode: str, names: Sequence[str]
) -> Iterable[tuple[datetime, dict[str, Any]]]:
    """Return each completed turn's beginning, with its latest note of each name."""
    query = (
        select(_TURN.id, _TURN.created_at, _EVENT.data)
        .join(MatchRow.table, _MATCH.id == _TURN.match_id)
        .join(SessionRow.table, SessionRow.c.id == _TURN.session_id)
        .join(TurnEventRow.table, _EVENT.turn_id == _TURN.id)
        .where(
            _MATCH.mode == mode,
            _MATCH.blind.is_(False),
            _TURN.status == "completed",
            _TURN.created_at >= _time(question.start),
            _TURN.created_at < _time(question.end),
            _EVENT.kind == "note.added",
            _NOTE["name"].as_string().in_(names),
        )
        .order_by(_TURN.id, _EVENT.seq)
    )
    if question.owner_id:
        query = query.where(_TURN.author_id == question.owner_id)
    if question.space_id:
        query = query.where(SessionRow.c.space_id == question.space_id)
    turns: dict[str, tuple[datetime, dict[str, Any]]] = {}
    for row in transaction.execute(query):
        note = row.data["note"]
        turns.setdefault(row.id, (row.created_at, {}))[1][note["name"]] = note["data"]
    return turns.values()


def _mean(values: Sequence[float | None]) -> float | None:
    known = [each for each in values if each is not None]
    return fmean(known) if known else None


def _key(question: Question, period: int | None) -> Line:
    return (period,) if question.by else ()


def _sorted(groups: Mapping[int | None, Any]) -> list[tuple[int | None, Any]]:
    return sorted(groups.items(), key=lambda item: item[0] or 0)


def _time(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
