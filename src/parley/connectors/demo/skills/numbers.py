"""Reading and writing numbers the way people do."""

from fractions import Fraction


def show(number: Fraction | float, digits: int = 10) -> str:
    """Return a number with thousands separated: exact where it ends early, else `digits` significant figures."""
    exact = Fraction(number)
    if exact.denominator == 1:
        return f"{exact.numerator:,}"
    value = float(exact)
    if abs(value) >= 10**digits or abs(value) < 1e-6:
        return f"{value:.{digits - 1}g}"
    text = f"{value:,.{max(digits - _digits_before_point(value), 0)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def rounded(number: Fraction | float, figures: int = 2) -> str:
    """Return a number rounded to so many significant figures, as a hasty person would say it."""
    value = float(number)
    if value == 0:
        return "0"
    return show(Fraction(f"{value:.{figures - 1}e}"))


def roughly(number: Fraction | float, unit: str = "") -> str:
    """Return "About 16 km.", or just the number where rounding changes nothing."""
    short = rounded(number)
    said = f"{short} {unit}".strip()
    return f"{said}." if Fraction(short.replace(",", "")) == Fraction(number) else f"About {said}."


def plural(count: int, noun: str, many: str | None = None) -> str:
    """Return "1 day" or "3 days"."""
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"


def listed(items: list[str] | tuple[str, ...], word: str = "and") -> str:
    """Return "a, b and c"."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {word} {items[-1]}"


def _digits_before_point(value: float) -> int:
    return len(str(int(abs(value)))) if abs(value) >= 1 else 0
