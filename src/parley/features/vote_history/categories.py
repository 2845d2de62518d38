"""Categories of votes: explained by the rules, corrected by the voter or a model."""

from collections.abc import Callable, Collection
from datetime import UTC, datetime

from parley.features.arena.service import ArenaService
from parley.features.standings.rated_votes import rated_vote
from parley.features.standings.recount import lock_standings, recount
from parley.features.vote_history.repository import VotesRepository
from parley.features.vote_history.schemas import CategoryReasons, CorrectVote
from parley.kernel.caller import Caller
from parley.kernel.errors import Invalid, NotFound
from parley.kernel.inputs import PromptInput
from parley.kernel.ports import Clock
from parley.storage.audit_log import append_categories, lock_head
from parley.storage.database import Database, Transaction
from parley.storage.tables.votes import VoteRow
from parley.text.categories.categorise import Categories, Category
from parley.text.categories.ids import LANGUAGE_PREFIX, LONG_PROMPTS, MULTI_TURN, OVERALL, VISION


class VoteCategories:
    """Explains and corrects the categories of a person's own votes."""

    def __init__(
        self,
        *,
        database: Database,
        arena: ArenaService,
        categories: Categories,
        clock: Clock,
        wake: Callable[[], None],
    ) -> None:
        self._database = database
        self._clock = clock
        self._arena = arena
        self._categories = categories
        self._wake = wake

    async def explain(self, caller: Caller, vote_id: str) -> CategoryReasons:
        """Return why the rules put a vote into its categories; nothing once its prompts are deleted.

        Raises NotFound.
        """
        prompts = await self._asked(caller, vote_id)
        attachments = [each for prompt in prompts for each in prompt.attachments]
        pictures = {each.sha256 for each in attachments if each.text_sha256 is None}
        reasons = (
            self._categories.explain([prompt.text for prompt in prompts], len(pictures)) if prompts else ()
        )
        return CategoryReasons(vote_id, list(reasons))

    async def correct(self, caller: Caller, vote_id: str, request: CorrectVote) -> None:
        """Replace a vote's categories by its voter's choice and recount. Raises NotFound, Invalid."""
        wanted = self._checked(request.categories)
        await self._put(caller, vote_id, lambda _: wanted, "person")

    async def suggest(self, caller: Caller, vote_id: str, topics: Collection[str]) -> None:
        """Replace a vote's topics by a model's unless its voter corrected them. Raises NotFound.

        The language, long prompts, multi-turn and vision stay as the rules have them.
        """

        def joined(vote: VoteRow) -> list[str] | None:
            others = {it for it in vote.categories if not is_topic(it)}
            return sorted(others | set(topics)) if vote.categories_by == "rules" else None

        await self._put(caller, vote_id, joined, "model")

    def topics(self) -> tuple[Category, ...]:
        """Return the categories a model is asked about."""
        return tuple(it for it in self._categories.all if is_topic(it.id))

    async def prompts(self, caller: Caller, vote_id: str) -> list[str]:
        """Return the prompts of a vote's match; none once they are deleted. Raises NotFound."""
        return [prompt.text for prompt in await self._asked(caller, vote_id)]

    async def _asked(self, caller: Caller, vote_id: str) -> list[PromptInput]:
        vote = await self._database.read(
            lambda transaction: VotesRepository(transaction).vote(caller.person_id, vote_id)
        )
        if vote.session_id is None:
            return []
        try:
            records = await self._arena.read_matches(caller, vote.session_id)
        except NotFound:
            return []
        turns = (turn for record in records if record.match.id == vote.match_id for turn in record.turns)
        return [turn.input for turn in turns if isinstance(turn.input, PromptInput)]

    async def _put(
        self, caller: Caller, vote_id: str, wanted: Callable[[VoteRow], list[str] | None], by: str
    ) -> None:
        def store(transaction: Transaction) -> None:
            lock_standings(transaction)
            vote = VotesRepository(transaction).vote(caller.person_id, vote_id)
            before, categories = rated_vote(vote), wanted(vote)
            if categories is None:
                return
            vote.categories, vote.categories_by = categories, by
            transaction.update(vote, columns=("categories", "categories_by"))
            append_categories(transaction, lock_head(transaction), vote.id, categories, by, self._now())
            recount(transaction, (before, rated_vote(vote)))

        await self._database.write(store)
        self._wake()

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)

    def _checked(self, wanted: list[str]) -> list[str]:
        for place, category_id in enumerate(wanted):
            if category_id == OVERALL:
                raise Invalid(f"categories.{place}", "Every vote is in “overall”.", "Leave it out.")
            if self._categories.get(category_id) is None:
                raise Invalid(
                    f"categories.{place}",
                    f"There is no category “{category_id}”.",
                    "GET /api/leaderboard lists all categories.",
                )
        return sorted(set(wanted))


def is_topic(category_id: str) -> bool:
    """Return whether a category needs judgement: a topic, or an operator's own."""
    counted = category_id in (OVERALL, LONG_PROMPTS, MULTI_TURN, VISION)
    return not counted and not category_id.startswith(LANGUAGE_PREFIX)
