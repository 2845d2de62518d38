"""Ranking answers: for an arbiter that gives one of them as it is, and for a council's members."""

import random

from parley.connectors.demo.consortium.analysis import analyse
from parley.connectors.demo.consortium.material import gather
from parley.connectors.demo.consortium.prompt_reading import Answer, ArbiterTask
from parley.connectors.demo.consortium.sayings import same_meaning
from parley.connectors.demo.consortium.tags import tagged
from parley.connectors.demo.consortium.temperaments import temperament_of
from parley.connectors.demo.consortium.weighing import Weighed, weigh
from parley.kernel.messages import Message


def rank(weighed: Weighed, liked: str = "") -> tuple[str, ...]:
    """Return the ids of the answers, the best first.

    Shared statements count most, then what else is said, then confidence; a judge `liked` one statement more.
    """

    def worth(answer: Answer) -> tuple[float, float, str]:
        shared = sum(answer in one.by for one in weighed.shared)
        alone = sum(answer in one.by for one in weighed.alone)
        against = sum(answer in one.by for one in weighed.ways) + sum(answer is a for a, _ in weighed.figures)
        holds = [one.text for one in weighed.statements if answer in one.by]
        own = 1.5 if liked and same_meaning(liked, holds) is not None else 0.0
        return (-(shared + 0.3 * min(alone, 2) + own - against), -(answer.confidence or 0.0), answer.id)

    return tuple(answer.id for answer in sorted(weighed.answers, key=worth))


def rank_answers(character_id: str, task: ArbiterTask, rng: random.Random) -> str:
    """Return a judge's reply: its ranking, and what else the task's form asks for."""
    material = gather([Message("user", task.question)], temperament_of(character_id, ""), rng)
    weighed = weigh(task.answers, material.tongue)
    # A judge has a view of its own: it likes an answer that says what it would have said.
    liked = material.extras[0] if material.basis == "rules" and material.extras else ""
    order = rank(weighed, liked)
    if "<response_id" in task.form:
        return f"<response_id>{order[0] if order else ''}</response_id>"
    shown = order if '"2"' in task.form else order[:1]
    ranks = "\n".join(f'<rank position="{place}">{id_}</rank>' for place, id_ in enumerate(shown, 1))
    parts = [f"<ranking>\n{ranks}\n</ranking>"]
    if "<analysis" in task.form:
        parts.insert(0, tagged("analysis", analyse(weighed, material)))
    if "<confidence" in task.form:
        parts.append(f"<confidence>{weighed.confidence:.2f}</confidence>")
    return "\n".join(parts)
