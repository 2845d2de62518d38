"""The votes of a database, read from outside, and what does not fit together there."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Stored:
    """What the database holds: votes (id, choice) by battle, and what does not fit."""

    votes: dict[str, list[tuple[str, str]]]
    wrong: list[str]


def stored_votes(path: Path) -> Stored:
    """Read all votes of a database, which a server may be using, and check that it holds together."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        database.execute("begin")
        votes: dict[str, list[tuple[str, str]]] = {}
        for match_id, vote_id, choice in database.execute("select match_id, id, choice from votes"):
            votes.setdefault(match_id, []).append((vote_id, choice))
        (rated,) = database.execute("select coalesce(sum(votes), 0) from elo").fetchone()
        voted = {row[0] for row in database.execute("select id from matches where status = 'voted'")}
        checked = database.execute("pragma integrity_check").fetchall()
    count = sum(map(len, votes.values()))
    wrong: list[str] = []
    if checked != [("ok",)]:
        wrong.append(f"the integrity check says {checked[:3]}")
    if rated != 2 * count:
        wrong.append(f"{count} votes, but the ratings counted {rated} sides")
    if voted != votes.keys():
        wrong.append(f"{len(voted ^ votes.keys())} battles ended without their vote, or the other way round")
    return Stored(votes, wrong)
