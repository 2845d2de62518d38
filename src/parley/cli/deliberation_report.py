"""The report of a measurement: shares of right answers, the lead over the best rival, and the cost."""

from collections.abc import Sequence
from statistics import fmean, median

import msgspec
import numpy as np

from parley.cli.answers import cost_text, seconds_text
from parley.cli.deliberation_questions import Question
from parley.cli.deliberation_run import Plan, count_unread, due, preferred
from parley.cli.measuring_record import MeasuredReply, Record
from parley.cli.terminal import print_table, say
from parley.ratings.arrays import Floats
from parley.ratings.rivals import BestRival, lead_over_best


class Lead(msgspec.Struct, frozen=True):
    """By how many points the combination is ahead, with the 95% interval."""

    points: float
    ci_lower: float
    ci_upper: float


class ReportLine(msgspec.Struct, frozen=True, kw_only=True):
    """One contestant. Shares are from 0 to 1, null without questions of the kind; costs are null without prices.

    `wins` is the share of judged questions won, ties half: against the best rival, for a rival against the combination.
    `lead` is that of the combination over this rival. Calls, tokens and costs are means, seconds medians.
    """

    model: str
    name: str
    right: float | None
    wins: float | None
    lead: Lead | None
    calls: float
    tokens: float
    cost_usd: float | None
    seconds: float


class Factors(msgspec.Struct, frozen=True):
    """The combination's multiples of the best rival; null where unknown."""

    cost: float | None
    tokens: float | None
    time: float | None


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a measurement. The interval of `lead`, over the `best` rival, allows for picking that afterwards.

    `left_out` questions lack a reply, `unread` verdicts prefer nobody, `cached` answers came from the cache in part.
    """

    questions: int
    left_out: int
    unread: int
    cached: int
    spent_usd: float
    best: str
    lead: Lead
    factors: Factors
    lines: tuple[ReportLine, ...]
    conclusion: str


def make_report(plan: Plan, record: Record) -> Report | None:
    """Return what the questions show to which nothing is missing; None if there are none."""
    whole = [each for each in plan.questions if next(due(plan, record, each), None) is None]
    if not whole:
        return None
    final_replies = {
        model: [reply for each in whole if (reply := record.find(each.prompt, model))]
        for model in (plan.combination, *plan.rivals)
    }
    leads = np.array([[_lead(plan, record, each, rival) for rival in plan.rivals] for each in whole])
    best_rival = lead_over_best(leads)
    lines = [
        _line(plan, whole, plan.combination, final_replies[plan.combination], leads[:, best_rival.place])
    ]
    lines += (
        _line(plan, whole, rival, final_replies[rival], leads[:, at]) for at, rival in enumerate(plan.rivals)
    )
    mine, best = lines[0], lines[1 + best_rival.place]
    factors = Factors(
        _ratio(mine.cost_usd, best.cost_usd),
        _ratio(mine.tokens, best.tokens),
        _ratio(mine.seconds, best.seconds),
    )
    return Report(
        questions=len(whole),
        left_out=len(plan.questions) - len(whole),
        unread=count_unread(plan, record, whole),
        cached=sum(reply.cached for replies in final_replies.values() for reply in replies),
        spent_usd=record.spent_micros / 1e6,
        best=best.model,
        lead=_in_points(best_rival),
        factors=factors,
        lines=(mine, *sorted(lines[1:], key=lambda line: line.lead.points if line.lead else 0.0)),
        conclusion=_conclusion(mine.name, best.name, _in_points(best_rival), len(whole), factors),
    )


def print_report(report: Report) -> None:
    """Print a report: a table and the conclusion."""
    first = report.lines[0]
    shares = [head for head, share in ((">Right", first.right), (">Wins", first.wins)) if share is not None]
    rows: list[list[str]] = []
    for line in report.lines:
        name = f"{line.name} (best)" if line.model == report.best else line.name
        percents = [f"{share:.1%}" for share in (line.right, line.wins) if share is not None]
        it = line.lead
        lead = f"{it.points:+.1f} ({it.ci_lower:+.1f} to {it.ci_upper:+.1f})" if it else "–"
        cost = "–" if line.cost_usd is None else cost_text(round(1e6 * line.cost_usd))
        seconds = seconds_text(round(1000 * line.seconds))
        rows.append([name, *percents, lead, f"{line.calls:.1f}", f"{line.tokens:,.0f}", cost, seconds])
    heading = ("Model", *shares, ">Lead over it, points", ">Calls", ">Tokens", ">Cost", ">Time")
    print_table(heading, rows, width=160)
    if report.left_out:
        say(f"{report.left_out} of {report.questions + report.left_out} questions still lack an answer.")
    if report.unread:
        say(f"{report.unread} verdicts could not be read and prefer nobody.")
    if report.cached:
        say(f"{report.cached} answers came from the cache in part, which lowers their cost and time.")
    say(report.conclusion)


def _lead(plan: Plan, record: Record, question: Question, rival: str) -> float:
    """Return by how much the combination scores more than a rival on a question."""
    if not question.checked:
        return preferred(plan, record, question, rival)
    replies = (record.find(question.prompt, model) for model in (plan.combination, rival))
    mine, other = (reply is not None and question.is_right(reply.text) for reply in replies)
    return mine - other


def _line(
    plan: Plan, whole: Sequence[Question], model: str, replies: Sequence[MeasuredReply], leads: Floats
) -> ReportLine:
    """Return what one contestant did; `leads` are those over it, for the combination over the best rival."""
    rival = model != plan.combination
    each = list(zip(whole, replies, leads.tolist(), strict=True))
    rights = [question.is_right(reply.text) for question, reply, _ in each if question.checked]
    wins = [0.5 + (-lead if rival else lead) / 2 for question, _, lead in each if not question.checked]
    costs = [reply.cost_micros for reply in replies if reply.cost_micros is not None]
    return ReportLine(
        model=model,
        name=plan.names[model],
        right=fmean(rights) if rights else None,
        wins=fmean(wins) if wins else None,
        lead=_in_points(lead_over_best(leads[:, None])) if rival else None,
        calls=fmean(reply.calls for reply in replies),
        tokens=fmean(reply.tokens for reply in replies),
        cost_usd=fmean(costs) / 1e6 if len(costs) == len(replies) else None,
        seconds=median(reply.duration_ms for reply in replies) / 1000,
    )


def _in_points(best: BestRival) -> Lead:
    return Lead(100 * best.lead, 100 * best.low, 100 * best.high)


def _ratio(mine: float | None, other: float | None) -> float | None:
    return mine / other if mine is not None and other else None


def _conclusion(mine: str, best: str, lead: Lead, count: int, factors: Factors) -> str:
    bulk = (factors.cost, "the cost") if factors.cost else (factors.tokens, "the tokens")
    taken = [f"{factor:.1f} times {word}" for factor, word in (bulk, (factors.time, "the time")) if factor]
    on = f"on {count} {'question' if count == 1 else 'questions'}"
    price = f"{on}, at {' and '.join(taken)}." if taken else f"{on}."
    points, low, high = round(abs(lead.points)), round(lead.ci_lower), round(lead.ci_upper)
    if lead.ci_lower > 0:
        return f"{mine} is better than {best} alone by {points} points ({low} to {high}) {price}"
    if lead.ci_upper < 0:
        return f"{mine} is worse than {best} alone by {points} points ({-high} to {-low}) {price}"
    place = f"{points} points {'ahead of' if lead.points > 0 else 'behind'}" if points else "level with"
    return f"Not settled: {mine} is {place} {best} alone ({low} to {high}) {price}"
