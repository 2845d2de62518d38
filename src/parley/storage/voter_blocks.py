"""Conditions that find votes by voter, block by block: an index that does not slow imports down as votes grow many."""

from typing import Any

from sqlalchemy import ColumnElement, and_, func, select

from parley.storage.tables.votes import VoteRow

_VOTE = VoteRow.c


def of_voters(*voters: str) -> ColumnElement[bool]:
    """Return the condition of a vote of some voters."""
    return and_(_VOTE.block.in_(_blocks()), _VOTE.voter_id.in_(voters))


def of_voter(voter: Any) -> ColumnElement[bool]:
    """Return the condition of a vote of the voter whom an SQL expression gives."""
    return and_(_VOTE.block.in_(_blocks()), _VOTE.voter_id == voter)


def _blocks() -> Any:
    """Return the query of all blocks: from the last one down."""
    votes = VoteRow.table.alias("last_votes")
    blocks = select(func.max(votes.c.block).label("block")).cte("blocks", recursive=True)
    return select(blocks.union_all(select(blocks.c.block - 1).where(blocks.c.block > 0)).c.block)
