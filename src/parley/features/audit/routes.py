"""Routes of the audit log."""

from typing import Annotated

from fastapi import Query

from parley.api.contract import Routes
from parley.api.deps import App
from parley.features.audit.schemas import AuditPage, EntryKind
from parley.features.audit.service import AuditTrail
from parley.kernel.caller import Scope
from parley.kernel.request import Number
from parley.storage.audit_check import AuditReport

routes = Routes("/api/audit", tag="audit", needs=Scope.MANAGE)


@routes.get()
async def list_audit(
    app: App,
    *,
    kind: Annotated[EntryKind | None, Query(description="Only entries of this kind.")] = None,
    person_id: Annotated[str | None, Query(pattern=r"^[0-9a-z]{1,64}$", description="Only theirs.")] = None,
    before: Annotated[Number | None, Query(description="Only entries before this number.")] = None,
) -> AuditPage:
    """List what people did: administrators' changes, sign-ins, keys, links and exports, the newest first."""
    return await app[AuditTrail].list(kind, person_id, before)


@routes.get("/verification", takes_minutes=True)
async def verify_audit(
    app: App,
    *,
    head: Annotated[
        str | None, Query(pattern=r"^[0-9a-f]{64}$", description="A hash you stored earlier.")
    ] = None,
) -> AuditReport:
    """Check the chain of hashes from its first entry to its last, and every vote against its entry."""
    return await app[AuditTrail].verify(head)
