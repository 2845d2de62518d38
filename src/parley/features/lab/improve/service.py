"""Use cases of searches: quote, start, pause, resume, cancel, read, and save a candidate as a version."""

from collections.abc import Sequence

import msgspec

from parley.engine.jobs import Jobs
from parley.features.lab.calling import LabCalls
from parley.features.lab.checks.checking import read_checks
from parley.features.lab.checks.contract import CheckSpec
from parley.features.lab.experiments.controls import Controls, micros_of
from parley.features.lab.improve.job import KIND
from parley.features.lab.improve.live import LiveSearch
from parley.features.lab.improve.loading import Search, improve_plan_of, load_search
from parley.features.lab.improve.quoting import quote_search
from parley.features.lab.improve.repository import ImprovementsRepository
from parley.features.lab.improve.schemas import (
    ImprovementDetail,
    ImprovementQuote,
    ImprovementView,
    ImprovePlan,
    PlanImprovement,
    ResumeImprovement,
    SaveCandidate,
    StartImprovement,
)
from parley.features.lab.improve.searching import least_answers
from parley.features.lab.improve.texts import body_with
from parley.features.lab.improve.views import improvement_detail, improvement_view
from parley.features.lab.prompts.body import PromptBody
from parley.features.lab.prompts.schemas import PromptDetail
from parley.features.lab.prompts.service import PromptsService, body_of
from parley.features.lab.prompts.service import checks_of as prompt_checks
from parley.features.lab.runs.live import LiveRuns
from parley.features.lab.tables import ImprovementRow
from parley.kernel.caller import Caller
from parley.kernel.errors import Invalid, NotFound
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction
from parley.storage.readable_rows import each_readable

MOST_LISTED = 50


class ImprovementsService:
    """Plans searches, starts and stops their jobs, and saves what they found."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        calls: LabCalls,
        jobs: Jobs,
        live: LiveRuns,
        prompts: PromptsService,
    ) -> None:
        self._database = database
        self._calls = calls
        self._live = live
        self._prompts = prompts
        self._controls = Controls(database, clock, jobs, live, ImprovementsRepository, KIND, "improvement")
        self.recover = self._controls.recover
        self.delete = self._controls.delete
        self.erase = self._controls.erase

    async def quote(self, caller: Caller, prompt_id: str, request: PlanImprovement) -> ImprovementQuote:
        """Return the quote of a plan. Raises NotFound, Invalid."""
        own_checks = None if request.checks is None else await read_checks(request.checks)

        def read(transaction: Transaction) -> ImprovementQuote:
            search, checks = _planned(transaction, caller, prompt_id, request, own_checks)
            return quote_search(transaction, self._calls, caller.person_id, search, checks)

        return await self._database.read(read)

    async def start(self, caller: Caller, prompt_id: str, request: StartImprovement) -> ImprovementView:
        """Store a search and start its job. Raises NotFound, Invalid."""
        own_checks = None if request.checks is None else await read_checks(request.checks)

        def store(transaction: Transaction) -> ImprovementRow:
            search, checks = _planned(transaction, caller, prompt_id, request, own_checks)
            self._calls.model(search.plan.model)
            self._calls.model(search.plan.reflector, "reflector")
            repository = ImprovementsRepository(transaction)
            row = ImprovementRow(
                prompt_id=prompt_id,
                number=repository.next_number(prompt_id),
                plan=msgspec.to_builtins(search.plan),
                answers=0,
                reflections=0,
                result=None,
                **self._controls.columns(caller, checks, request.cap_usd),
            )
            repository.add(row)
            return row

        return await self._begin(caller, await self._database.write(store))

    async def resume(
        self, caller: Caller, improvement_id: str, request: ResumeImprovement
    ) -> ImprovementView:
        """Go on with a search that has no result yet; a complete one stays as it is. Raises NotFound, Conflict."""

        def store(transaction: Transaction) -> ImprovementRow | None:
            repository = ImprovementsRepository(transaction)
            row = repository.get(caller.person_id, improvement_id)
            if row.status == "completed":
                return None
            row.result = None
            if "cap_usd" in request.model_fields_set:
                row.cap_micros = micros_of(request.cap_usd)
            return self._controls.restart(transaction, row, "result", "cap_micros")

        row = await self._database.write(store)
        if row is None:
            return (await self.read(caller, improvement_id)).improvement
        return await self._begin(caller, row)

    async def pause(self, caller: Caller, improvement_id: str) -> ImprovementView:
        """Begin no more calls; those in flight end and are stored. Raises NotFound."""
        await self._controls.pause(caller, improvement_id)
        return (await self.read(caller, improvement_id)).improvement

    async def cancel(self, caller: Caller, improvement_id: str) -> ImprovementView:
        """Stop at once; calls in flight are interrupted. Raises NotFound."""
        await self._controls.cancel(caller, improvement_id)
        return (await self.read(caller, improvement_id)).improvement

    async def list(self, caller: Caller, prompt_id: str | None) -> Sequence[ImprovementView]:
        """Return the newest searches of a prompt, or of all."""

        def read(transaction: Transaction) -> list[ImprovementView]:
            repository = ImprovementsRepository(transaction)
            rows = repository.of_prompt(caller.person_id, prompt_id, MOST_LISTED)
            best = repository.best_scores([row.id for row in rows])
            return list(
                each_readable(
                    rows,
                    lambda row: improvement_view(repository, row, self._search(row.id), best.get(row.id)),
                )
            )

        return await self._database.read(read)

    async def read(self, caller: Caller, improvement_id: str) -> ImprovementDetail:
        """Return a search with its progress and candidates. Raises NotFound."""
        await self._controls.end_crashed(caller, improvement_id)

        def read(transaction: Transaction) -> ImprovementDetail:
            repository = ImprovementsRepository(transaction)
            row = repository.get(caller.person_id, improvement_id)
            return improvement_detail(repository, row, self._search(row.id))

        return await self._database.read(read)

    async def save(self, caller: Caller, improvement_id: str, request: SaveCandidate) -> PromptDetail:
        """Save a candidate as the prompt's next version, with a note. Raises NotFound, Invalid."""

        def read(transaction: Transaction) -> tuple[ImprovementRow, PromptBody, str]:
            repository = ImprovementsRepository(transaction)
            row = repository.get(caller.person_id, improvement_id)
            rows = {each.number: each for each in repository.candidates(row.id)}
            best = max(rows.values(), key=lambda it: (it.score, -it.number), default=None)
            number = request.candidate or (best.number if best else 0)
            if number == 0:
                raise Invalid(
                    "candidate",
                    "This search has found no better prompt.",
                    "Nothing was saved. Your prompt is as it was.",
                )
            if number not in rows:
                raise Invalid("candidate", f"There is no candidate {number}.", "Nothing was saved.")
            first = repository.prompts.version(row.prompt_id, improve_plan_of(row.plan).version)
            body = body_with(body_of(first), rows[number].texts)
            return row, body, request.note or _note(row, number)

        row, body, note = await self._database.read(read)
        parent = improve_plan_of(row.plan).version
        return await self._prompts.add_body(caller, row.prompt_id, body, note, parent)

    def _search(self, improvement_id: str) -> LiveSearch | None:
        live = self._live.all.get(improvement_id)
        return live if isinstance(live, LiveSearch) else None

    async def _begin(self, caller: Caller, row: ImprovementRow) -> ImprovementView:
        await self._controls.begin(row)
        return (await self.read(caller, row.id)).improvement


def _planned(
    transaction: Transaction,
    caller: Caller,
    prompt_id: str,
    request: PlanImprovement,
    checks: list[CheckSpec] | None,
) -> tuple[Search, list[CheckSpec]]:
    """Return a search that makes sense, with its checks. Raises NotFound, Invalid."""
    repository = ImprovementsRepository(transaction)
    prompt = repository.prompts.get(caller.person_id, prompt_id)
    try:
        dataset = repository.datasets.get(caller.person_id, request.dataset)
    except NotFound as error:
        raise Invalid("dataset", error.title, "Nothing was asked. Choose another one.") from None
    plan = ImprovePlan(
        version=request.version,
        model=request.model,
        reflector=request.reflector,
        dataset_id=dataset.id,
        dataset_name=dataset.name,
        dataset_number=dataset.number,
        answers=request.answers or 0,
        patience=request.patience,
        target=request.target,
        parallel=request.parallel,
    )
    search = load_search(repository, prompt.id, plan)
    if request.answers is None:
        least = least_answers(len(search.rows.training), len(search.rows.validation))
        search = search._replace(plan=msgspec.structs.replace(plan, answers=2 * least))
    all_checks = list(prompt_checks(prompt)) if checks is None else checks
    search.check(all_checks)
    return search, all_checks


def _note(row: ImprovementRow, number: int) -> str:
    """Return the note of a saved candidate: where it comes from, and its result if it was measured."""
    result = row.result or {}
    measured = f": {result['sentence']}" if result.get("best") == number and result.get("rows") else ""
    return f"Candidate {number} of improvement {row.number}{measured}"[:500]
