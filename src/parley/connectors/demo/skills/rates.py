"""Rates: distance from speed and time, and the price of several."""

import random
import re
from fractions import Fraction

from parley.connectors.demo.finding import Finding
from parley.connectors.demo.question import Question
from parley.connectors.demo.skills.numbers import roughly, show

_NUMBER = r"\d[\d,]{0,17}(?:\.\d{1,9})?"
_MOTION = re.compile(
    rf"(?P<speed>{_NUMBER})\s*(?P<unit>km/h|kph|mph|km per hour|miles per hour|m/s)\b.{{0,40}}?\bfor\s+(?P<time>{_NUMBER})\s*"
    r"(?P<span>hours?|h|minutes?|min|seconds?|s)\b",
    re.IGNORECASE,
)
_PRICE = re.compile(
    rf"(?P<count>{_NUMBER}) (?P<thing>[a-z]+) (?:cost|costs|at|for) (?P<sign>[$€£])?(?P<price>{_NUMBER})(?P<each> each| apiece)?"
    rf".{{0,60}}?\b(?P<wanted>{_NUMBER})\b",
    re.IGNORECASE | re.DOTALL,
)
_SECONDS = {"h": 3600, "m": 60, "s": 1}


def rates(question: Question, rng: random.Random) -> Finding | None:
    """Answer a word problem of one rate."""
    del rng
    if len(question.subject) > 600:
        return None
    if motion := _MOTION.search(question.subject):
        return _distance(motion)
    if price := _PRICE.search(question.subject):
        return _cost(price)
    return None


def _distance(match: re.Match[str]) -> Finding:
    speed, time = _value(match["speed"]), _value(match["time"])
    unit = match["unit"].lower()
    length = "m" if unit == "m/s" else "miles" if unit.startswith("m") else "km"
    per = 1 if length == "m" else 3600
    span = match["span"].lower()
    share = time * _SECONDS[span[0]] / per
    value = speed * share
    unit_of_time = "seconds" if per == 1 else "hours"
    return Finding(
        topic="a distance from speed and time",
        answer=f"It covers **{show(value)} {length}**.",
        rough=roughly(value, length),
        steps=(
            "Distance is speed times time",
            f"The time is {show(share, 6)} {unit_of_time}",
            f"{show(speed)} × {show(share, 6)} = {show(value)}",
        ),
        caveat="This takes the speed as steady all the way.",
        check="How far would it be in half the time?",
        value=float(value),
        method="I multiplied the speed by the time in matching units.",
        facts=(("speed", f"{show(speed)} {unit}"), ("time", f"{show(share, 6)} {unit_of_time}"), ("distance", f"{show(value)} {length}")),
    )  # fmt: skip


def _cost(match: re.Match[str]) -> Finding | None:
    count, price, wanted = _value(match["count"]), _value(match["price"]), _value(match["wanted"])
    if not count:
        return None
    each = price if match["each"] else price / count
    value, sign = each * wanted, match["sign"] or ""
    return Finding(
        topic=f"the price of {show(wanted)} {match['thing']}",
        answer=f"{show(wanted)} {match['thing']} cost **{sign}{show(value, 6)}**.",
        rough=f"{sign}{roughly(value)}" if sign else roughly(value),
        steps=(f"One costs {sign}{show(each, 6)}", f"{show(wanted)} × {show(each, 6)} = {show(value, 6)}"),
        caveat="This takes the price as the same for each, without a discount.",
        check="What would a hundred cost?",
        value=float(value),
        method="I worked out the price of one and multiplied.",
    )


def _value(text: str) -> Fraction:
    return Fraction(text.replace(",", ""))
