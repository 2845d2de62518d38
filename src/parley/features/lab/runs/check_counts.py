"""Counts for each check of a run: passed, failed, not decided."""

from collections.abc import Iterable, Mapping, Sequence

from parley.features.lab.checks.contract import CheckSpec, JudgePair, JudgeRubric
from parley.features.lab.checks_of_answer import label_of
from parley.features.lab.judges.service import without_passport
from parley.features.lab.runs.schemas import CheckCounts


def count_checks(
    checks: Sequence[CheckSpec],
    verdicts: Iterable[tuple[dict[str, object], Sequence[bool | None]]],
    passports: Mapping[str, str],
) -> tuple[CheckCounts, ...]:
    """Return the counts of each check, from each answer's row and its verdicts.

    A check that is not for a row counts neither way. One without weight counts, but decides nothing. `passports` are
    those of judges, by model.
    """
    counts = [[0, 0, 0] for _ in checks]
    for fields, passed in verdicts:
        for place, (check, verdict) in enumerate(zip(checks, passed, strict=True)):
            if verdict is None and check.when and not fields.get(check.when):
                continue
            counts[place][2 if verdict is None else int(not verdict)] += 1
    return tuple(
        CheckCounts(
            label=label_of(check),
            passed=passed,
            failed=failed,
            open=undecided,
            decides=check.weight > 0,
            judge=_passport(check, passports),
        )
        for check, (passed, failed, undecided) in zip(checks, counts, strict=True)
    )


def _passport(check: CheckSpec, passports: Mapping[str, str]) -> str | None:
    if not isinstance(check, JudgeRubric | JudgePair):
        return None
    return passports.get(check.model, without_passport(check.model))
