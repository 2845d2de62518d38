"""A match of a mode, played in memory turn by turn."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from parley.engine.live_turn import LiveTurn
from parley.engine.stage import ENDED
from parley.kernel.inputs import PromptInput, TurnInput
from parley.kernel.mode import Mode
from parley.kernel.ports import Catalog, Tools, TurnScript
from parley.kernel.seats import SeatSettings
from parley.kernel.views import TurnView
from parley.testing.canned import CannedConnector, Said
from parley.testing.engine import open_engine, until
from parley.testing.memory_log import MemoryLog
from parley.testing.scripts import make_script


class PlayedMatch:
    """A match with canned answers; each seat has its own model, with the seat's name.

    `seats`, `brief` and `settings` (by seat) may change between turns. `log` has everything recorded. Turns are
    returned as clients read them: `status`, `round`, `replies`, `notes`, `interjections`.
    """

    def __init__(
        self,
        mode: Mode[Any],
        seats: Iterable[str],
        *,
        brief: Mapping[str, object] | None = None,
        settings: Mapping[str, SeatSettings] | None = None,
        catalog: Catalog | None = None,
        tools: Tools | None = None,
    ) -> None:
        self.mode = mode
        self.seats = list(seats)
        self.brief = dict(brief or {})
        self.settings = dict(settings or {})
        self.log = MemoryLog()
        self._connector = CannedConnector()
        self._catalog = catalog
        self._tools = tools

    def says(self, seat: str, *answer: Said) -> None:
        """Add a seat's next answer; the last one repeats. See `Said` for its parts."""
        self._connector.says(seat, *answer)

    def asked(self, seat: str) -> int:
        """Return how often a seat was asked so far."""
        return self._connector.asked(seat)

    def heard(self, seat: str, call: int = -1) -> list[str]:
        """Return the messages of one of a seat's calls, the last one by default, as "role: text"."""
        return self._connector.heard(seat, call)

    async def play(
        self, prompt: str | TurnInput, *, meanwhile: Mapping[int, Sequence[TurnInput]] | None = None
    ) -> TurnView:
        """Play the next turn; a text is a prompt. Return the turn at its end, or where an answer has a `CUT`.

        `meanwhile` are interjections by round number: they arrive while the round's first seat is being asked, so the
        next round reads them. Raises AssertionError if the turn takes 100 seconds of the loop's clock, pydantic's
        ValidationError for a wrong brief.
        """
        past = [self.log.earlier(turn_id) for turn_id in self.log.scripts]
        turn_input = PromptInput(prompt) if isinstance(prompt, str) else prompt
        prompts = [
            each.text
            for each in (*(turn.input for turn in past), turn_input)
            if isinstance(each, PromptInput)
        ]
        script = make_script(
            self.mode,
            {name: name for name in self.seats},
            turn_id=f"turn-{len(past) + 1}",
            prompt=prompts[-1] if prompts else "",
            turn_input=turn_input,
            brief=self.brief,
            settings=self.settings,
            earlier=past,
        )
        return await self._play(script, meanwhile or {})

    async def resume(self) -> TurnView:
        """Play the last turn again from its record, as a server that starts after a crash. Raises NotFound."""
        return await self._play(await self.log.read(self._last), {})

    async def retry(self) -> TurnView:
        """Retry what is incomplete in the last turn, as a person may. Raises NotFound."""
        self.log.renew(self._last)
        return await self.resume()

    @property
    def _last(self) -> str:
        return next(reversed(self.log.scripts), "")

    async def _play(self, script: TurnScript, meanwhile: Mapping[int, Sequence[TurnInput]]) -> TurnView:
        connector, waiting = self._connector, dict(meanwhile)
        connector.cut = 0
        async with open_engine(connector, self.log, catalog=self._catalog, tools=self._tools) as engine:
            live = engine.start(self.mode, script)

            async def interject() -> None:
                for turn_input in waiting.pop(live.round, ()):
                    await engine.interject(turn_input, live.id)

            connector.before = interject
            await until(lambda: live.finished.is_set() or self._is_cut(live))
            return msgspec.json.decode(msgspec.json.encode(live.snapshot().turn), type=TurnView)

    def _is_cut(self, live: LiveTurn) -> bool:
        """Return whether only replies that were cut are still running."""
        replies = live.replies.values()
        # A reply's end is shown once it is stored; in a blind match only at the end of the turn.
        ended = [each for each in replies if each.status in ENDED and (each.end_published or live.blind)]
        return 0 < self._connector.cut == self._connector.open == len(replies) - len(ended)
