"""Use cases of grading: a person's verdicts on answers, and the checks that follow from them."""

from parley.features.lab.checks.contract import CheckSpec, Rubric
from parley.features.lab.checks.proposing import GradedAnswer, Proposal, propose
from parley.features.lab.checks_of_answer import check_sha256, label_of
from parley.features.lab.runs.grades import GRADE
from parley.features.lab.runs.in_library import made_text
from parley.features.lab.runs.loading import checks_of, load_experiment, plan_of
from parley.features.lab.runs.plan import Cell
from parley.features.lab.runs.repository import RunsRepository, drop_score, store_scores
from parley.features.lab.runs.results import cells_at, detail_of
from parley.features.lab.runs.schemas import (
    AnswerPlace,
    CellDetail,
    GradeTrial,
    ProposedCheck,
    ProposedChecks,
)
from parley.features.lab.runs.trials import answer_of
from parley.features.lab.tables import RunRow, ScoreRow, TrialRow
from parley.features.library.schemas import AssetCard
from parley.features.library.service import LibraryService
from parley.kernel.caller import Caller
from parley.kernel.errors import Invalid, NotFound
from parley.storage.database import Database, Transaction

MOST_GRADED = 200
"""The graded answers from which checks are proposed."""


class Grading:
    """Takes a person's verdicts, keeps answers, and proposes checks from verdicts."""

    def __init__(self, database: Database, library: LibraryService) -> None:
        self._database = database
        self._library = library

    async def grade(self, caller: Caller, run_id: str, request: GradeTrial) -> CellDetail:
        """Store a person's verdict on an answer, or take it back. Raises NotFound, Invalid."""

        def store(transaction: Transaction) -> CellDetail:
            repository = RunsRepository(transaction)
            run = repository.get(caller.person_id, run_id)
            sha256 = _graded_check(run, request.check)
            cells, cell, _ = _answer_at(repository, run, caller, request)
            if request.passed is None:
                drop_score(transaction, cell.key, sha256)
            else:
                verdict = ScoreRow(
                    cell.key, sha256, request.passed, float(request.passed), "", caller.author_id
                )
                store_scores(transaction, [verdict])
            return detail_of(repository, run, cells)

        return await self._database.write(store)

    async def keep(self, caller: Caller, run_id: str, request: AnswerPlace) -> AssetCard:
        """Keep an answer in the library. Raises NotFound."""

        def store(transaction: Transaction) -> AssetCard:
            repository = RunsRepository(transaction)
            run = repository.get(caller.person_id, run_id)
            _, cell, trial = _answer_at(repository, run, caller, request)
            digest = trial.output_sha256 or ""
            text = repository.outputs(run.owner_id, [digest]).get(digest, "")
            return self._library.keep_trial(transaction, made_text(trial, cell, text))

        return await self._database.write(store)

    async def proposals(self, caller: Caller, run_id: str) -> ProposedChecks:
        """Return checks that tell a run's bad answers from its good ones. Raises NotFound."""
        graded, checks = await self._database.search(
            lambda transaction: _graded_answers(transaction, caller, run_id)
        )
        known = {check_sha256(check) for check in checks}
        proposals = await propose(graded)
        good = sum(it.good for it in graded)
        return ProposedChecks(
            good=good,
            bad=len(graded) - good,
            checks=tuple(_view(it) for it in proposals if check_sha256(it.check) not in known),
        )


def _answer_at(
    repository: RunsRepository, run: RunRow, caller: Caller, place: AnswerPlace
) -> tuple[list[Cell], Cell, TrialRow]:
    """Return a cell's repeats, and the one that is meant with its answer. Raises NotFound without one."""
    experiment = load_experiment(repository, run.prompt_id, plan_of(run))
    cells = cells_at(experiment, caller, place.row, place.version, place.model)
    cell = next((it for it in cells if it.repeat == place.repeat), None)
    trial = repository.trials(run.owner_id, [cell.key]).get(cell.key) if cell else None
    if cell is None or trial is None or trial.status != "completed":
        raise NotFound("There is no answer here yet.", "Nothing was saved. Wait until it is complete.")
    return cells, cell, trial


def _graded_check(run: RunRow, place: int | None) -> str:
    """Return the hash under which a verdict is stored; None is that of the answer as a whole."""
    if place is None:
        return GRADE
    checks = checks_of(run)
    if place >= len(checks) or not isinstance(checks[place], Rubric):
        raise Invalid("check", "This check is not filled in by hand.", "Nothing was saved.")
    return check_sha256(checks[place])


def _graded_answers(
    transaction: Transaction, caller: Caller, run_id: str
) -> tuple[list[GradedAnswer], list[CheckSpec]]:
    """Return the complete answers of a run that are graded, and the run's checks."""
    repository = RunsRepository(transaction)
    run = repository.get(caller.person_id, run_id)
    grades = repository.verdicts(run.owner_id, GRADE)
    cells = load_experiment(repository, run.prompt_id, plan_of(run)).cells(run.owner_id)
    graded = [cell for cell in cells if cell.key in grades][:MOST_GRADED]
    trials = repository.trials(run.owner_id, [cell.key for cell in graded])
    texts = repository.outputs(run.owner_id, [it.output_sha256 or "" for it in trials.values()])
    answers = [
        GradedAnswer(answer_of(cell, trial, texts.get(trial.output_sha256 or "", "")), grades[cell.key])
        for cell in graded
        if (trial := trials.get(cell.key)) is not None and trial.status == "completed"
    ]
    return answers, list(checks_of(run))


def _view(proposal: Proposal) -> ProposedCheck:
    return ProposedCheck(
        check=proposal.check,
        label=label_of(proposal.check),
        caught=proposal.caught,
        alarms=proposal.alarms,
    )
