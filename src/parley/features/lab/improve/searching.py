"""Searches for a better prompt by GEPA (reflective evolution), on rows for training and validation alone.

GEPA is synchronous: it runs in a thread and hands each batch of questions to the event loop.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from typing import Any, TypeVar, cast

import msgspec

from parley.features.lab.improve.placeholders import placeholders_of
from parley.features.lab.improve.rows import Evaluate, OpenRow, Scored, Texts
from parley.kernel.errors import Invalid, ParleyError, Problem

T = TypeVar("T")

MINIBATCH = 3
LEAST_STEPS = 3
"""With fewer attempts at a better prompt, luck looks like success."""

PROMPT = """\
I use this prompt, or a part of it, for a language model:
```
<curr_param>
```

Here are inputs, the answers with this prompt, and how they were judged:
```
<side_info>
```

Write a better text for this part. Read what went wrong, and put in what a model must know to do it right, as general \
instructions that hold for inputs which are not shown here. Do not repeat the examples. Keep every placeholder such as \
{{name}} exactly as it is: the text is useless without it.

Give the new text alone, within ``` blocks."""


class Budget(msgspec.Struct, frozen=True, kw_only=True):
    """Answers that the search may ask for, and when it stops before: after steps without success, or at a score."""

    answers: int
    patience: int = 10
    target: float = 1.0
    seed: int = 0


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt of the search; candidate 0 is the one it began with. `answers`: how many had been asked for by then."""

    number: int
    parents: tuple[int, ...]
    texts: Mapping[str, str]
    score: float
    answers: int


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a search: answers and reflections so far, and its candidates."""

    answers: int
    reflections: int
    candidates: tuple[Candidate, ...]


class SearchResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a search; `problem` if it ended early, with what it had by then."""

    candidates: tuple[Candidate, ...]
    answers: int
    reflections: int
    problem: Problem | None = None

    @property
    def best(self) -> Candidate:
        """The candidate with the best score on the rows for validation; the earlier of equals."""
        return max(self.candidates, key=lambda it: (it.score, -it.number))


def least_answers(training: int, validation: int) -> int:
    """Return the smallest budget: the first prompt, and three attempts with everything they may need."""
    return validation + LEAST_STEPS * (2 * min(MINIBATCH, training) + validation)


def refuse_small(budget: Budget, training: int, validation: int) -> None:
    """Raise Invalid for a budget, or rows, with which a search cannot tell luck from success."""
    if not training or not validation:
        raise Invalid(
            "rows",
            "Improve needs rows for training and rows for validation.",
            "Nothing was sent. Set the split of some rows.",
        )
    least = least_answers(training, validation)
    if budget.answers < least:
        raise Invalid(
            "answers",
            f"{budget.answers:,} answers are too few: {least:,} are the least for {validation:,} validation rows.",
            "Nothing was sent. Raise the budget, or use fewer rows for validation.",
            code="budget_too_small",
        )


async def search(
    seed: Texts,
    training: Sequence[OpenRow],
    validation: Sequence[OpenRow],
    evaluate: Evaluate,
    reflect: Callable[[str], Coroutine[Any, Any, str]],
    budget: Budget,
    progress: Callable[[Progress], None] = lambda _: None,
) -> SearchResult:
    """Return the candidates that a search found. Raises Invalid before anything is sent; stops when cancelled."""
    if any(type(row) is not OpenRow for row in (*training, *validation)):
        raise TypeError("The search takes open rows only.")
    refuse_small(budget, len(training), len(validation))
    bridge = _Bridge(dict(seed), evaluate, reflect, budget, len(validation), progress)
    work = asyncio.create_task(asyncio.to_thread(_optimize, bridge, list(training), list(validation)))
    try:
        await asyncio.shield(work)
    except asyncio.CancelledError:
        bridge.cancel()
        await asyncio.wait([work])
        raise
    return SearchResult(
        candidates=tuple(bridge.candidates),
        answers=bridge.answers,
        reflections=bridge.reflections,
        problem=bridge.problem,
    )


class _Stopped(Exception):
    """The search is over before GEPA says so."""


class _Bridge:
    """GEPA's adapter, its reflecting model, its stop rule and its listener: called in the thread."""

    propose_new_texts = None

    def __init__(
        self,
        seed: dict[str, str],
        evaluate: Evaluate,
        reflect: Callable[[str], Coroutine[Any, Any, str]],
        budget: Budget,
        validation: int,
        progress: Callable[[Progress], None],
    ) -> None:
        self.seed = seed
        self.candidates: list[Candidate] = []
        self.answers = self.reflections = self.idle = 0
        self.problem: Problem | None = None
        self._wanted = {name: placeholders_of(text) for name, text in seed.items()}
        self._known = frozenset[str]().union(*self._wanted.values())
        self._evaluate, self._reflect, self._budget = evaluate, reflect, budget
        self.number = budget.seed
        self._step = 2 * MINIBATCH + validation
        self._progress = progress
        self._loop = asyncio.get_running_loop()
        self._over = threading.Event()
        self._pending: Future[Any] | None = None

    def cancel(self) -> None:
        """Stop what runs, from the event loop's thread."""
        self._over.set()
        if self._pending is not None:
            self._pending.cancel()

    def stop(self, _state: object) -> bool:
        """Return if no further attempt may begin: it could pass the budget, or would not help."""
        best = max((it.score for it in self.candidates), default=0.0)
        return (
            self._over.is_set()
            or self.answers + self._step > self._budget.answers
            or self.idle >= self._budget.patience
            or best >= self._budget.target
        )

    def evaluate(
        self, batch: list[OpenRow], candidate: dict[str, str], capture_traces: bool = False
    ) -> object:
        """Return GEPA's batch: outputs and scores; one that lost a placeholder, or has a new one, scores 0 unasked."""
        from gepa.core.adapter import EvaluationBatch

        if any(
            not wanted <= placeholders_of(candidate.get(name, "")) <= self._known
            for name, wanted in self._wanted.items()
        ):
            scored = [Scored(score=0, output="", feedback="A placeholder is lost, or new.") for _ in batch]
        else:
            scored = self._wait(self._answers(batch, candidate))
            self.answers += len(batch)
        traces = [(row, each) for row, each in zip(batch, scored, strict=True)] if capture_traces else None
        return EvaluationBatch(
            outputs=[it.output for it in scored], scores=[it.score for it in scored], trajectories=traces
        )

    def make_reflective_dataset(
        self, candidate: dict[str, str], eval_batch: Any, components_to_update: list[str]
    ) -> dict[str, list[dict[str, object]]]:
        """Return what the reflecting model reads of each row."""
        del candidate
        traces = cast("list[tuple[OpenRow, Scored]]", eval_batch.trajectories)
        records = [_record(row, scored) for row, scored in traces]
        return dict.fromkeys(components_to_update, records)

    def __call__(self, prompt: Any) -> str:
        """Ask the reflecting model."""
        self.reflections += 1
        return self._wait(self._reflect(str(prompt)))

    def on_valset_evaluated(self, event: Mapping[str, Any]) -> None:
        """Add a candidate with its score on all rows for validation."""
        best = max((it.score for it in self.candidates), default=-1.0)
        score = float(event["average_score"])
        self.idle = 0 if score > best else self.idle
        self.candidates.append(
            Candidate(
                number=int(event["candidate_idx"]),
                parents=tuple(int(parent) for parent in event["parent_ids"] or () if parent is not None),
                texts=dict(event["candidate"]),
                score=score,
                answers=self.answers,
            )
        )
        self._report()

    def on_iteration_end(self, _event: Mapping[str, Any]) -> None:
        """Count steps without success."""
        self.idle += 1
        self._report()

    def log(self, message: str) -> None:
        """Drop what GEPA says: it is no log of ours, and may hold people's texts."""

    def _report(self) -> None:
        state = Progress(
            answers=self.answers, reflections=self.reflections, candidates=tuple(self.candidates)
        )
        self._loop.call_soon_threadsafe(self._progress, state)

    async def _answers(self, batch: list[OpenRow], candidate: Texts) -> list[Scored]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_one(self._evaluate, candidate, row)) for row in batch]
        return [task.result() for task in tasks]

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        if self._over.is_set():
            work.close()
            raise _Stopped
        self._pending = asyncio.run_coroutine_threadsafe(work, self._loop)
        if self._over.is_set():  # cancelled just before there was something to cancel
            self._pending.cancel()
        try:
            return self._pending.result()
        except CancelledError:
            self._over.set()
            raise _Stopped from None
        except (ParleyError, ExceptionGroup) as error:
            self._over.set()
            self.problem = problem_of(error)
            raise _Stopped from None


async def _one(evaluate: Evaluate, texts: Texts, row: OpenRow) -> Scored:
    return await evaluate(texts, row)


def problem_of(error: BaseException) -> Problem:
    """Return the first problem of an error, or of a group of them; raise what is none."""
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    if isinstance(error, ParleyError):
        return error.problem
    raise error


def _record(row: OpenRow, scored: Scored) -> dict[str, object]:
    verdict = f"Score {scored.score:.2f} of 1. {scored.feedback}"
    wanted = {} if row.expected is None else {"Expected": row.expected}
    return {"Inputs": dict(row.values), "CheckedAnswer": scored.output, **wanted, "Feedback": verdict}


def _optimize(bridge: _Bridge, training: list[OpenRow], validation: list[OpenRow]) -> None:
    import gepa

    try:
        cast("Any", gepa).optimize(
            seed_candidate=bridge.seed,
            trainset=training,
            valset=validation,
            adapter=bridge,
            reflection_lm=bridge,
            reflection_minibatch_size=min(MINIBATCH, len(training)),
            reflection_prompt_template=PROMPT,
            stop_callbacks=bridge.stop,
            callbacks=[bridge],
            logger=bridge,
            track_best_outputs=False,
            seed=bridge.number,
        )
    except _Stopped:
        return
