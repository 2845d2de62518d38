"""The toolbox of sessions: which tools are offered, and which of them may run."""

import asyncio
import contextlib
import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from parley.features.tools.repository import ToolsRepository
from parley.features.tools.schemas import ChooseTool, ToolList, ToolServerView, ToolView
from parley.features.tools.sign_in.service import ToolSignIns
from parley.features.tools.sources import SignInNeeded, SourceTool, ToolSource
from parley.features.tools.tables import ToolChoiceRow, ToolGrantRow, ToolRunRow
from parley.kernel.caller import Caller
from parley.kernel.errors import NotFound, ParleyError, Problem, Unavailable
from parley.kernel.options import Tool
from parley.kernel.ports import Clock
from parley.kernel.toolbox import ToolOffer, ToolScene
from parley.kernel.tools import ToolCallView, ToolResult
from parley.storage.database import Database

log = logging.getLogger(__name__)

RUN_S = 60.0
PERMISSION_S = 600.0
LOOK_EVERY_S = 1.0
"""Another server may have taken the person's answer, so the database is asked too."""
LIST_S = 10.0

_NOT_ALLOWED = Problem(
    code="tool_not_allowed",
    title="The person did not allow this tool in this session.",
    detail="Answer without it, or say what it would have done.",
)
_BEGUN_BEFORE = Problem(
    code="tool_interrupted",
    title="Parley was interrupted while this tool ran, so its result is unknown.",
    detail="It was not run again, because it may have changed something. Check before you ask for it again.",
)


class _ListedTool(NamedTuple):
    """A tool and its source, with what the person chose."""

    source: ToolSource
    offer: SourceTool
    enabled: bool
    asks: bool


class _Shelf(NamedTuple):
    """The tools of all sources, those that want to know who asks, and why another has none, by its title."""

    tools: list[_ListedTool]
    closed: list[ToolSource]
    failures: dict[str, str]


class SessionToolbox:
    """Implements the kernel's `Toolbox`. Tools that only read run; others ask the person once in each session."""

    limit_s = RUN_S + PERMISSION_S

    def __init__(self, database: Database, clock: Clock, sign_ins: ToolSignIns) -> None:
        self._database = database
        self._clock = clock
        self._sign_ins = sign_ins
        self._sources: list[ToolSource] = []
        self._answered = asyncio.Event()

    def add(self, source: ToolSource) -> None:
        """Add a source of tools."""
        self._sources = [*(each for each in self._sources if each.name != source.name), source]

    async def close(self) -> None:
        """Release what the sources hold."""
        await asyncio.gather(*(source.close() for source in self._sources))

    async def offer(self, scene: ToolScene) -> ToolOffer:
        """Return the tools that are on in a session; a source that fails has none.

        A source that wants to know who asks has one tool, with which a model asks the person to sign in.
        """
        shelf = await self._shelf(scene.owner_id, scene.asker_id, scene)
        briefs: dict[str, str] = {}
        for source in self._sources:
            briefs |= await self._briefs(source, scene)
        offered = (each for each in shelf.tools if each.enabled and not (scene.quiet and each.asks))
        closed = () if scene.quiet else shelf.closed
        tools = (*(each.offer.tool for each in offered), *map(_door, closed))
        return ToolOffer(tools=tools, briefs=briefs)

    async def run(self, scene: ToolScene, call: ToolCallView, arguments: dict[str, object]) -> ToolResult:
        """Run a tool, once the person allows it if it asks. Raises ParleyError."""
        shelf = await self._shelf(scene.owner_id, scene.asker_id, scene)
        for source in shelf.closed:
            if call.name == _door(source).name:
                raise SignInNeeded(source.title)
        tool = next(
            (each for each in shelf.tools if each.offer.tool.name == call.name and each.enabled), None
        )
        closed = next((each for each in shelf.closed if call.name.startswith(f"{each.name}_")), None)
        if tool is None and closed is not None:
            raise SignInNeeded(closed.title)
        if tool is None or (scene.quiet and tool.asks):
            raise NotFound(f"The tool “{call.name}” is not available now.", "Answer without it.")
        if tool.asks and not await self._permission(scene.session_id, call.name):
            return ToolResult(error=_NOT_ALLOWED)
        if not tool.offer.reads_only and not await self._begin(scene, call):
            return ToolResult(error=_BEGUN_BEFORE)
        try:
            async with asyncio.timeout(RUN_S):
                return await tool.source.run(scene, call.name, arguments)
        except TimeoutError:
            title = f"The tool “{call.name}” did not return within {RUN_S:g} s."
            raise Unavailable(title, "It was stopped.", code="tool_timeout") from None

    async def everything(self, caller: Caller) -> ToolList:
        """Return every tool with what the caller chose."""
        shelf = await self._shelf(caller.person_id, caller.author_id, None)
        return await self._listed(caller, shelf, {})

    async def of_session(self, caller: Caller, session_id: str) -> ToolList:
        """Return the tools of a session with the answers of the person. Raises NotFound."""
        owner_id = caller.person_id

        def read(repository: ToolsRepository) -> dict[str, bool]:
            repository.check_session(owner_id, session_id)
            return repository.grants(session_id)

        grants = await self._database.read(lambda transaction: read(ToolsRepository(transaction)))
        scene = ToolScene(
            owner_id=owner_id, asker_id=caller.author_id, session_id=session_id, turn_id="", question=""
        )
        shelf = await self._shelf(owner_id, caller.author_id, scene)
        return await self._listed(caller, shelf, grants)

    async def choose(self, caller: Caller, name: str, request: ChooseTool) -> None:
        """Switch a tool on or off for the caller. Raises NotFound."""
        shelf = await self._shelf(caller.person_id, caller.author_id, None)
        if name not in {each.offer.tool.name for each in shelf.tools}:
            raise NotFound("This tool doesn't exist.", "Its server may be off.")
        row = ToolChoiceRow(caller.person_id, name, request.enabled, request.asks)
        await self._database.write(lambda transaction: ToolsRepository(transaction).choose(row))

    async def permit(self, caller: Caller, session_id: str, name: str, *, allowed: bool) -> None:
        """Store the answer to a tool that asks first; a call that waits for it goes on. Raises NotFound."""
        if name not in {each.name for each in (await self.of_session(caller, session_id)).tools}:
            raise NotFound("This tool doesn't exist.", "Its server may be off.")
        row = ToolGrantRow(session_id, name, caller.person_id, allowed, self._now())

        def store(repository: ToolsRepository) -> None:
            repository.check_session(caller.person_id, session_id)
            repository.grant(row)

        await self._database.write(lambda transaction: store(ToolsRepository(transaction)))
        self._answered.set()
        self._answered = asyncio.Event()

    async def count(self, caller: Caller) -> int:
        """Return how many choices and permissions the caller has."""
        return await self._database.read(
            lambda transaction: ToolsRepository(transaction).count(caller.person_id)
        )

    async def erase(self, caller: Caller) -> int:
        """Delete the caller's choices and permissions; return how many."""
        return await self._database.write(
            lambda transaction: ToolsRepository(transaction).remove_all(caller.person_id)
        )

    async def _permission(self, session_id: str, name: str) -> bool:
        """Wait for the person's answer; none within the time is a no."""
        clock = asyncio.get_running_loop()
        ends = clock.time() + PERMISSION_S
        while True:
            answered = self._answered
            grants = await self._database.read(
                lambda transaction: ToolsRepository(transaction).grants(session_id)
            )
            if name in grants:
                return grants[name]
            if (left := ends - clock.time()) <= 0:
                return False
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(answered.wait(), min(LOOK_EVERY_S, left))

    async def _begin(self, scene: ToolScene, call: ToolCallView) -> bool:
        """Record that a call begins; return False if it began in an earlier play."""
        row = ToolRunRow(scene.turn_id, call.reply_id or "", call.attempt, call.id[:200], self._now())
        return await self._database.write(lambda transaction: ToolsRepository(transaction).begin(row))

    async def _shelf(self, owner_id: str, asker_id: str, scene: ToolScene | None) -> _Shelf:
        choices = await self._database.read(
            lambda transaction: ToolsRepository(transaction).choices(owner_id)
        )
        shelf = _Shelf([], [], {})
        answers = await asyncio.gather(*(self._ask(source, asker_id, scene) for source in self._sources))
        for source, offers in zip(self._sources, answers, strict=True):
            if isinstance(offers, SignInNeeded):
                shelf.closed.append(source)
            elif isinstance(offers, ParleyError):
                shelf.failures[source.title] = offers.title
            else:
                for offer in offers:
                    choice = choices.get(offer.tool.name)
                    asks = choice.asks if choice and choice.asks is not None else not offer.reads_only
                    shelf.tools.append(_ListedTool(source, offer, choice.enabled if choice else True, asks))
        return shelf

    async def _ask(
        self, source: ToolSource, asker_id: str, scene: ToolScene | None
    ) -> Sequence[SourceTool] | ParleyError:
        try:
            async with asyncio.timeout(LIST_S):
                return await source.tools(asker_id, scene)
        except TimeoutError:
            return Unavailable(f"It did not answer within {LIST_S:g} s.", code="tool_server_unreachable")
        except ParleyError as error:
            return error

    async def _briefs(self, source: ToolSource, scene: ToolScene) -> Mapping[str, str]:
        try:
            return await source.briefs(scene)
        except ParleyError as error:
            log.warning("The files of session %s are sent as text: %s", scene.session_id, error)
            return {}

    async def _listed(self, caller: Caller, shelf: _Shelf, grants: Mapping[str, bool]) -> ToolList:
        views = [
            ToolView(
                name=each.offer.tool.name,
                description=each.offer.tool.description,
                source=each.source.name,
                source_title=each.source.title,
                reads_only=each.offer.reads_only,
                enabled=each.enabled,
                asks=each.asks,
                allowed=grants.get(each.offer.tool.name),
            )
            for each in shelf.tools
        ]
        own = await self._sign_ins.of(caller.author_id)
        closed = {source.name for source in shelf.closed}
        servers = [
            ToolServerView(
                name=source.name,
                title=source.title,
                wants_sign_in=source.name in closed,
                issuer=own[source.name].issuer if source.name in own else None,
                signed_in_at=own[source.name].created_at.isoformat() if source.name in own else None,
            )
            for source in self._sources
            if source.name in closed or source.name in own
        ]
        return ToolList(tools=views, servers=servers, failures=shelf.failures)

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


def _door(source: ToolSource) -> Tool:
    """Return the tool by which a model asks the person to sign in at a source."""
    return Tool(
        name=f"{source.name}_sign_in",
        description=f"{source.title}: its tools need this person to sign in. Call this to show them a button for it.",
        parameters={"type": "object", "properties": {}},
    )
