"""Ballots are documents; votes tell which turn they judge, and whether they are rated.

Where there is no ballot it is JSON's null: on SQLite a table that others refer to cannot be made anew.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

TIME = sa.DateTime(timezone=True)
DOCUMENT = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")
COUNTER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
START = "0" * 64
PAGE = 1000
ELO = 1500.0
REPLACED = "replaced"
BLIND = sa.text("kind = 'blind'")
STANDS = sa.text("kind = 'open' AND (excluded_reason IS NULL OR excluded_reason <> 'replaced')")
UNRATED = sa.text("rated = 0")
UNRATED_ON_SERVER = sa.text("NOT rated")
ONE = "uq_votes_match_id_voter_id"
ONE_OF_TURN = "uq_votes_match_id_voter_id_turn_id"

STATED = ("kind", "match_id", "voter_id", "choice", "left_model_id", "right_model_id", "not_counted_reason")
BESIDE = ("categories_by", "origin", "prompt_sha256")

MATCHES = sa.table(
    "matches", sa.column("id", sa.String()), sa.column("blind", sa.Boolean()), sa.column("ballot", DOCUMENT)
)
AS_TEXT = sa.cast(MATCHES.c.ballot, sa.Text())
VOTES = sa.table(
    "votes",
    sa.column("seq", COUNTER),
    *(sa.column(name, sa.String()) for name in ("id", *STATED, *BESIDE, "excluded_reason")),
    *(sa.column(name, DOCUMENT) for name in ("seats", "categories", "style", "result")),
    sa.column("propensity", sa.Double()),
    sa.column("counted", sa.Boolean()),
    sa.column("rated", sa.Boolean()),
    sa.column("read_ms", sa.BigInteger()),
    sa.column("created_at", TIME),
)
LOG = sa.table(
    "audit_log",
    sa.column("seq", COUNTER),
    *(sa.column(name, sa.String()) for name in ("vote_id", "kind", "content", "previous_sha256", "sha256")),
    sa.column("created_at", TIME),
)
HEAD = sa.table("audit_head", sa.column("seq", COUNTER), sa.column("sha256", sa.String()))

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    kinds = op.get_bind().execute(sa.select(AS_TEXT, MATCHES.c.blind).distinct()).all()
    for words, blind in kinds:
        here = sa.and_(MATCHES.c.blind == blind, AS_TEXT.in_([words]))
        op.execute(sa.update(MATCHES).where(here).values(ballot=_ballot(json.loads(words), blind=blind)))  # noqa: TID251
    with op.batch_alter_table("votes") as table:
        table.add_column(sa.Column("turn_id", sa.String(length=32), nullable=True))
        table.add_column(sa.Column("rated", sa.Boolean(), nullable=False, server_default=sa.false()))
        table.drop_constraint(op.f(ONE), type_="unique")
    op.execute(sa.update(VOTES).values(rated=VOTES.c.kind == "blind"))
    with op.batch_alter_table("votes") as table:
        table.alter_column("rated", existing_type=sa.Boolean(), server_default=None)
    _unique(ONE, ["match_id", "voter_id"], BLIND)
    _unique(ONE_OF_TURN, ["match_id", "voter_id", "turn_id"], STANDS)
    op.create_index(
        "ix_votes_unrated_seq", "votes", ["seq"], sqlite_where=UNRATED, postgresql_where=UNRATED_ON_SERVER
    )


def downgrade() -> None:
    """Of several votes on a match the last stands; where entries told of turns, the chain is made anew as it was."""
    for name in ("ix_votes_unrated_seq", ONE_OF_TURN, ONE):
        op.drop_index(name, table_name="votes")
    _keep_last()
    _give_elo()
    with op.batch_alter_table("votes") as table:
        table.drop_column("rated")
        table.drop_column("turn_id")
        table.create_unique_constraint(op.f(ONE), ["match_id", "voter_id"])
    for (said,) in op.get_bind().execute(sa.select(AS_TEXT).distinct()).all():
        ballot = json.loads(said)  # noqa: TID251
        words: list[str] = [] if ballot is None else ballot["choices"]
        op.execute(sa.update(MATCHES).where(AS_TEXT.in_([said])).values(ballot=words))
    newer = sa.and_(LOG.c.kind == "vote", LOG.c.content.like('%"entry":"vote/3"%'))
    if op.get_bind().execute(sa.select(LOG.c.seq).where(newer).limit(1)).first():
        _make_anew()


def _ballot(words: list[str], *, blind: bool) -> dict[str, Any] | None:
    """Return what a list of choices meant: every vote ended its match, once every reply was complete."""
    if not words:
        return None
    rules = {"each_turn": False, "rated": blind, "ends_match": True, "needs": "all"}
    return {"choices": words, "members": None, **rules}


def _unique(name: str, columns: list[str], where: sa.TextClause) -> None:
    op.create_index(name, "votes", columns, unique=True, sqlite_where=where, postgresql_where=where)


def _keep_last() -> None:
    """Remove votes that an older version has no room for: replaced ones, and others on a match but the last."""
    again = VOTES.alias()
    later = sa.and_(
        again.c.match_id == VOTES.c.match_id, again.c.voter_id == VOTES.c.voter_id, again.c.seq > VOTES.c.seq
    )
    gone = sa.select(VOTES.c.id).where(VOTES.c.kind == "open", sa.exists().where(later))
    ids = list(op.get_bind().execute(gone).scalars())
    for start in range(0, len(ids), PAGE):
        some = ids[start : start + PAGE]
        op.execute(sa.delete(LOG).where(LOG.c.vote_id.in_(some)))
        op.execute(sa.delete(VOTES).where(VOTES.c.id.in_(some)))


def _give_elo() -> None:
    """Let answers without Elo say the first one, which an older version cannot do without."""
    for vote in op.get_bind().execute(sa.select(VOTES).where(sa.not_(VOTES.c.rated))).all():
        result: dict[str, Any] = vote.result
        seats: dict[str, dict[str, Any]] = result.get("seats", {})
        for seat in seats.values():
            if seat["elo_before"] is None:
                seat.update(elo_before=ELO, elo_after=ELO)
        op.execute(sa.update(VOTES).where(VOTES.c.id == vote.id).values(result=result))


def _make_anew() -> None:
    """Make the chain of votes and exclusions, with what stands beside the votes now."""
    op.execute(sa.delete(LOG))
    seq, previous = 0, START
    for page in _votes():
        rows: list[dict[str, Any]] = []
        for vote_id, kind, content, moment in (entry for vote in page for entry in _entries(vote)):
            seq, before = seq + 1, previous
            previous = hashlib.sha256((before + content).encode()).hexdigest()
            row = {"seq": seq, "vote_id": vote_id, "kind": kind, "content": content}
            rows.append({**row, "previous_sha256": before, "sha256": previous, "created_at": moment})
        op.bulk_insert(LOG, rows)
    op.execute(sa.update(HEAD).values(seq=seq, sha256=previous))


def _votes() -> Iterator[Sequence[Any]]:
    after = 0
    columns = [column for column in VOTES.c if column.name != "rated"]
    query = sa.select(*columns).order_by(VOTES.c.seq).limit(PAGE)
    while page := list(op.get_bind().execute(query.where(VOTES.c.seq > after)).all()):
        yield page
        after = page[-1].seq


def _entries(vote: Any) -> list[tuple[str, str, str, datetime]]:
    moment: datetime = vote.created_at
    moment = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    told = (*STATED, *BESIDE, "seats", "propensity", "counted", "categories", "read_ms", "style")
    said = {name: getattr(vote, name) for name in told}
    entries = [(vote.id, "vote", _content("vote/2", vote.id, said, moment), moment)]
    if vote.excluded_reason is not None:
        content = _content("exclusion/1", vote.id, {"reason": vote.excluded_reason}, moment)
        entries.append((vote.id, "exclusion", content, moment))
    return entries


def _content(entry: str, vote_id: str, said: dict[str, Any], moment: datetime) -> str:
    """The content of an entry as it was before this migration."""
    time = moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    content = {"entry": entry, "vote_id": vote_id, **said, "created_at": time}
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)  # noqa: TID251
