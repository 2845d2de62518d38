"""Use cases of the audit log: record what people did, list it, verify the chain."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from parley.features.audit.repository import AuditRepository
from parley.features.audit.schemas import AuditEntryView, AuditPage, EntryKind
from parley.kernel.acts import Act, Acts
from parley.kernel.ports import Clock
from parley.storage.audit_check import AuditReport, check_audit
from parley.storage.database import Database, Transaction

PAGE = 50

_NAMES = {
    "exclusion": "Exclude a vote from the ratings",
    "inclusion": "Count a vote in the ratings again",
    "import": "Import votes",
    "prior": "Set published results",
}
_PLAIN = ("vote_id", "reason", "votes", "sha256", "removed")
"""The details of other entries that are shown."""


class AuditTrail(Acts):
    """Records acts in the chain of hashes that the votes have, where several people share a Parley."""

    def __init__(self, database: Database, clock: Clock, *, records: bool) -> None:
        """`records`: acts are recorded; in a personal installation there is nobody to prove them to."""
        self._database = database
        self._clock = clock
        self._records = records

    async def record(self, act: Act) -> None:
        """Record an act durably. Raises DatabaseBusy."""
        if self._records:
            now = datetime.fromtimestamp(self._clock.now(), UTC)
            await self._database.write(lambda transaction: AuditRepository(transaction).append(act, now))

    async def list(self, kind: EntryKind | None, person_id: str | None, before: int | None) -> AuditPage:
        """Return a page of entries, the newest first; of one kind, or what one person did."""

        def read(transaction: Transaction) -> tuple[Sequence[Any], Mapping[str, str]]:
            repository = AuditRepository(transaction)
            kinds = [kind] if kind else ["act", *_NAMES]
            rows = repository.page(kinds, person_id, before, PAGE + 1)
            people = {str(_decoded(row.content).get("person_id")) for row in rows}
            return rows, repository.names(sorted(people))

        rows, names = await self._database.read(read)
        return AuditPage(
            entries=[_view(row, names) for row in rows[:PAGE]],
            before=rows[PAGE - 1].seq if len(rows) > PAGE else None,
            recording=self._records,
        )

    async def verify(self, noted: str | None) -> AuditReport:
        """Check the whole chain and every vote; `noted` is a head hash that was stored elsewhere."""
        return await check_audit(self._database, noted)


def _decoded(content: str) -> dict[str, Any]:
    """Return an entry's content; nothing for one that somebody made unreadable, which verifying reports."""
    try:
        return msgspec.json.decode(content, type=dict[str, Any])
    except msgspec.DecodeError:
        return {}


def _view(row: Any, names: Mapping[str, str]) -> AuditEntryView:
    content = _decoded(row.content)
    person_id = content.get("person_id")
    shown = {"route": content.get("route"), **content.get("about", {})} if row.kind == "act" else None
    return AuditEntryView(
        seq=row.seq,
        kind=row.kind,
        at=str(content.get("created_at", "")),
        name=content.get("name") or _NAMES.get(row.kind, "An entry that can't be read"),
        person_id=person_id,
        person=names.get(person_id) if person_id else None,
        about=shown or {name: content[name] for name in _PLAIN if content.get(name) not in (None, "none")},
        sha256=row.sha256,
    )
