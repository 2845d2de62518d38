"""Compares the counts of a database, read from outside, with its votes."""

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import msgspec

CHOICES = ("left", "right", "tie", "both_bad")


def wrong_counts(path: Path) -> list[str]:
    """Compare the counts with the votes that are marked as counted; the database may be in use."""
    due: Counter[tuple[object, ...]] = Counter()
    found: Counter[tuple[object, ...]] = Counter()
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        database.execute("begin")
        votes = database.execute(
            "select left_model_id, right_model_id, choice, counted, not_counted_reason, excluded_reason, categories "
            "from votes where processing_status = 8 and kind = 'blind'"
        ).fetchall()
        pairs = database.execute("select * from pair_counts").fetchall()
        uncounted = database.execute("select category, reason, votes from uncounted_counts").fetchall()
        noted = database.execute(
            "select votes_processed from worker_status where worker_name = 'standings'"
        ).fetchone()
        (marked,) = database.execute("select count(*) from votes where processing_status = 8").fetchone()
    for left, right, choice, counted, why, excluded, categories in votes:
        reason = excluded or (None if counted else why)
        for category in ["overall", *msgspec.json.decode(categories)]:
            due[category, left, right, int(reason is None), choice] += 1
            if reason is not None:
                due[category, reason] += 1
    for category, left, right, counted, *numbers in pairs:
        found.update(
            {(category, left, right, counted, it): n for it, n in zip(CHOICES, numbers, strict=True)}
        )
    found.update({(category, reason): number for category, reason, number in uncounted})
    wrong = [
        f"{key}: {found[key]} counted, and the votes say {due[key]}"
        for key in {*due, *found}
        if due[key] != found[key]
    ]
    if noted and noted[0] != marked:
        wrong.append(f"{marked} votes are marked, and the worker says {noted[0]}")
    return wrong
