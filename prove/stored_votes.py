"""Reads the votes of a database from outside, and checks that they are consistent."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Stored:
    """The database's votes (id, choice) by battle, and its inconsistencies."""

    votes: dict[str, list[tuple[str, str]]]
    wrong: list[str]


def stored_votes(path: Path, *, quickly: bool = False) -> Stored:
    """Read all votes of a database, which a server may be using, and check that it holds together.

    `quickly` leaves out whether indexes and tables agree, which takes as long as all the rest.
    """
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        database.execute("begin")
        votes: dict[str, list[tuple[str, str]]] = {}
        for match_id, vote_id, choice in database.execute(
            "select match_id, lower(hex(id)), choice from votes"
        ):
            votes.setdefault(match_id, []).append((vote_id, choice))
        (rated,) = database.execute("select coalesce(sum(votes), 0) from elo").fetchone()
        voted = {row[0] for row in database.execute("select id from matches where status = 'voted'")}
        links = database.execute(
            "select seq, kind, vote_id, previous_sha256, sha256 from audit_log order by seq"
        ).fetchall()
        heads = database.execute("select seq, sha256 from audit_head").fetchall()
        checked = database.execute("pragma quick_check" if quickly else "pragma integrity_check").fetchall()
    count = sum(map(len, votes.values()))
    wrong: list[str] = []
    if checked != [("ok",)]:
        wrong.append(f"the integrity check says {checked[:3]}")
    if rated != 2 * count:
        wrong.append(f"{count} votes, but the ratings counted {rated} sides")
    if voted != votes.keys():
        wrong.append(f"{len(voted ^ votes.keys())} battles ended without their vote, or the other way round")
    logged = [vote_id for _, kind, vote_id, *_ in links if kind == "vote"]
    if sorted(logged) != sorted(vote_id for found in votes.values() for vote_id, _ in found):
        wrong.append(f"{count} votes, but {len(logged)} of them or others in the audit log")
    before = [link[-1] for link in links]
    chained = all(link[3] == before[place - 1] for place, link in enumerate(links) if place)
    if not chained or [link[0] for link in links] != list(range(1, len(links) + 1)):
        wrong.append("the audit log is no chain")
    if links and heads != [(len(links), before[-1])]:
        wrong.append("the end of the audit log is not where its chain ends")
    return Stored(votes, wrong)
