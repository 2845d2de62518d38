"""Starts a search from the battles that a model lost: their questions, the answers that won, and the reasons."""

from typing import Any

import msgspec

from parley.features.lab.checks.contract import CheckSpec, JudgePair, JudgeRubric
from parley.features.lab.datasets.lost import LostBattles
from parley.features.lab.datasets.schemas import DatasetView
from parley.features.lab.improve.improving import LEAST_HELD_OUT
from parley.features.lab.improve.schemas import (
    ImproveFromBattles,
    ImprovementView,
    PlanImprovement,
    StartImprovement,
)
from parley.features.lab.improve.service import ImprovementsService
from parley.features.lab.prompts.body import PromptBody
from parley.features.lab.prompts.service import PromptsService
from parley.kernel.caller import Caller
from parley.kernel.errors import Invalid

RUBRIC = """\
A person voted against an earlier answer to this question, for this reason:

{{reason}}

A good answer does not have that fault."""


class FromBattles:
    """Improves a prompt for a model from its lost battles."""

    def __init__(self, lost: LostBattles, improvements: ImprovementsService, prompts: PromptsService) -> None:
        self._lost = lost
        self._improvements = improvements
        self._prompts = prompts

    async def start(self, caller: Caller, prompt_id: str, request: ImproveFromBattles) -> ImprovementView:
        """Collect the lost battles of the model that answers, and start a search on them.

        The model that rewrites judges too: in pairs against the answer that won, and by the voter's reason. Without a
        cap, the highest cost of the quote is the cap. Raises NotFound, and Invalid if there are too few battles.
        """
        body = await self._prompts.body(caller, prompt_id, request.version)
        lost = await self._lost.collect(caller, request.model, _variable(body))
        _refuse_few(lost.dataset, request.model)
        plan: dict[str, Any] = {
            **request.model_dump(exclude={"cap_usd"}),
            "dataset": lost.dataset.id,
            "checks": msgspec.to_builtins(_checks(request.reflector)),
        }
        cap = request.cap_usd
        if cap is None:
            quote = await self._improvements.quote(caller, prompt_id, PlanImprovement(**plan))
            cap = quote.cost_usd_most or None
        return await self._improvements.start(caller, prompt_id, StartImprovement(**plan, cap_usd=cap))


def _variable(body: PromptBody) -> str:
    variable = body.open_text()
    if variable is None:
        raise Invalid(
            "version",
            "This version has no text variable for the question.",
            "Nothing was asked. Write {{question}} into a message, and save a version.",
        )
    return variable.name


def _refuse_few(dataset: DatasetView, model_id: str) -> None:
    if dataset.splits["holdout"] < LEAST_HELD_OUT:
        raise Invalid(
            "model",
            f"You have {dataset.rows} votes against “{model_id}”; Improve needs {2 * LEAST_HELD_OUT - 1}.",
            "Nothing was asked. Vote in more battles or comparisons, or choose another model.",
        )


def _checks(judge: str) -> list[CheckSpec]:
    return [
        JudgePair(model=judge, label="As good as the answer that won"),
        JudgeRubric(model=judge, rubric=RUBRIC, when="reason", label="Without the fault that cost the vote"),
    ]
