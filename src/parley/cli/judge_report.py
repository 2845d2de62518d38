"""A judge's passport in words and tables."""

import math
from collections.abc import Sequence
from statistics import median

from parley.cli.answers import cost_text, seconds_text
from parley.cli.judge_passport import CategoryAgreement, Passport
from parley.cli.judge_rates import Rate
from parley.cli.terminal import print_table, say
from parley.ratings.influence import Estimate

PAIRS_SHOWN = 10
SHIFTED = 3.5
"""Standard errors beyond which verdicts on unvoted comparisons are not like those on voted ones, over many models."""

ALMOST = 0.98
"""A width beyond which an interval is as wide as before."""


def print_passport(it: Passport) -> None:
    """Print a passport: who was judged, then a part for each figure."""
    say(
        f"{it.name} read {_counted(it.votes, 'vote')} and {_counted(it.unvoted, 'comparison')} without a vote."
    )
    if it.left:
        say(f"{_counted(it.left, 'comparison')} still lack a verdict.")
    for reason, count in sorted(it.left_out.items()):
        say(f"Left out {_counted(count, 'row')}: {reason}.")
    say(_independent(it))
    say()
    _print_agreement(it)
    for line in (*position_lines(it), *_length_lines(it)):
        say(line)
    say(_cost_line(it))
    if it.unread:
        say(f"Unreadable verdicts: {it.unread:,} of {it.verdicts:,} ({it.unread / it.verdicts:.1%}).")
    if it.own:
        say(f"{_counted(it.own, 'vote')} on the judge's own answers. Another judge is fairer.")
    say()
    _print_rates(it)


def _print_agreement(it: Passport) -> None:
    if not it.agreement:
        say("Agreement: no comparison with a vote has two verdicts that can be read.")
        return
    rows = [_agreement_row(each, each.category) for each in it.agreement]
    if it.people is not None:
        rows.append(_agreement_row(it.people, "people with people"))
    print_table(("Agreement", ">Votes", ">Same choice", ">95%", ">Kappa", ">95%"), rows, width=120)
    if it.people is None:
        say("No two people voted on the same answers, so how far people agree is not known.")


def _agreement_row(each: CategoryAgreement, name: str) -> list[str]:
    share, kappa = each.agreement.share, each.agreement.kappa
    figures = ["–", "–"] if kappa is None else [f"{kappa.value:.2f}", _range(kappa, "{:.2f}")]
    return [name, f"{each.votes:,}", f"{share.value:.0%}", _range(share, "{:.0%}"), *figures]


def position_lines(it: Passport) -> list[str]:
    """Return what the order of answers does to verdicts."""
    position = it.position
    if position is None:
        return ["Position: no comparison has two verdicts that can be read."]
    flipped, first, second = (
        _with_range(each, "{:.0%}") for each in (position.flipped, position.first, position.second)
    )
    changed = f"Position: {flipped} of verdicts change with the order"
    lines = [f"{changed}; the first place wins both times in {first}, the second in {second}."]
    points = _with_range(position.lean, "{:+.0%}")
    if position.lean.ci_lower > 0 or position.lean.ci_upper < 0:
        place = "first" if position.lean.value > 0 else "second"
        lines.append(f"Position bias: it prefers the {place} place, whatever stands there ({points}).")
    else:
        lines.append(f"No position bias is seen: first place less second is {points}.")
    return lines


def _length_lines(it: Passport) -> list[str]:
    length = it.length
    if length is None:
        return ["Length: nothing shows its effect."]
    judge, people, both = (_odds(each) for each in (length.judge, length.people, length.difference))
    lines = [f"Length: an answer twice as long has {judge} the odds with the judge, {people} with people."]
    if length.difference.ci_lower > 0 or length.difference.ci_upper < 0:
        more = "more" if length.difference.value > 0 else "less"
        lines.append(f"Length bias: it likes length {more} than people do ({both}).")
    else:
        lines.append(f"No length bias beyond people's own is seen ({both}).")
    return lines


def _cost_line(it: Passport) -> str:
    cost = "no price" if it.cost_usd is None else cost_text(round(1e6 * it.cost_usd))
    spent = cost_text(round(1e6 * it.spent_usd))
    return (
        f"A comparison takes {cost}, {it.tokens:,.0f} tokens and {seconds_text(round(1000 * it.seconds))}, "
        f"both orders together. Spent so far: {spent}."
    )


def _print_rates(it: Passport) -> None:
    if not it.models:
        say(
            "Win rates: none has 10 votes and a judged comparison without a vote, which could narrow its interval."
        )
        return
    print_table(_rate_heading("Win rate"), [_rate_row(each) for each in it.models], width=140)
    if it.pairs:
        print_table(_rate_heading("Pair"), [_rate_row(each) for each in it.pairs[:PAIRS_SHOWN]], width=140)
    if len(it.pairs) > PAIRS_SHOWN:
        say(f"--json has all {len(it.pairs):,} pairs.")
    for line in rate_lines(it.models):
        say(line)


def rate_lines(rates: Sequence[Rate]) -> list[str]:
    """Return what the judge does to the intervals of win rates, and where the correction can't be trusted."""
    width = median(each.rate.width for each in rates)
    if width <= ALMOST:
        worth = width**-2
        lines = [
            f"The judge narrows the intervals to {width:.0%} of their width (median), like {worth:.1f} times the votes."
        ]
    else:
        lines = ["The judge does not narrow the intervals: people's votes alone say as much."]
    shifted = [each.name for each in rates if abs(each.rate.shift) > SHIFTED]
    if shifted:
        lines.append(
            f"Do not trust the correction of {', '.join(shifted)}: verdicts on comparisons without a vote differ from "
            "those with one by more than chance. They are other questions or answers."
        )
    return lines


def _rate_heading(first: str) -> tuple[str, ...]:
    return (
        first,
        ">Votes",
        ">Without",
        ">People",
        ">95%",
        ">With the judge",
        ">95%",
        ">Width",
        ">λ",
        ">Judge alone",
    )


def _rate_row(each: Rate) -> list[str]:
    it = each.rate
    name = each.name if each.opponent_name is None else f"{each.name} – {each.opponent_name}"
    people, both = ([f"{rate.value:.1%}", _range(rate, "{:.1%}")] for rate in (it.people, it.both))
    counts = [f"{it.votes:,}", f"{it.unvoted:,}"]
    return [name, *counts, *people, *both, f"{it.width:.0%}", f"{it.power:.2f}", f"{it.judge:.1%}"]


def _independent(it: Passport) -> str:
    if "voter" in it.clustered_by:
        return f"Intervals take people ({it.voters:,}) and prompts as independent, not votes."
    if not it.clustered_by:
        return "All votes share one prompt, so no interval is known."
    if it.voters == 1:
        return "Intervals take prompts as independent. All votes are one person's: it is their taste that counts here."
    if it.voters:
        return f"Intervals take prompts as independent. Few people cast most votes ({it.voters:,} voted)."
    return "Intervals take prompts as independent. Who voted is not known."


def _odds(each: Estimate) -> str:
    """Describe a change in log odds as a factor of the odds."""
    if math.isinf(each.ci_upper):
        return f"{math.exp(each.value):.2f} times (no interval)"
    value, low, high = (math.exp(it) for it in (each.value, each.ci_lower, each.ci_upper))
    return f"{value:.2f} times ({low:.2f} to {high:.2f})"


def _with_range(each: Estimate, form: str) -> str:
    return f"{form.format(each.value)} ({_range(each, form)})"


def _range(each: Estimate, form: str) -> str:
    return f"{form.format(each.ci_lower)} to {form.format(each.ci_upper)}"


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what if count == 1 else what + 's'}"
