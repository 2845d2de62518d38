"""Improve: a planted better prompt is found, budgets hold, and rows held out stay unseen."""

import asyncio

import pytest

from parley.features.lab.improve.improving import changes, improve
from parley.features.lab.improve.rows import HoldOut, OpenRow, Scored, SealedRow, Texts
from parley.features.lab.improve.searching import Budget, Progress, least_answers, search
from parley.kernel.errors import Invalid, OverBudget
from tests.features.lab.scripted_search import LIFT, PLANTED, SEED, ScriptedModel, rows, split

BUDGET = Budget(answers=600, patience=12)


async def test_a_planted_better_prompt_is_found_and_measured_on_unseen_rows() -> None:
    model = ScriptedModel(5)
    states: list[Progress] = []
    result = await improve(SEED, *split(), model.evaluate, model.reflect, BUDGET, states.append)
    best = result.candidates[result.best]
    assert PLANTED in best.texts["message 1"]
    assert (result.low or 0) <= LIFT <= (result.high or 0)
    assert result.sentence.startswith(f"+{100 * (result.difference or 0):.1f} points, 95% interval ")
    assert "on 80 unseen rows." in result.sentence
    assert result.answers == model.answers <= BUDGET.answers + 160
    assert best.parents
    assert f"+{PLANTED}" in "".join(changes(best, result.candidates[0]).values())
    assert states[-1].candidates[-1].number == result.candidates[-1].number
    first_sealed = next(place for place, name in enumerate(model.seen) if name.startswith("sealed"))
    assert all(name.startswith("sealed") for name in model.seen[first_sealed:])


@pytest.mark.parametrize("answers", [least_answers(30, 40), 250, 400])
async def test_the_budget_is_never_passed(answers: int) -> None:
    model = ScriptedModel(1)
    training, validation, _ = split()
    found = await search(
        SEED, training, validation, model.evaluate, model.reflect, Budget(answers=answers, patience=99)
    )
    assert found.answers == model.answers <= answers


async def test_a_budget_that_is_too_small_is_refused_with_the_number_that_would_do() -> None:
    model = ScriptedModel(1)
    least = least_answers(30, 40)
    assert least == 40 + 3 * (2 * 3 + 40)
    with pytest.raises(Invalid, match=f"{least - 1} answers are too few: {least} are the least"):
        await improve(SEED, *split(), model.evaluate, model.reflect, Budget(answers=least - 1))
    with pytest.raises(Invalid, match="at least 10 rows that are held out; there are 9"):
        await improve(SEED, *split(held_out=9), model.evaluate, model.reflect, BUDGET)
    with pytest.raises(Invalid, match="rows for validation"):
        await search(SEED, [], [], model.evaluate, model.reflect, BUDGET)
    assert model.answers == 0


async def test_a_planted_leak_from_the_rows_held_out_is_caught() -> None:
    """The same values in another order, under another id: still the same row. The search itself takes no sealed row."""
    model = ScriptedModel(1)
    training, validation, _ = split()
    sealed = rows(SealedRow, "sealed", 20)
    leak = OpenRow(id="other", values=dict(reversed(list(sealed[7].values.items()))))
    with pytest.raises(Invalid, match="1 of the rows for training and validation are held out as well"):
        await improve(
            SEED, [*training, leak], validation, HoldOut(sealed), model.evaluate, model.reflect, BUDGET
        )
    with pytest.raises(TypeError, match="open rows only"):
        await search(SEED, [*training, sealed[0]], validation, model.evaluate, model.reflect, BUDGET)
    assert "values" not in repr(HoldOut(sealed))
    assert model.answers == 0


async def test_without_a_better_prompt_the_rows_held_out_are_not_used() -> None:
    model = ScriptedModel(1, lift=-0.3)

    async def reflect(prompt: str) -> str:
        return "```\nAnswer without the placeholder.\n```"

    result = await improve(SEED, *split(), model.evaluate, reflect, Budget(answers=400, patience=4))
    assert (result.best, result.rows, len(result.candidates)) == (0, 0, 1)
    assert result.sentence.startswith("No better prompt was found")
    assert not any(name.startswith("sealed") for name in model.seen)


async def test_an_error_ends_the_search_with_what_it_had() -> None:
    model = ScriptedModel(1)

    async def evaluate(texts: Texts, row: OpenRow | SealedRow) -> Scored:
        if model.answers > 60:
            raise OverBudget("The cap of this run is reached.")
        return await model.evaluate(texts, row)

    result = await improve(SEED, *split(), evaluate, model.reflect, BUDGET)
    assert result.problem is not None
    assert result.sentence.startswith("The search stopped early: The cap of this run is reached.")
    assert result.candidates[0].texts == SEED


async def test_cancelling_stops_what_is_being_asked() -> None:
    model = ScriptedModel(1)
    asking = asyncio.Event()

    async def evaluate(texts: Texts, row: OpenRow | SealedRow) -> Scored:
        if model.answers > 50:
            asking.set()
            await asyncio.sleep(3600)
        return await model.evaluate(texts, row)

    work = asyncio.create_task(improve(SEED, *split(), evaluate, model.reflect, BUDGET))
    await asking.wait()
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        async with asyncio.timeout(20):
            await work
