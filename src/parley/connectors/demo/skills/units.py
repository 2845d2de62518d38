"""Converting units: length, mass, volume, speed, area, time, data and temperature."""

import random
import re
from collections.abc import Callable
from fractions import Fraction

from parley.connectors.demo.finding import Finding, Table
from parley.connectors.demo.question import Question
from parley.connectors.demo.skills.numbers import roughly, rounded, show

_UNITS: dict[str, tuple[tuple[str, str, str], ...]] = {
    # dimension: (names, factor to the base unit, how it is shown)
    "length": (
        ("m metre meter metres meters", "1", "m"), ("km kilometre kilometer kilometres kilometers kms", "1000", "km"),
        ("cm centimetre centimeter centimetres centimeters", "0.01", "cm"),
        ("mm millimetre millimeter millimetres millimeters", "0.001", "mm"),
        ("mi mile miles", "1609.344", "mi"), ("yd yard yards", "0.9144", "yd"),
        ("ft foot feet", "0.3048", "ft"), ("inch inches", "0.0254", "in"),
        ("nautical-mile nautical-miles nmi", "1852", "nmi"), ("light-year light-years", "9460730472580800", "ly"),
    ),
    "mass": (
        ("kg kilogram kilograms kilo kilos", "1", "kg"), ("g gram grams", "0.001", "g"),
        ("mg milligram milligrams", "0.000001", "mg"),
        ("t tonne tonnes", "1000", "t"), ("lb lbs pound pounds", "0.45359237", "lb"),
        ("oz ounce ounces", "0.028349523125", "oz"), ("stone stones", "6.35029318", "st"),
    ),
    "volume": (
        ("l litre liter litres liters", "1", "L"), ("ml millilitre milliliter millilitres milliliters", "0.001", "mL"),
        ("gallon gallons gal", "3.785411784", "US gal"), ("pint pints", "0.473176473", "US pt"),
        ("cup cups", "0.2365882365", "US cups"), ("tablespoon tablespoons tbsp", "0.01478676478125", "tbsp"),
        ("teaspoon teaspoons tsp", "0.00492892159375", "tsp"),
    ),
    "speed": (
        ("m/s", "1", "m/s"), ("km/h kph kmh", "5/18", "km/h"), ("mph", "0.44704", "mph"),
        ("knot knots kn", "463/900", "knots"),
    ),
    "area": (
        ("m2 m² sqm", "1", "m²"), ("hectare hectares ha", "10000", "ha"), ("acre acres", "4046.8564224", "acres"),
        ("km2 km²", "1000000", "km²"), ("sqft ft2 ft²", "0.09290304", "ft²"),
    ),
    "time": (
        ("s sec second seconds", "1", "s"), ("min minute minutes", "60", "min"), ("h hr hour hours", "3600", "h"),
        ("day days", "86400", "days"), ("week weeks", "604800", "weeks"), ("year years", "31557600", "years"),
    ),
    "data": (
        ("byte bytes", "1", "B"), ("kb kilobyte kilobytes", "1000", "kB"), ("mb megabyte megabytes", "1000000", "MB"),
        ("gb gigabyte gigabytes", "1000000000", "GB"), ("tb terabyte terabytes", "1000000000000", "TB"),
        ("kib", "1024", "KiB"), ("mib", "1048576", "MiB"), ("gib", "1073741824", "GiB"), ("bit bits", "1/8", "bit"),
    ),
}  # fmt: skip
_BY_NAME = {
    name: (dimension, Fraction(factor), shown)
    for dimension, units in _UNITS.items()
    for names, factor, shown in units
    for name in names.split()
}
_DEGREES = {
    "c": "°C", "°c": "°C", "celsius": "°C", "centigrade": "°C", "f": "°F", "°f": "°F", "fahrenheit": "°F",
    "k": "K", "kelvin": "K",
}  # fmt: skip
_TO_KELVIN: dict[str, Callable[[Fraction], Fraction]] = {
    "°C": lambda value: value + Fraction("273.15"),
    "°F": lambda value: (value + Fraction("459.67")) * 5 / 9,
    "K": lambda value: value,
}
_FROM_KELVIN: dict[str, Callable[[Fraction], Fraction]] = {
    "°C": lambda value: value - Fraction("273.15"),
    "°F": lambda value: value * 9 / 5 - Fraction("459.67"),
    "K": lambda value: value,
}
_UNIT = r"°?[a-zA-Z]+(?:/[a-z]+|[²2]|-[a-z]+)?"
_ASKED = re.compile(
    rf"(?P<amount>[-−]?\d[\d,]{{0,17}}(?:\.\d{{1,9}})?|\ban?\b)\s*(?:degrees?\s+)?(?P<source>{_UNIT})\s+"
    rf"(?:in|to|into|as|=|equals?)\s+(?:degrees?\s+)?(?P<target>{_UNIT})",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(
    r"how many (?P<target>[a-zA-Z-]+)\s+(?:are |is )?(?:there )?(?:in|make)?\s*"
    r"(?P<amount>\d[\d,]{0,17}(?:\.\d{1,9})?|\ban?\b|one)\s*(?P<source>[a-zA-Z-]+)",
    re.IGNORECASE,
)


def units(question: Question, rng: random.Random) -> Finding | None:
    """Convert a quantity that the question names."""
    del rng
    if len(question.subject) > 600:
        return None
    match = _HOW_MANY.search(question.subject) or _ASKED.search(question.subject)
    if match is None:
        return None
    stated = match["amount"].replace(",", "").replace("−", "-").lower()
    amount = Fraction(1) if stated in ("a", "an", "one") else Fraction(stated)
    source, target = match["source"].lower(), match["target"].lower()
    if source in _DEGREES and target in _DEGREES and _DEGREES[source] != _DEGREES[target]:
        return _temperature(amount, _DEGREES[source], _DEGREES[target])
    left, right = _BY_NAME.get(source), _BY_NAME.get(target)
    if left is None or right is None or left[0] != right[0] or left[2] == right[2]:
        return None
    return _linear(amount, left, right)


def _linear(
    amount: Fraction, source: tuple[str, Fraction, str], target: tuple[str, Fraction, str]
) -> Finding:
    dimension, per_source, from_name = source
    _, per_target, to_name = target
    factor = per_source / per_target
    value = amount * factor
    rows = tuple(
        (f"{show(step)} {from_name}", f"{show(step * factor, 6)} {to_name}")
        for step in (Fraction(1), Fraction(5), Fraction(10), Fraction(100), amount)
        if step != amount or step not in (1, 5, 10, 100)
    )
    return Finding(
        topic=f"{show(amount)} {from_name} in {to_name}",
        answer=f"{show(amount)} {from_name} = **{show(value, 7)} {to_name}**.",
        rough=roughly(value, to_name),
        steps=(
            f"1 {from_name} = {show(factor, 7)} {to_name}",
            f"{show(amount)} × {show(factor, 7)} = {show(value, 7)}",
        ),
        table=Table((from_name, to_name), rows),
        points=(
            f"Both are units of {dimension}, so one factor is enough.",
            f"The other way: 1 {to_name} = {show(1 / factor, 6)} {from_name}.",
        ),
        caveat="A year is counted as 365.25 days here." if "years" in (from_name, to_name)
        else "Cups, pints and gallons are the US ones; the imperial ones are larger." if "US" in from_name + to_name
        else "The last digits are only worth as much as the number that was given.",
        check=f"Roughly {rounded(factor, 1)} {to_name} to each {from_name}: does {rounded(value, 1)} fit?",
        value=float(value),
        method="I looked up both factors to the base unit and divided them.",
        facts=((from_name, show(amount)), (to_name, show(value, 7))),
    )  # fmt: skip


def _temperature(amount: Fraction, source: str, target: str) -> Finding:
    kelvin = _TO_KELVIN[source](amount)
    value = _FROM_KELVIN[target](kelvin)
    formula = {
        ("°C", "°F"): "multiply by 9/5, then add 32",
        ("°F", "°C"): "subtract 32, then multiply by 5/9",
    }.get((source, target), "go by way of kelvin: 0 °C is 273.15 K")
    impossible = kelvin < 0
    return Finding(
        topic=f"{show(amount)} {source} in {target}",
        answer=f"{show(amount)} {source} = **{show(value, 6)} {target}**.",
        rough=roughly(value, target),
        steps=(f"The rule: {formula}", f"{show(amount)} {source} is {show(kelvin, 6)} K: {show(value, 6)} {target}"),
        points=("Water freezes at 0 °C = 32 °F = 273.15 K.", "Water boils at 100 °C = 212 °F at sea level."),
        caveat="This lies below absolute zero, so no such temperature exists." if impossible
        else "Temperature differences convert without the offset: 10 °C warmer is 18 °F warmer.",
        check="Which of the two scales has its zero at the freezing point of water?",
        value=float(value),
        method="I applied the exact definitions of the scales.",
        facts=((source, show(amount)), (target, show(value, 6))),
    )  # fmt: skip
