"""`parley rate`: rates models from a file of votes."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from parley.cli.options import JsonOption
from parley.cli.terminal import print_table, say, say_json

if TYPE_CHECKING:
    from parley.cli.rated_votes import VoteFile
    from parley.ratings.lines import Line
    from parley.ratings.standings import Anchor, Standings

INTERVALS = {
    "plain": "The 95% intervals are for one look at this file. The leaderboard’s are about 1.7 times as wide, since "
    "they stay valid however often you look (--interval anytime), and wider where a few people cast many of the votes "
    "(--interval clustered).",
    "clustered": "The 95% intervals treat people, not votes, as independent, for one look at this file. The "
    "leaderboard’s also stay valid however often you look.",
    "anytime": "The 95% intervals stay valid however often you look, as on the leaderboard. There they are also wider "
    "where a few people cast many of the votes.",
}
"""The difference between the intervals of a table and those that the leaderboard shows for the same votes."""


def rate(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="CSV, JSON Lines or Parquet with the columns model_a, model_b and winner."
        ),
    ],
    as_json: JsonOption = False,
    method: Annotated[
        Literal["bradley-terry", "elo"],
        typer.Option(help="Rating method. Elo depends on the order of votes."),
    ] = "bradley-terry",
    interval: Annotated[
        Literal["plain", "clustered", "anytime"],
        typer.Option(help="clustered: by judge. anytime: valid at any number of looks."),
    ] = "plain",
    anchor: Annotated[
        str | None, typer.Option(metavar="MODEL=VALUE", help="Fix a model's rating.", show_default=False)
    ] = None,
    k: Annotated[float | None, typer.Option(help="Elo: points per vote (32).", show_default=False)] = None,
    initial: Annotated[
        float | None, typer.Option(help="Elo: rating of a new model (1500).", show_default=False)
    ] = None,
    category: Annotated[
        str | None, typer.Option(help="Only the votes of this category.", show_default=False)
    ] = None,
    style_control: Annotated[
        bool, typer.Option("--style-control", help="Adjust for length and Markdown of replies.")
    ] = False,
    min_votes: Annotated[int, typer.Option(min=0, help="Hide models with fewer votes.")] = 0,
    strict: Annotated[bool, typer.Option("--strict", help="Stop if a row is invalid.")] = False,
) -> None:
    """Rate models from a file of votes."""
    from parley.kernel.errors import Invalid
    from parley.ratings.elo import INITIAL, K
    from parley.ratings.rating import RatingOptions
    from parley.ratings.rating import rate as rate_votes

    if method == "bradley-terry" and (k is not None or initial is not None):
        raise Invalid("k", "--k and --initial need --method elo.", "Add --method elo, or remove them.")
    if method == "elo" and (style_control or interval != "plain"):
        raise Invalid("method", "Elo has no intervals and no style control.", "Remove --method elo.")
    options = RatingOptions(
        method=method,
        interval=interval,
        anchor=None if anchor is None else _anchor(anchor),
        k=K if k is None else k,
        initial=INITIAL if initial is None else initial,
        style_control=style_control,
    )
    votes = _read(file, category, style_control, strict)
    if method == "elo" and not votes.in_time_order:
        say("Some rows have no time (tstamp), so Elo uses the order of the file.", err=True)
    table = rate_votes(votes.votes, options)
    lines = table.public(least_votes=min_votes)
    if as_json:
        query = {"category": category, "anchor": options.anchor}
        say_json(_document(votes, table, lines, None if method == "elo" else interval) | query)
    else:
        _print_table(table, lines)
        if method != "elo":
            say(INTERVALS[interval])
    if votes.bad:
        say(f"Skipped {_bad_rows(votes)} that are not votes:\n{_bad_text(votes)}", err=True)


def _read(file: Path, category: str | None, style: bool, strict: bool) -> "VoteFile":
    """Read a file of votes. Raises Invalid if it has none, or if it has bad rows and `strict` is set."""
    from parley.cli.rated_votes import read_vote_file
    from parley.kernel.errors import Invalid

    votes = read_vote_file(
        file, category=category, style=style, progress=lambda rows: say(f"Read {rows:,} rows …", err=True)
    )
    if votes.bad and strict:
        raise Invalid("file", f"{_bad_rows(votes)} are not votes.", _bad_text(votes))
    if not len(votes.votes):
        raise Invalid("file", f"{file.name} has no votes.", _bad_text(votes) or None, code="no_votes")
    return votes


def _anchor(text: str) -> "Anchor":
    """Read MODEL=VALUE; a model's name may contain an equals sign."""
    import math

    from parley.kernel.errors import Invalid
    from parley.ratings.standings import Anchor

    model, sign, value = text.rpartition("=")
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not sign or not model or not math.isfinite(number):
        raise Invalid("anchor", f"--anchor {text} is not MODEL=VALUE.", "For example: --anchor gpt-4=1200")
    return Anchor(model.strip(), number)


def _document(
    votes: "VoteFile", table: "Standings", lines: "tuple[Line, ...]", interval: str | None
) -> dict[str, object]:
    return {
        "standings": lines,
        "votes": table.votes,
        "models": len(table.standings),
        "method": table.method,
        "interval": interval,
        "groups": table.groups,
        "style": table.style,
        "rows": votes.rows,
        "bad_rows": votes.bad,
    }


def _print_table(table: "Standings", lines: "tuple[Line, ...]") -> None:
    from parley.ratings.lines import last_places, rank_text

    elo = table.method == "elo"
    ratings = (">Rank", ">Elo") if elo else (">Rank", ">Rating", ">95% interval")
    counts = (">Votes", ">Won", ">Lost", ">Tied", ">Both bad", ">Win rate")
    rows: list[list[str]] = []
    for line, last in zip(lines, last_places(lines), strict=True):
        interval = "–" if line.ci_lower is None else f"{line.ci_lower:.1f} to {line.ci_upper:.1f}"
        rating = f"{line.rating:.1f}"
        rated = [str(line.rank), rating] if elo else [rank_text(line.rank_ub, last), rating, interval]
        numbers = [f"{it:,}" for it in (line.votes, line.wins, line.losses, line.ties, line.both_bad)]
        group = f"group {line.group + 1}, not comparable" if line.group else ""
        remark = ", ".join(filter(None, ("provisional" if line.provisional else "", group)))
        rows.append([line.model, *rated, *numbers, f"{line.win_rate:.1%}", remark])
    print_table(("Model", *ratings, *counts, ""), rows, width=200)
    say(f"{_counted(table.votes, 'vote')}, {_counted(len(table.standings), 'model')}.")
    if table.groups > 1:
        say(f"No votes connect the {table.groups} groups of models, so their ratings are not comparable.")
    for effect in table.style:
        bounds = f"{effect.ci_lower:+.1f} to {effect.ci_upper:+.1f}"
        say(f"Style: {effect.feature} {effect.points:+.1f} points per standard deviation ({bounds}).")


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun if number == 1 else f'{noun}s'}"


def _bad_rows(votes: "VoteFile") -> str:
    return f"{sum(bad.count for bad in votes.bad):,} of {votes.rows:,} rows"


def _bad_text(votes: "VoteFile") -> str:
    """Return a line for each reason, with the numbers of the first lines that it applies to."""
    texts: list[str] = []
    for bad in votes.bad:
        more = ", …" if bad.count > len(bad.lines) else ""
        word = "line" if bad.count == 1 else "lines"
        texts.append(f"  {bad.count:,} × {bad.reason} ({word} {', '.join(map(str, bad.lines))}{more})")
    return "\n".join(texts)
