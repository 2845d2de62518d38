"""Use cases of sharing: make a link to a session, list and revoke them, and show what one leads to."""

from collections.abc import Sequence
from datetime import timedelta

import msgspec

from parley.features.accounts.links import Links
from parley.features.accounts.views import LinkRecord
from parley.features.session_files.service import SessionFiles
from parley.features.session_files.transcript import Transcript
from parley.features.session_files.web_page import write_notice, write_shared
from parley.features.sharing.schemas import CopiedSession, ShareSession, ShareView
from parley.kernel.caller import Caller, inside
from parley.kernel.errors import NotFound, ParleyError

PURPOSE = "share"


class Sharing:
    """Shares sessions as pages. They show what their owner sees, so a blind battle stays blind until the vote."""

    def __init__(self, links: Links, files: SessionFiles) -> None:
        self._links = links
        self._files = files

    async def check(self, caller: Caller, session_id: str) -> None:
        """Raise NotFound unless a session is the caller's."""
        await self._files.check(caller, session_id)

    async def share(self, caller: Caller, session_id: str, request: ShareSession) -> ShareView:
        """Make a link to a session. Raises NotFound."""
        transcript = await self._files.transcript(caller, session_id)
        snapshot = None if request.live else msgspec.to_builtins(transcript)
        terms = {"live": request.live, "owner_id": caller.person_id, "snapshot": snapshot}
        lasts = timedelta(days=request.days) if request.days else None
        record, url = await self._links.make(caller, PURPOSE, session_id, terms, lasts, "/share/")
        return _view(record, url)

    async def list(self, caller: Caller, session_id: str) -> Sequence[ShareView]:
        """Return the links to a session, the newest first. Raises NotFound."""
        await self._files.check(caller, session_id)
        return [_view(each, None) for each in await self._links.about(PURPOSE, session_id)]

    async def revoke(self, caller: Caller, session_id: str, link_id: str) -> None:
        """Revoke a link to a session. Raises NotFound."""
        await self._files.check(caller, session_id)
        if link_id not in {each.id for each in await self._links.about(PURPOSE, session_id)}:
            raise NotFound("This link doesn't exist.", "It may have expired or been revoked.")
        await self._links.revoke(link_id)

    async def page(self, token: str) -> str:
        """Return the page that a link leads to. Raises NotFound once it has ended, or its session was deleted."""
        return write_shared(await self._transcript(token), f"/copy#{token}")

    async def copy(self, caller: Caller, token: str) -> CopiedSession:
        """Copy what a link shows now into the caller's sessions. Raises NotFound as the page does."""
        return CopiedSession(await self._files.copy(caller, await self._transcript(token)))

    @staticmethod
    def problem_page(error: ParleyError) -> str:
        """Return a page that says why there is nothing to read."""
        return write_notice(error.title, error.detail or "")

    async def _transcript(self, token: str) -> Transcript:
        """Return what a link shows: what its owner sees, now or when it was made."""
        record = await self._links.open(PURPOSE, token)
        owner = inside(str(record.terms["owner_id"]))
        try:
            live = await self._files.transcript(owner, record.target)
        except NotFound:
            raise NotFound(
                "This session is no longer there.", "Who shared it has deleted or moved it."
            ) from None
        return live if record.terms["live"] else msgspec.convert(record.terms["snapshot"], Transcript)


def _view(record: LinkRecord, url: str | None) -> ShareView:
    return ShareView(
        id=record.id,
        live=bool(record.terms["live"]),
        created_at=record.created_at,
        expires_at=record.expires_at,
        opened=int(record.terms.get("opened", 0)),
        url=url,
    )
