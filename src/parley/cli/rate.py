"""`parley rate`: ratings of models from a file of votes."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from parley.cli.options import JsonOption
from parley.cli.terminal import cell, console, say, say_json

if TYPE_CHECKING:
    from parley.cli.vote_file import VoteFile
    from parley.ratings.rating import RatingOptions
    from parley.ratings.standings import Anchor, Standing, Standings


def rate(
    file: Annotated[
        Path, typer.Argument(help="CSV, JSON Lines or Parquet with the columns model_a, model_b and winner.")
    ],
    as_json: JsonOption = False,
    method: Annotated[
        Literal["bradley-terry", "elo"], typer.Option(help="How to rate; Elo depends on the order of votes.")
    ] = "bradley-terry",
    interval: Annotated[
        Literal["plain", "clustered", "anytime"],
        typer.Option(help="Clustered: by judge. Anytime: stays valid however often one looks."),
    ] = "plain",
    anchor: Annotated[
        str | None, typer.Option(metavar="MODEL=VALUE", help="Pin a model to a rating.", show_default=False)
    ] = None,
    k: Annotated[
        float | None, typer.Option(help="Elo: how far a vote moves (32).", show_default=False)
    ] = None,
    initial: Annotated[
        float | None, typer.Option(help="Elo: where a model begins (1500).", show_default=False)
    ] = None,
    category: Annotated[
        str | None, typer.Option(help="Only the votes of this category.", show_default=False)
    ] = None,
    style_control: Annotated[
        bool, typer.Option("--style-control", help="Hold length and Markdown of the replies constant.")
    ] = False,
    min_votes: Annotated[int, typer.Option(min=0, help="Leave out of the table who has fewer votes.")] = 0,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE.svg|png", help="Draw the table too.", show_default=False)
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse a file with rows that are no votes.")
    ] = False,
) -> None:
    """Rate models from a file of votes."""
    from parley.kernel.errors import Invalid
    from parley.ratings.rating import rate as rate_votes

    if method == "bradley-terry" and (k is not None or initial is not None):
        raise Invalid("k", "--k and --initial belong to Elo.", "Add --method elo, or leave them out.")
    if method == "elo" and (style_control or interval != "plain"):
        raise Invalid("method", "Elo has no intervals and no style control.", "Leave out --method elo.")
    options = _options(method, interval, anchor, k, initial, style_control=style_control)
    from parley.cli.rating_plot import check_ending, write_plot
    from parley.cli.vote_file import read_vote_file

    if plot is not None:
        check_ending(plot)
    found = read_vote_file(file, category=category, style=style_control, progress=_progress)
    if found.bad and strict:
        raise Invalid(
            "file", f"{_bad_number(found):,} of {found.rows:,} rows are no votes.", _bad_text(found)
        )
    if not len(found.votes):
        raise Invalid("file", f"{file.name} holds no votes.", _bad_text(found) or None, code="no_votes")
    if method == "elo" and not found.in_time_order:
        say("No time (tstamp) in every row: Elo takes the votes in the order of the file.", err=True)
    table = rate_votes(found.votes, options)
    lines = table.public(least_votes=min_votes)
    if as_json:
        say_json(_document(found, table, lines, options.anchor, category, interval))
    else:
        _print_table(table, lines)
    if found.bad:
        say(f"{_bad_number(found):,} of {found.rows:,} rows are no votes and were left out:", err=True)
        say(_bad_text(found), err=True)
    if plot is not None:
        write_plot(table, lines, plot)
        say(f"Drawn: {plot}", err=True)


def _options(
    method: Literal["bradley-terry", "elo"],
    interval: Literal["plain", "clustered", "anytime"],
    anchor: str | None,
    k: float | None,
    initial: float | None,
    *,
    style_control: bool,
) -> "RatingOptions":
    from parley.ratings.elo import INITIAL, K
    from parley.ratings.rating import RatingOptions

    return RatingOptions(
        method=method,
        interval=interval,
        anchor=None if anchor is None else _anchor(anchor),
        k=K if k is None else k,
        initial=INITIAL if initial is None else initial,
        style_control=style_control,
    )


def _anchor(text: str) -> "Anchor":
    """Read MODEL=VALUE; the model's name may hold an equals sign."""
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
    found: "VoteFile",
    table: "Standings",
    lines: "tuple[Standing, ...]",
    anchor: "Anchor | None",
    category: str | None,
    interval: str,
) -> dict[str, object]:
    return {
        "standings": lines,
        "votes": table.votes,
        "models": len(table.standings),
        "method": table.method,
        "interval": None if table.method == "elo" else interval,
        "groups": table.groups,
        "category": category,
        "anchor": anchor,
        "style": table.style,
        "rows": found.rows,
        "bad_rows": found.bad,
    }


def _print_table(table: "Standings", lines: "tuple[Standing, ...]") -> None:
    from rich import box
    from rich.table import Table

    elo = table.method == "elo"
    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    shown.add_column("Model", no_wrap=True, overflow="fold")
    headings = ("Rank",) if elo else ("Rank (UB)", "Rank")
    values = ("Elo",) if elo else ("Rating", "95% interval")
    for heading in (*headings, *values, "Votes", "Won", "Lost", "Tied", "Both bad", "Win rate"):
        shown.add_column(heading, justify="right", no_wrap=True)
    shown.add_column("")
    for line in lines:
        ranks = (str(line.rank),) if elo else (str(line.rank_ub), str(line.rank))
        rating = (f"{line.rating:.1f}",) if elo else (f"{line.rating:.1f}", _interval(line))
        numbers = (line.votes, line.wins, line.losses, line.ties, line.both_bad)
        shown.add_row(
            cell(line.model),
            *ranks,
            *rating,
            *(f"{it:,}" for it in numbers),
            f"{line.win_rate:.1%}",
            _remark(line),
        )
    console(width=200).print(shown)
    say(f"{table.votes:,} votes, {len(table.standings)} models.")
    if table.groups > 1:
        say(f"{table.groups} groups of models never met: ratings of different groups cannot be compared.")
    for effect in table.style:
        bounds = f"{effect.ci_lower:+.1f} to {effect.ci_upper:+.1f}"
        say(f"Style: {effect.feature} {effect.points:+.1f} points per standard deviation ({bounds}).")


def _interval(line: "Standing") -> str:
    return "–" if line.ci_lower is None else f"{line.ci_lower:.1f} to {line.ci_upper:.1f}"


def _remark(line: "Standing") -> str:
    group = f"group {line.group + 1}, not comparable" if line.group else ""
    return ", ".join(word for word in ("provisional" if line.provisional else "", group) if word)


def _bad_number(found: "VoteFile") -> int:
    return sum(bad.count for bad in found.bad)


def _bad_text(found: "VoteFile") -> str:
    """Return a line for every reason, with the first lines of the file where it holds."""
    texts: list[str] = []
    for bad in found.bad:
        more = ", …" if bad.count > len(bad.lines) else ""
        word = "line" if bad.count == 1 else "lines"
        texts.append(f"  {bad.count:,} × {bad.reason} ({word} {', '.join(map(str, bad.lines))}{more})")
    return "\n".join(texts)


def _progress(rows: int) -> None:
    say(f"{rows:,} rows read …", err=True)
