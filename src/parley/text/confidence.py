"""The confidence that a model states, parsed from its own words."""

import math
import re
from itertools import islice

_NUMBER = re.compile(
    r"(?P<sign>[-−+]?)(?P<number>\d{1,12}(?:[.,]\d{1,12})?|[.,]\d{1,12})(?P<exponent>e[-+]?\d{1,2})?"
    r"(?:\s{0,4}(?:[-–—]|to|through)\s{0,4}(?P<upto>\d{1,6}(?:[.,]\d{1,6})?))?"
    r"(?P<percent>\s{0,4}(?:%|％|percent\b|per\s?cent\b))?"
    r"(?:\s{0,4}(?:/|out\s{1,4}of)\s{0,4}(?P<of>\d{1,6}(?:\.\d{1,6})?))?",
    re.IGNORECASE,
)
MOST_NUMBERS = 20

_SCALES = {("0", "1"): 1.0, ("0", "10"): 10.0, ("1", "10"): 10.0, ("0", "100"): 100.0, ("1", "100"): 100.0}


def read_confidence(text: str) -> float | None:
    """Return a confidence from 0 to 1, or None if none is given: it is never guessed.

    Of the first number, `0.85`, `85%`, `8.5/10`, `85/100` and whole numbers from 2 to 100 are understood; of a span
    (`0.8-0.9`) its lower end. A scale stated first (“from 0 to 10: 8”) is none of these numbers.
    """
    scale = 0.0
    for match in islice(_NUMBER.finditer(text), MOST_NUMBERS):
        known = _SCALES.get((match["number"], match["upto"]))
        if known is None or match["sign"]:
            return _value(match, scale)
        scale = known
    return None


def _value(match: re.Match[str], scale: float) -> float | None:
    """Return the confidence that a number states on a scale from 0 to `scale`; `scale` is 0 if none was given."""
    if match["sign"] in ("-", "−"):
        return None
    value = float(match["number"].replace(",", ".") + (match["exponent"] or ""))
    if match["of"]:
        whole = float(match["of"])
        return _share(value / whole) if whole in (1.0, 10.0, 100.0) and not match["percent"] else None
    if match["percent"]:
        return _share(value / 100)
    if scale > 1:
        return _share(value / scale)
    if 2 <= value <= 100 and value == int(value):
        return value / 100
    return _share(value)


def _share(value: float) -> float | None:
    return round(value, 6) if math.isfinite(value) and 0 <= value <= 1 else None
