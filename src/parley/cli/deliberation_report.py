"""What a measurement shows: who is right how often, the lead over the best rival, and what it costs."""

from collections.abc import Sequence
from statistics import fmean, median
from typing import Any

import msgspec
import numpy as np

from parley.cli.answers import cost_text, seconds_text
from parley.cli.deliberation_questions import Question
from parley.cli.deliberation_record import Asked, Record
from parley.cli.deliberation_run import Plan, count_unread, due, preferred
from parley.cli.terminal import print_table, say
from parley.ratings.arrays import Floats
from parley.ratings.rivals import BestRival, lead_over_best


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One contestant. Shares are from 0 to 1, null without questions of the kind; costs null without prices.

    `wins` is the share of judged questions won, ties half: against the best rival, for a rival against the combination.
    `lead` is by how many points the combination is ahead, with its 95% interval; null for the combination itself.
    """

    model: str
    name: str
    right: float | None
    wins: float | None
    lead: float | None
    ci_lower: float | None
    ci_upper: float | None
    calls: float
    tokens: float
    cost_usd: float | None
    seconds: float


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What a measurement shows. Costs and tokens are means per question, times medians.

    `best` is the rival that did best, `lead` that over it in points; its interval allows for picking it afterwards.
    Factors are the combination's multiples of it, null where unknown. `unread` verdicts prefer nobody.
    """

    questions: int
    left_out: int
    checked: int
    judged: int
    best: str
    lead: float
    ci_lower: float
    ci_upper: float
    cost_factor: float | None
    token_factor: float | None
    time_factor: float | None
    unread: int
    cached: int
    spent_usd: float
    lines: tuple[Line, ...]
    conclusion: str


def make_report(plan: Plan, record: Record) -> Report | None:
    """Return what the questions show to which nothing is missing; None if there are none."""
    whole = [each for each in plan.questions if next(due(plan, record, each), None) is None]
    if not whole:
        return None
    answers = {
        model: [reply for each in whole if (reply := record.find(each.prompt, model))]
        for model in plan.contestants
    }
    leads = np.array([[_lead(plan, record, each, rival) for rival in plan.rivals] for each in whole])
    found = lead_over_best(leads)
    best = plan.rivals[found.place]
    lines = [_line(plan, whole, answers, leads, found.place, model) for model in plan.contestants]
    mine, other = lines[0], lines[1 + found.place]
    factors = {
        "cost": _ratio(mine.cost_usd, other.cost_usd),
        "tokens": _ratio(mine.tokens, other.tokens),
        "time": _ratio(mine.seconds, other.seconds),
    }
    return Report(
        questions=len(whole),
        left_out=len(plan.questions) - len(whole),
        checked=sum(each.checked for each in whole),
        judged=sum(not each.checked for each in whole),
        best=best,
        lead=100 * found.lead,
        ci_lower=100 * found.low,
        ci_upper=100 * found.high,
        cost_factor=factors["cost"],
        token_factor=factors["tokens"],
        time_factor=factors["time"],
        unread=count_unread(plan, record, whole),
        cached=sum(reply.cached for replies in answers.values() for reply in replies),
        spent_usd=record.spent_micros / 1e6,
        lines=(mine, *sorted(lines[1:], key=lambda line: line.lead or 0.0)),
        conclusion=_conclusion(plan, found, len(whole), factors),
    )


def print_report(report: Report) -> None:
    """Print a report: a table and the conclusion."""
    heads = {"Right": report.checked, "Wins": report.judged}
    shown = [f">{head}" for head, count in heads.items() if count]
    rows: list[list[str]] = []
    for line in report.lines:
        shares = [(line.right, report.checked), (line.wins, report.judged)]
        lead = (
            "–" if line.lead is None else f"{line.lead:+.1f} ({line.ci_lower:+.1f} to {line.ci_upper:+.1f})"
        )
        taken = [f"{line.calls:.1f}", f"{line.tokens:,.0f}"]
        taken += ["–" if line.cost_usd is None else cost_text(round(1e6 * line.cost_usd))]
        percents = [f"{share:.1%}" for share, count in shares if count and share is not None]
        name = f"{line.name} (best)" if line.model == report.best else line.name
        rows.append([name, *percents, lead, *taken, seconds_text(round(1000 * line.seconds))])
    heading = ("Model", *shown, ">Lead over it, points", ">Calls", ">Tokens", ">Cost", ">Time")
    print_table(heading, rows, width=160)
    if report.left_out:
        say(f"{report.left_out} of {report.questions + report.left_out} questions still lack an answer.")
    if report.unread:
        say(f"{report.unread} verdicts could not be read and prefer nobody.")
    if report.cached:
        say(
            f"{report.cached} answers came from the cache in part, so the cost and time of others are higher."
        )
    say(report.conclusion)


def _lead(plan: Plan, record: Record, question: Question, rival: str) -> float:
    """Return by how much the combination scores more than a rival on a question."""
    if not question.checked:
        return preferred(plan, record, question, rival)
    replies = (record.find(question.prompt, model) for model in (plan.combination, rival))
    mine, other = (reply is not None and question.is_right(reply.text) for reply in replies)
    return mine - other


def _line(
    plan: Plan,
    whole: Sequence[Question],
    answers: dict[str, list[Asked]],
    leads: Floats,
    best: int,
    model: str,
) -> Line:
    """Return what one contestant did on all questions; `best` is the place of the best rival."""
    replies = answers[model]
    rights = [
        question.is_right(reply.text)
        for question, reply in zip(whole, replies, strict=True)
        if question.checked
    ]
    place = plan.rivals.index(model) if model in plan.rivals else None
    sign, column = (1, best) if place is None else (-1, place)
    wins = [
        0.5 + sign * float(lead) / 2
        for question, lead in zip(whole, leads[:, column], strict=True)
        if not question.checked
    ]
    alone = None if place is None else lead_over_best(leads[:, [place]])
    costs = [reply.cost_micros for reply in replies]
    priced = [cost for cost in costs if cost is not None]
    figures: dict[str, Any] = dict.fromkeys(("lead", "ci_lower", "ci_upper"))
    if alone:
        figures = {"lead": 100 * alone.lead, "ci_lower": 100 * alone.low, "ci_upper": 100 * alone.high}
    return Line(
        model=model,
        name=plan.names[model],
        right=fmean(rights) if rights else None,
        wins=fmean(wins) if wins else None,
        calls=fmean(reply.calls for reply in replies),
        tokens=fmean(reply.tokens for reply in replies),
        cost_usd=fmean(priced) / 1e6 if len(priced) == len(costs) else None,
        seconds=median(reply.duration_ms for reply in replies) / 1000,
        **figures,
    )


def _ratio(mine: float | None, other: float | None) -> float | None:
    return mine / other if mine is not None and other else None


def _conclusion(plan: Plan, found: BestRival, count: int, factors: dict[str, float | None]) -> str:
    mine, best = plan.names[plan.combination], plan.names[plan.rivals[found.place]]
    lead, low, high = (round(100 * each) for each in (found.lead, found.low, found.high))
    words = (
        {"cost": "the cost", "time": "the time"}
        if factors["cost"]
        else {"tokens": "the tokens", "time": "the time"}
    )
    taken = [f"{factor:.1f} times {word}" for kind, word in words.items() if (factor := factors[kind])]
    price = f", at {' and '.join(taken)}" if taken else ""
    questions = "1 question" if count == 1 else f"{count} questions"
    if found.low > 0 or found.high < 0:
        word = "better" if found.low > 0 else "worse"
        span = (low, high) if found.low > 0 else (-high, -low)
        said = f"{mine} is {word} than {best} alone by {abs(lead)} points ({span[0]} to {span[1]})"
        return f"{said} on {questions}{price}."
    place = "level with" if not lead else f"{abs(lead)} points {'ahead of' if lead > 0 else 'behind'}"
    return f"Not settled: {mine} is {place} {best} alone on {questions} ({low} to {high}){price}."
