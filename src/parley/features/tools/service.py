"""The toolbox of sessions: which tools are offered, and which of them may run."""

import asyncio
import contextlib
import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from parley.features.tools.repository import ToolsRepository
from parley.features.tools.schemas import ChooseTool, ToolList, ToolView
from parley.features.tools.sources import SourceTool, ToolSource
from parley.features.tools.tables import ToolChoiceRow, ToolGrantRow, ToolRunRow
from parley.kernel.caller import Caller
from parley.kernel.errors import NotFound, ParleyError, Problem, Unavailable
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


class _Found(NamedTuple):
    """A tool and its source, with what the person chose."""

    source: ToolSource
    offer: SourceTool
    enabled: bool
    asks: bool


class SessionToolbox:
    """Implements the kernel's `Toolbox`. Tools that only read run; others ask the person once in each session."""

    limit_s = RUN_S + PERMISSION_S

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._sources: list[ToolSource] = []
        self._answered = asyncio.Event()

    def add(self, source: ToolSource) -> None:
        """Add a source of tools."""
        self._sources = [*(each for each in self._sources if each.name != source.name), source]

    async def close(self) -> None:
        """Release what the sources hold."""
        await asyncio.gather(*(source.close() for source in self._sources))

    async def offer(self, scene: ToolScene) -> ToolOffer:
        """Return the tools that are on in a session; a source that fails has none."""
        tools, _ = await self._tools(scene.owner_id, scene)
        briefs: dict[str, str] = {}
        for source in self._sources:
            briefs |= await self._briefs(source, scene)
        offered = (each for each in tools if each.enabled and not (scene.quiet and each.asks))
        return ToolOffer(tools=tuple(each.offer.tool for each in offered), briefs=briefs)

    async def run(self, scene: ToolScene, call: ToolCallView, arguments: dict[str, object]) -> ToolResult:
        """Run a tool, once the person allows it if it asks. Raises ParleyError."""
        tools, _ = await self._tools(scene.owner_id, scene)
        tool = next((each for each in tools if each.offer.tool.name == call.name and each.enabled), None)
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
        return _listed(*await self._tools(caller.person_id, None))

    async def of_session(self, caller: Caller, session_id: str) -> ToolList:
        """Return the tools of a session with the answers of the person. Raises NotFound."""
        owner_id = caller.person_id

        def read(repository: ToolsRepository) -> dict[str, bool]:
            repository.check_session(owner_id, session_id)
            return repository.grants(session_id)

        grants = await self._database.read(lambda transaction: read(ToolsRepository(transaction)))
        scene = ToolScene(owner_id=owner_id, session_id=session_id, turn_id="", question="")
        return _listed(*await self._tools(owner_id, scene), grants)

    async def choose(self, caller: Caller, name: str, request: ChooseTool) -> None:
        """Switch a tool on or off for the caller. Raises NotFound."""
        tools, _ = await self._tools(caller.person_id, None)
        if name not in {each.offer.tool.name for each in tools}:
            raise NotFound("This tool doesn't exist.", "Its server may be off.")
        row = ToolChoiceRow(caller.person_id, name, request.enabled, request.asks)
        await self._database.write(lambda transaction: ToolsRepository(transaction).choose(row))

    async def permit(self, caller: Caller, session_id: str, name: str, *, allowed: bool) -> None:
        """Store the answer to a tool that asks first; a call that waits for it goes on. Raises NotFound."""
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

    async def _tools(self, owner_id: str, scene: ToolScene | None) -> tuple[list[_Found], dict[str, str]]:
        """Return the tools of all sources, and why a source has none, by its title."""
        choices = await self._database.read(
            lambda transaction: ToolsRepository(transaction).choices(owner_id)
        )
        answers = await asyncio.gather(*(self._ask(source, scene) for source in self._sources))
        failures = {source.title: each for source, each in answers if isinstance(each, str)}
        tools: list[_Found] = []
        for source, offers in answers:
            if isinstance(offers, str):
                continue
            for offer in offers:
                choice = choices.get(offer.tool.name)
                asks = choice.asks if choice and choice.asks is not None else not offer.reads_only
                tools.append(_Found(source, offer, choice.enabled if choice else True, asks))
        return tools, failures

    async def _ask(
        self, source: ToolSource, scene: ToolScene | None
    ) -> tuple[ToolSource, Sequence[SourceTool] | str]:
        try:
            async with asyncio.timeout(LIST_S):
                return source, await source.tools(scene)
        except TimeoutError:
            return source, f"It did not answer within {LIST_S:g} s."
        except ParleyError as error:
            return source, error.title

    async def _briefs(self, source: ToolSource, scene: ToolScene) -> Mapping[str, str]:
        try:
            return await source.briefs(scene)
        except ParleyError as error:
            log.warning("The files of session %s are sent as text: %s", scene.session_id, error)
            return {}

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


def _listed(
    tools: Sequence[_Found], failures: dict[str, str], grants: Mapping[str, bool] | None = None
) -> ToolList:
    views = [
        ToolView(
            name=each.offer.tool.name,
            description=each.offer.tool.description,
            source=each.source.name,
            source_title=each.source.title,
            reads_only=each.offer.reads_only,
            enabled=each.enabled,
            asks=each.asks,
            allowed=(grants or {}).get(each.offer.tool.name),
        )
        for each in tools
    ]
    return ToolList(tools=views, failures=failures)
