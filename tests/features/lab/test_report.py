"""A trial's score: the weighted mean of what its checks have decided."""

from datetime import UTC, datetime
from typing import Any

import pytest

from parley.features.lab.checks import contract
from parley.features.lab.prompts.body import PromptBody
from parley.features.lab.runs.plan import Cell, PlannedRow, PlannedVersion
from parley.features.lab.runs.report import FailedCounts, grade
from parley.features.lab.tables import ScoreRow, TrialRow

CELL = Cell("k", PlannedRow(1, "r", {}, None), PlannedVersion(1, "v", PromptBody(messages=())), "m", 1)
CHECKS = (contract.Equals(weight=3), contract.Refusal(), contract.Equals(weight=0))


def trial(status: str = "completed") -> TrialRow:
    names = ("key", "owner_id", "run_id", "version_sha256", "row_sha256", "model_id", "call_id")
    texts: Any = dict.fromkeys(names, "x")
    numbers: Any = dict.fromkeys(("repeat", "attempt", "latency_ms", "input_tokens", "output_tokens"), 1)
    nothing: Any = dict.fromkeys(("output_sha256", "finish_reason", "cost_micros", "tool_calls", "error"))
    return TrialRow(**texts, **numbers, **nothing, status=status, created_at=datetime(2026, 3, 1, tzinfo=UTC))


def score(
    verdicts: tuple[bool | None, ...], status: str = "completed", failed: FailedCounts = "fail"
) -> float | None:
    """Return the score of a trial whose checks have these verdicts; without one, a check was not applied."""
    rows = {
        str(place): ScoreRow(
            trial_key="k",
            check_sha256=str(place),
            passed=passed,
            score=float(bool(passed)),
            reason="",
            by="parley",
        )
        for place, passed in enumerate(verdicts)
    }
    return grade(CELL, trial(status), rows, CHECKS, ("0", "1", "2"), failed).score


@pytest.mark.parametrize(
    ("verdicts", "wanted"),
    [
        ((True, False, True), 0.75),
        ((True, True, False), 1.0),
        ((False, None, True), 0.0),
        ((True, None), 1.0),
        ((None, None, True), None),
        ((), None),
    ],
)
def test_checks_count_by_their_weight_once_they_are_decided(
    verdicts: tuple[bool | None, ...], wanted: float | None
) -> None:
    assert score(verdicts) == wanted


def test_a_trial_that_failed_counts_as_the_plan_says() -> None:
    assert score((), "failed") == 0.0
    assert score((), "failed", "exclude") is None
    assert grade(CELL, None, {}, CHECKS, ("0", "1", "2"), "fail").score is None
