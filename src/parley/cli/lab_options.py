"""Options that several commands of `parley lab` take, and what they accept."""

from typing import Annotated

import typer

MOST_USD = 1_000_000
MOST_NUMBER = 1_000_000_000


def _dollars(value: float | None) -> float | None:
    # Not a number, and none of these either.
    if value is not None and not 0 < value <= MOST_USD:
        raise typer.BadParameter(f"{value:g} is not above 0 and at most {MOST_USD:,}.")
    return value


def _points(value: float | None) -> float | None:
    if value is not None and not 0 <= value <= 100:
        raise typer.BadParameter(f"{value:g} is not a score from 0 to 100.")
    return value


Cap = Annotated[
    float | None,
    typer.Option("--max-cost-usd", help="The most that it may cost.", show_default=False, callback=_dollars),
]
Parallel = Annotated[int, typer.Option(min=1, max=200, help="Calls at a time.")]
Repeats = Annotated[int, typer.Option(min=1, max=100, help="How often each question is asked.")]
FirstRows = Annotated[int | None, typer.Option(min=1, help="Only the first rows.", show_default=False)]
MinScore = Annotated[
    float | None,
    typer.Option(
        help="Exit with 1 if a column's mean score (0 to 100) is lower.",
        show_default=False,
        callback=_points,
    ),
]
Target = Annotated[float, typer.Option(help="Stop at this mean score (0 to 100).", callback=_points)]


def names_in(text: str, option: str) -> list[str]:
    """Return names that are parted by commas. Raises BadParameter if there are none."""
    names = [name for each in text.split(",") if (name := each.strip())]
    if not names:
        raise typer.BadParameter("name at least one, as in a,b,c.", param_hint=f"'{option}'")
    return names


def numbers_in(text: str, option: str) -> list[int]:
    """Return whole numbers from 1 on that are parted by commas. Raises BadParameter, naming the wrong one."""
    numbers: list[int] = []
    for name in names_in(text, option):
        number = name.removeprefix("v")
        if not (number.isascii() and number.isdigit() and 0 < int(number) < MOST_NUMBER):
            raise typer.BadParameter(f"“{name[:40]}” is not a version's number.", param_hint=f"'{option}'")
        numbers.append(int(number))
    return numbers
