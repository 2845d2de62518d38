"""What stands beside a vote gets its entry in the audit log; votes of flagged voters come back into the ratings."""

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
NAME = sa.String(length=64)
RATIO: sa.types.TypeEngine[float] = sa.Double()
START = "0" * 64
PAGE = 1000
FLAGGED = "flagged_voter"
OUTCOMES = {"left": "win", "right": "loss", "tie": "tie", "both_bad": "both_bad"}
OF_VOTE = sa.text("kind = 'vote'")

STATED = ("kind", "match_id", "voter_id", "choice", "left_model_id", "right_model_id", "not_counted_reason")
BESIDE = ("categories_by", "origin", "prompt_sha256")
TEXTS = ("id", *STATED, *BESIDE, "processing_status", "excluded_reason")

VOTES = sa.table(
    "votes",
    sa.column("seq", COUNTER),
    *(sa.column(name, sa.String()) for name in TEXTS),
    *(sa.column(name, DOCUMENT) for name in ("seats", "categories", "style")),
    sa.column("propensity", sa.Double()),
    sa.column("counted", sa.Boolean()),
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
PAIRS = sa.table(
    "pair_counts",
    *(sa.column(name, sa.String()) for name in ("category", "left_model_id", "right_model_id")),
    sa.column("counted", sa.Boolean()),
    *(sa.column(name, sa.BigInteger()) for name in OUTCOMES.values()),
)
UNCOUNTED = sa.table(
    "uncounted_counts",
    *(sa.column(name, sa.String()) for name in ("category", "reason")),
    sa.column("votes", sa.BigInteger()),
)
STATUS = sa.table(
    "worker_status",
    *(sa.column(name, sa.String()) for name in ("worker_name", "status")),
    sa.column("version", COUNTER),
)

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "voter_flags",
        sa.Column("voter_id", sa.String(length=32), nullable=False),
        sa.Column("e_value", RATIO, nullable=False),
        sa.Column("after", sa.Integer(), nullable=False),
        sa.Column("pattern", NAME, nullable=False),
        sa.Column("model_id", NAME, nullable=True),
        sa.Column("votes", sa.BigInteger(), nullable=False),
        sa.Column("flagged_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("voter_id", name=op.f("pk_voter_flags")),
    )
    with op.batch_alter_table("audit_log") as table:
        table.drop_constraint(op.f("uq_audit_log_vote_id_kind"), type_="unique")
    op.create_index("ix_audit_log_vote_id_seq", "audit_log", ["vote_id", "seq"])
    op.create_index(
        "uq_audit_log_vote_id",
        "audit_log",
        ["vote_id"],
        unique=True,
        sqlite_where=OF_VOTE,
        postgresql_where=OF_VOTE,
    )
    chain = _Chain(*op.get_bind().execute(sa.select(HEAD)).one())
    now = datetime.now(UTC)  # noqa: TID251 - a migration is given no clock
    for page in _votes():
        chain.add([(vote.id, "findings", _findings(vote, now), now) for vote in page])
    _take_in_again(chain, now)
    chain.end()


def downgrade() -> None:
    """Where nothing came after what the upgrade added, that is cut off; else the chain is made anew, as it was."""
    cut_off = _cut_off()
    op.drop_index("uq_audit_log_vote_id", table_name="audit_log")
    op.drop_index("ix_audit_log_vote_id_seq", table_name="audit_log")
    with op.batch_alter_table("audit_log") as table:
        table.create_unique_constraint(op.f("uq_audit_log_vote_id_kind"), ["vote_id", "kind"])
    op.drop_table("voter_flags")
    if not cut_off:
        _make_anew()


def _cut_off() -> bool:
    """Remove the findings where all before them is of revision 0006 and nothing is after them; else every entry."""
    since = sa.or_(
        LOG.c.kind.not_in(("vote", "exclusion", "findings")),
        sa.and_(LOG.c.kind == "vote", LOG.c.content.not_like('%"entry":"vote/1"%')),
    )
    first_added = sa.select(sa.func.min(LOG.c.seq)).where(LOG.c.kind == "findings").scalar_subquery()
    after = sa.and_(LOG.c.kind != "findings", LOG.c.seq > first_added)
    if op.get_bind().execute(sa.select(LOG.c.seq).where(sa.or_(since, after)).limit(1)).first():
        op.execute(sa.delete(LOG))
        return False
    op.execute(sa.delete(LOG).where(LOG.c.kind == "findings"))
    last = op.get_bind().execute(sa.select(LOG).order_by(LOG.c.seq.desc()).limit(1)).first()
    (_Chain(last.seq, last.sha256) if last else _Chain(0, START)).end()
    return True


def _make_anew() -> None:
    """Make the chain of votes and exclusions only."""
    chain = _Chain(0, START)
    for page in _votes():
        for vote in page:
            entries = [(vote.id, "vote", _vote(vote), _moment(vote))]
            if vote.excluded_reason is not None:
                said = {"reason": vote.excluded_reason}
                content = _content("exclusion/1", vote.id, said, _moment(vote))
                entries.append((vote.id, "exclusion", content, _moment(vote)))
            chain.add(entries)
    chain.end()


class _Chain:
    """The chain of hashes, to which entries are added."""

    def __init__(self, seq: int, sha256: str) -> None:
        self._seq, self._sha256 = seq, sha256

    def add(self, entries: Sequence[tuple[str, str, str, datetime]]) -> None:
        """Add entries: vote, kind, content, time."""
        rows: list[dict[str, Any]] = []
        for vote_id, kind, content, moment in entries:
            previous = self._sha256
            self._seq += 1
            self._sha256 = hashlib.sha256((previous + content).encode()).hexdigest()
            row = {"seq": self._seq, "vote_id": vote_id, "kind": kind, "content": content}
            rows.append({**row, "previous_sha256": previous, "sha256": self._sha256, "created_at": moment})
        if rows:
            op.bulk_insert(LOG, rows)

    def end(self) -> None:
        """Store where it ends."""
        op.execute(sa.update(HEAD).values(seq=self._seq, sha256=self._sha256))


def _votes(*conditions: Any) -> Iterator[list[Any]]:
    after = 0
    query = sa.select(VOTES).where(*conditions).order_by(VOTES.c.seq).limit(PAGE)
    while page := list(op.get_bind().execute(query.where(VOTES.c.seq > after)).all()):
        yield page
        after = page[-1].seq


def _take_in_again(chain: _Chain, now: datetime) -> None:
    """Take in again the votes of voters whom the rule had flagged: it took honest people for others."""
    taken_out = sa.select(LOG.c.vote_id).where(
        LOG.c.kind == "exclusion", LOG.c.content.contains(f'"{FLAGGED}"')
    )
    told = set(op.get_bind().execute(taken_out).scalars())
    pairs: dict[tuple[Any, ...], dict[str, int]] = {}
    uncounted: dict[tuple[str, str], int] = {}
    for page in _votes(VOTES.c.excluded_reason == FLAGGED):
        content = {
            vote.id: _content("inclusion/1", vote.id, {"reason": "rule_withdrawn"}, now) for vote in page
        }
        chain.add([(vote.id, "inclusion", content[vote.id], now) for vote in page if vote.id in told])
        for vote in page:
            if vote.processing_status == "processed" and vote.kind == "blind" and vote.choice in OUTCOMES:
                _recount(vote, pairs, uncounted)
    op.execute(sa.update(VOTES).where(VOTES.c.excluded_reason == FLAGGED).values(excluded_reason=None))
    if pairs:
        _store(pairs, uncounted)
        op.execute(
            sa.update(STATUS)
            .where(STATUS.c.worker_name == "standings")
            .values(status="running", version=STATUS.c.version + 1)
        )
        op.execute(sa.update(STATUS).where(STATUS.c.worker_name == "replay").values(status="due"))


def _recount(
    vote: Any, pairs: dict[tuple[Any, ...], dict[str, int]], uncounted: dict[tuple[str, str], int]
) -> None:
    """Note how a vote moves from those that are kept to those that count, in each of its categories."""
    if not vote.left_model_id or not vote.right_model_id or vote.left_model_id == vote.right_model_id:
        return
    reason = None if vote.counted else vote.not_counted_reason or "not_counted"
    outcome = OUTCOMES[vote.choice]
    for category in dict.fromkeys(("overall", *vote.categories)):
        for why, change in ((FLAGGED, -1), (reason, 1)):
            cell = pairs.setdefault((category, vote.left_model_id, vote.right_model_id, why is None), {})
            cell[outcome] = cell.get(outcome, 0) + change
            if why is not None:
                uncounted[category, why] = uncounted.get((category, why), 0) + change


def _store(pairs: dict[tuple[Any, ...], dict[str, int]], uncounted: dict[tuple[str, str], int]) -> None:
    for key, changes in pairs.items():
        names = ("category", "left_model_id", "right_model_id", "counted")
        _add(
            PAIRS,
            dict(zip(names, key, strict=True)),
            {name: changes.get(name, 0) for name in OUTCOMES.values()},
        )
    for (category, reason), votes in uncounted.items():
        _add(UNCOUNTED, {"category": category, "reason": reason}, {"votes": votes})


def _add(table: Any, key: dict[str, Any], changes: dict[str, int]) -> None:
    """Add to the numbers of a row, which may not be there yet."""
    here = [table.c[name] == value for name, value in key.items()]
    more = {name: table.c[name] + change for name, change in changes.items()}
    done = op.get_bind().execute(sa.update(table).where(*here).values(more))
    if not done.rowcount:
        op.execute(sa.insert(table).values(**key, **changes))


def _findings(vote: Any, now: datetime) -> str:
    said = {name: getattr(vote, name) for name in ("categories", "read_ms", "style", *BESIDE)}
    return _content("findings/1", vote.id, said, now)


def _vote(vote: Any) -> str:
    said = {name: getattr(vote, name) for name in (*STATED, "seats", "propensity", "counted")}
    return _content("vote/1", vote.id, said, _moment(vote))


def _moment(vote: Any) -> datetime:
    moment: datetime = vote.created_at
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def _content(entry: str, vote_id: str, said: dict[str, Any], moment: datetime) -> str:
    """The content of an entry as it was when this migration was written."""
    time = moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    content = {"entry": entry, "vote_id": vote_id, **said, "created_at": time}
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)  # noqa: TID251
