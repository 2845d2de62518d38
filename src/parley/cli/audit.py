"""`parley audit verify`: checks the votes against the audit log."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from parley.cli.options import JsonOption, with_settings
from parley.cli.terminal import progress_bar, say, say_json

if TYPE_CHECKING:
    from parley.features.standings.verification import StandingsReport
    from parley.settings import Settings
    from parley.storage.audit_check import AuditReport

audit = typer.Typer(no_args_is_help=True, help="Check that no vote was changed after it was cast.")


@audit.command()
@with_settings(models=False)
def verify(
    settings: "Settings",
    head: Annotated[
        str | None,
        typer.Option(help="A head hash you stored earlier. It must still be in the chain.", metavar="HASH"),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Check the votes against the audit log, and the standings against the votes.

    Exits with 1 if something does not match. Reads only, so you can run it beside a server.
    """
    import msgspec

    noted = checked_hash(head) if head is not None else None
    with progress_bar("Verifying") as progress:
        report, standings = asyncio.run(_verify(settings, noted, progress))
    if as_json:
        say_json({**msgspec.to_builtins(report), "standings": msgspec.to_builtins(standings)})
    else:
        say("\n".join(filter(None, (report_text(report), standings and standings_text(standings)))))
    if not report.ok or (standings is not None and not standings.ok):
        raise typer.Exit(1)


async def _verify(
    settings: "Settings", noted: str | None, progress: Callable[[int, int], None]
) -> "tuple[AuditReport, StandingsReport | None]":
    """Verify the votes and, if they are intact, the standings."""
    from parley.features.standings.verification import verify_standings
    from parley.storage import schema
    from parley.storage.audit_check import check_audit
    from parley.storage.first_start import open_existing

    async with open_existing(settings.database_url, settings.data_dir) as database:
        await schema.require_current(database)
        report = await check_audit(database, noted, progress)
        if not report.ok:
            return report, None
        return report, await verify_standings(database, lambda done: progress(done, report.votes))


def standings_text(standings: "StandingsReport") -> str:
    """Describe the check of counts, Elo and tables."""
    if standings.wrong is not None:
        return f"✗ {standings.wrong}\n  Run “parley standings rebuild” to compute it again from the votes."
    lines = ["✓ Counts, Elo and tables match the votes."]
    if standings.waiting:
        lines.append(f"  {_count(standings.waiting, 'vote is', 'votes are')} not counted yet.")
    if standings.unseen:
        lines.append(
            f"  Not checked, because newer votes are not in them yet: {', '.join(standings.unseen)}."
        )
    return "\n".join(lines)


def checked_hash(text: str) -> str:
    """Return a hash in lower case. Raises BadParameter if it is not one."""
    lower = text.strip().lower()
    if len(lower) != 64 or not set(lower) <= set("0123456789abcdef"):
        raise typer.BadParameter("must be the 64 hex digits that “parley audit verify” printed")
    return lower


def report_text(report: "AuditReport") -> str:
    """Describe the check of the votes."""
    if report.broken is not None:
        before = _count(report.entries, "entry before it is", "entries before it are")
        intact = f"\nThe {before} intact." if report.entries else ""
        return f"✗ {report.broken.text}{intact}"
    lines = [f"✓ {_count(report.votes, 'vote matches', 'votes match')} the audit log."]
    if report.exclusions:
        excluded = _count(report.exclusions, "vote was", "votes were")
        lines.append(f"  {excluded} excluded later, with a reason.")
    if report.noted_at is not None:
        lines.append(f"  The hash from --head is that of entry {report.noted_at:,}.")
    lines.append(f"  Head: {report.head} (entry {report.entries:,})")
    lines.append(
        "  Store this hash elsewhere. It is the only way to detect later that the last votes were removed."
    )
    return "\n".join(lines)


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
