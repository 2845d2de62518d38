"""Shapes of the audit log in the API."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec

EntryKind: TypeAlias = Literal["act", "exclusion", "inclusion", "import", "prior"]
"""The entries that people can list; those of votes and their details are verified, not listed."""


class AuditEntryView(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of the audit log. `seq` counts from 1; `at` is ISO 8601, UTC. `sha256` covers everything up to it.

    `person_id` and `person` are who did it, where that is known; `person` is None once they deleted their account.
    """

    seq: int
    kind: EntryKind
    at: str
    name: str
    person_id: str | None
    person: str | None
    about: Mapping[str, str | int | float | bool | None]
    sha256: str


class AuditPage(msgspec.Struct, frozen=True, kw_only=True):
    """Entries, the newest first, and the one to go on `before`, if there are more. `recording`: acts are recorded."""

    entries: list[AuditEntryView]
    before: int | None
    recording: bool
