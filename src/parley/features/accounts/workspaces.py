"""Workspaces: places that several people share, each with a place in it as owner, editor or viewer."""

from collections.abc import Sequence
from datetime import UTC, datetime

from parley.engine.hub import Hub
from parley.features.accounts.logins import Logins
from parley.features.accounts.repository import AccountsRepository
from parley.features.accounts.schemas import AddMember, MemberView, WorkspaceView
from parley.features.accounts.tables import MemberRow, WorkspaceRow
from parley.features.accounts.workspace_repository import WorkspaceRepository
from parley.kernel.caller import Caller, SpaceRole
from parley.kernel.errors import Conflict, Forbidden, Invalid, NotFound
from parley.kernel.ids import random_id
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction


class Workspaces:
    """Makes workspaces, keeps their members, and moves sessions into them."""

    def __init__(self, database: Database, clock: Clock, logins: Logins, hub: Hub) -> None:
        self._database = database
        self._clock = clock
        self._logins = logins
        self._hub = hub

    async def list(self, caller: Caller) -> Sequence[WorkspaceView]:
        """Return the caller's workspaces by name."""

        def read(transaction: Transaction) -> list[WorkspaceView]:
            roles = WorkspaceRepository(transaction).roles(caller.author_id)
            return [_view(transaction, each, role) for each, role in roles.items()]

        views = await self._database.read(read)
        return sorted(views, key=lambda view: (view.name.casefold(), view.id))

    async def create(self, caller: Caller, name: str) -> WorkspaceView:
        """Make a workspace whose owner is the caller."""
        workspace_id, now = random_id(), self._now()

        def store(transaction: Transaction) -> WorkspaceView:
            AccountsRepository(transaction).ensure(workspace_id, name, now)
            WorkspaceRepository(transaction).add(
                WorkspaceRow(id=workspace_id, created_by=caller.author_id, created_at=now),
                MemberRow(workspace_id, caller.author_id, SpaceRole.OWNER, now),
            )
            return _view(transaction, workspace_id, SpaceRole.OWNER)

        view = await self._database.write(store)
        await self._logins.announce_changes([caller.author_id])
        return view

    async def rename(self, caller: Caller, workspace_id: str, name: str) -> WorkspaceView:
        """Give a workspace another name. Raises NotFound, Forbidden but for its owners."""

        def store(transaction: Transaction) -> WorkspaceView:
            _check_owner(transaction, caller, workspace_id)
            WorkspaceRepository(transaction).rename(workspace_id, name)
            return _view(transaction, workspace_id, SpaceRole.OWNER)

        return await self._database.write(store)

    async def check_owner(self, caller: Caller, workspace_id: str) -> None:
        """Raise NotFound if the caller is no member of a workspace, Forbidden if they don't own it."""
        await self._database.read(lambda it: _check_owner(it, caller, workspace_id))

    async def remove(self, caller: Caller, workspace_id: str) -> None:
        """Delete a workspace, from which everything was deleted before. Raises NotFound, Forbidden."""

        def store(transaction: Transaction) -> list[str]:
            _check_owner(transaction, caller, workspace_id)
            workspaces = WorkspaceRepository(transaction)
            members = [member.user_id for member in workspaces.members(workspace_id)]
            workspaces.remove(workspace_id)
            return members

        await self._logins.announce_changes(await self._database.write(store))

    # ── members ──────────────────────────────────────────────────────────────────────────────────

    async def put(self, caller: Caller, workspace_id: str, request: AddMember) -> WorkspaceView:
        """Add a person by their e-mail address, or change their place.

        Raises NotFound, Forbidden, Invalid for an unknown address, Conflict.
        """

        def store(transaction: Transaction) -> tuple[WorkspaceView, str]:
            _check_owner(transaction, caller, workspace_id)
            account = AccountsRepository(transaction).account_of(request.email)
            if account is None or account.disabled_at is not None:
                raise Invalid(
                    "email",
                    f"email: nobody signs in with {request.email}.",
                    "Nothing was changed. Ask an administrator to invite them first.",
                    code="no_account",
                )
            workspaces = WorkspaceRepository(transaction)
            member = workspaces.member(workspace_id, account.user_id)
            if member is None:
                workspaces.add(MemberRow(workspace_id, account.user_id, request.role, self._now()))
            else:
                if request.role != SpaceRole.OWNER:
                    _keep_an_owner(workspaces, workspace_id, account.user_id)
                member.role = request.role
                workspaces.update(member)
            return _view(transaction, workspace_id, SpaceRole.OWNER), account.user_id

        view, changed = await self._database.write(store)
        await self._logins.announce_changes([changed])
        return view

    async def remove_member(self, caller: Caller, workspace_id: str, user_id: str) -> None:
        """Take a person out of a workspace; everybody may take themselves. Raises NotFound, Forbidden, Conflict."""

        def store(transaction: Transaction) -> None:
            if user_id != caller.author_id:
                _check_owner(transaction, caller, workspace_id)
            workspaces = WorkspaceRepository(transaction)
            if workspaces.member(workspace_id, user_id) is None:
                raise _unknown()
            _keep_an_owner(workspaces, workspace_id, user_id)
            workspaces.remove_member(workspace_id, user_id)

        await self._database.write(store)
        await self._logins.announce_changes([user_id])

    # ── sessions ─────────────────────────────────────────────────────────────────────────────────

    async def of_session(self, caller: Caller, session_id: str) -> str:
        """Return the workspace of the caller's, or their own space, that has a session. Raises NotFound."""

        def read(transaction: Transaction) -> str:
            workspaces = WorkspaceRepository(transaction)
            owner_id = workspaces.owner_of(
                session_id, {caller.author_id, *workspaces.roles(caller.author_id)}
            )
            if owner_id is None:
                raise NotFound("This session doesn't exist.", "It may have been deleted.")
            return owner_id

        return await self._database.read(read)

    async def move_session(self, caller: Caller, session_id: str, to_id: str) -> None:
        """Move a session into a workspace, or from one into one's own space.

        Raises NotFound, Forbidden for a viewer, Conflict while a turn of it runs.
        """

        def store(transaction: Transaction) -> None:
            workspaces = WorkspaceRepository(transaction)
            roles = {caller.author_id: str(SpaceRole.OWNER), **workspaces.roles(caller.author_id)}
            owner_id = workspaces.owner_of(session_id, roles)
            if owner_id is None or to_id not in roles:
                raise NotFound("This session or workspace doesn't exist.", "Nothing was changed.")
            if SpaceRole.VIEWER in (roles[owner_id], roles[to_id]):
                raise Forbidden(
                    "You can read in this workspace, and not write.",
                    "Nothing was changed. Ask one of its owners to make you an editor.",
                )
            if workspaces.is_running(session_id):
                raise Conflict(
                    "A model is still answering in this session.",
                    "Nothing was changed. Move it when the answer is there.",
                    code="turn_running",
                )
            if owner_id != to_id:
                workspaces.move_session(session_id, owner_id, to_id)

        await self._database.write(store)
        self._hub.end_session(session_id)

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


def _check_owner(transaction: Transaction, caller: Caller, workspace_id: str) -> None:
    role = WorkspaceRepository(transaction).roles(caller.author_id).get(workspace_id)
    if role is None:
        raise _unknown()
    if role != SpaceRole.OWNER:
        raise Forbidden("Only an owner of this workspace may do this.", "Nothing was changed. Ask one.")


def _keep_an_owner(workspaces: WorkspaceRepository, workspace_id: str, user_id: str) -> None:
    """Raise Conflict if a workspace would have no owner without this one."""
    owners = {each.user_id for each in workspaces.members(workspace_id) if each.role == SpaceRole.OWNER}
    if owners == {user_id}:
        raise Conflict(
            "This is the last owner of the workspace.",
            "Nothing was changed. Make somebody else an owner first, or delete the workspace.",
            code="last_owner",
        )


def _unknown() -> NotFound:
    return NotFound("This workspace doesn't exist.", "It may have been deleted, or you are not in it.")


def _view(transaction: Transaction, workspace_id: str, role: str) -> WorkspaceView:
    workspaces, accounts = WorkspaceRepository(transaction), AccountsRepository(transaction)
    members = workspaces.members(workspace_id)
    names = workspaces.names([workspace_id, *(member.user_id for member in members)])
    return WorkspaceView(
        id=workspace_id,
        name=names[workspace_id],
        role=SpaceRole(role),
        members=[
            MemberView(
                id=member.user_id,
                name=names[member.user_id],
                email=account.email if (account := accounts.account(member.user_id)) else None,
                role=SpaceRole(member.role),
            )
            for member in members
        ],
    )
