"""`parley sessions`: lists and searches sessions, exports them and imports conversations."""

from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from parley.cli.options import JsonOption, ListsByDefault, with_settings
from parley.cli.terminal import print_table, say, say_json

if TYPE_CHECKING:
    from parley.cli.client import ApiClient
    from parley.features.session_files.schemas import SessionFormat
    from parley.settings import Settings

sessions = typer.Typer(
    cls=ListsByDefault,
    help="List, show, search, export and import sessions. Without a command: list.",
)

PAGE = 200
WIDTH = 100
FORMATS: "dict[str, SessionFormat]" = {".md": "markdown", ".json": "json", ".html": "html"}

TagOption = Annotated[
    str | None, typer.Option(metavar="TAG", help="Only sessions with this tag.", show_default=False)
]
LimitOption = Annotated[int, typer.Option(min=1, max=PAGE, help="How many sessions to show.")]


@sessions.command(name="list")
@with_settings()
def list_(
    settings: "Settings",
    tag: TagOption = None,
    archived: Annotated[bool, typer.Option("--archived", help="Only archived sessions.")] = False,
    limit: LimitOption = 50,
    as_json: JsonOption = False,
) -> None:
    """List sessions, latest activity first."""
    query = {
        "limit": str(limit),
        **({"tag": tag} if tag else {}),
        **({"archived": "true"} if archived else {}),
    }
    _show(settings, query, as_json=as_json)


@sessions.command()
@with_settings()
def search(
    settings: "Settings",
    words: Annotated[str, typer.Argument(metavar="WORDS", help="What titles, questions or answers hold.")],
    tag: TagOption = None,
    limit: LimitOption = 50,
    as_json: JsonOption = False,
) -> None:
    """Search titles, questions and answers, archived sessions too."""
    query = {"search": words, "limit": str(limit), **({"tag": tag} if tag else {})}
    _show(settings, query, as_json=as_json)


@sessions.command()
@with_settings()
def show(
    settings: "Settings",
    session: Annotated[
        str | None,
        typer.Argument(
            metavar="SESSION", help="The id of a session; without it the last one.", show_default=False
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Print a session: questions and answers, with the models' names where they are not hidden."""
    from urllib.parse import quote

    from parley.cli.client import ask_server
    from parley.cli.session_text import print_session
    from parley.kernel.errors import NotFound

    async def fetch(client: "ApiClient") -> dict[str, Any]:
        session_id = session
        if session_id is None:
            latest = (await client.get("/api/sessions", limit="1"))["sessions"]
            if not latest:
                raise NotFound("There are no sessions yet.", "Start one: parley ask “…”")
            session_id = latest[0]["id"]
        return await client.get(f"/api/sessions/{quote(session_id, safe='')}")

    document = ask_server(settings, fetch)
    say_json(document) if as_json else print_session(document)


@sessions.command()
@with_settings()
def export(
    settings: "Settings",
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write: .md, .json or .html.")],
    session: Annotated[
        list[str] | None,
        typer.Argument(metavar="SESSION", help="Ids of sessions; without them all that are not archived."),
    ] = None,
    tag: TagOption = None,
    format_: Annotated[
        Literal["markdown", "json", "html"] | None,
        typer.Option(
            "--format", help="The file format, if the file extension doesn't show it.", show_default=False
        ),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing file.")] = False,
) -> None:
    """Export sessions as one file."""
    from parley.cli.client import ask_server
    from parley.features.sessions.schemas import AT_ONCE
    from parley.kernel.errors import Invalid

    kind = format_ or FORMATS.get(file.suffix.lower())
    if kind is None:
        raise Invalid("file", f"{file}: the format can't be told from the name.", "Add --format.")
    if file.exists() and not overwrite:
        raise Invalid("file", f"{file} already exists.", "Choose another name, or add --overwrite.")

    async def fetch(client: "ApiClient") -> tuple[int, bytes]:
        ids = session or await _ids(client, tag)
        if not ids:
            raise Invalid("session", "There is no session to export.", "Nothing was written.")
        if len(ids) > AT_ONCE:
            raise Invalid(
                "session",
                f"These are {len(ids):,} sessions; one file holds at most {AT_ONCE}.",
                "Nothing was written. Use --tag, or name them. Settings → Data exports everything as JSON Lines.",
            )
        return len(ids), await client.fetch_file("/api/sessions/export", {"ids": ids, "format": kind})

    count, content = ask_server(settings, fetch, reads=True)
    try:
        _write(file, content)
    except OSError as error:
        raise Invalid("file", f"Can't write {file}: {error.strerror or error}.", "It is as before.") from None
    say(f"Wrote {_counted(count)} to {file}.")


@sessions.command(name="import")
@with_settings()
def import_(
    settings: "Settings",
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="Parley's JSON, or an export of ChatGPT, Claude, LibreChat or Open WebUI."
        ),
    ],
    as_json: JsonOption = False,
) -> None:
    """Import the conversations of a file as chats. Those that are here already are skipped."""
    from parley.cli.client import ask_server
    from parley.kernel.errors import Invalid

    try:
        content = file.read_bytes()
    except OSError as error:
        raise Invalid(
            "file", f"{file} can't be read: {error.strerror or error}.", "Nothing was imported."
        ) from None
    name = file.name[:200]
    report = ask_server(settings, lambda client: client.send_file("/api/sessions/import", content, name=name))
    say_json(report) if as_json else say(_report_text(report))


def _write(file: Path, content: bytes) -> None:
    """Write a file whole: an earlier one is replaced by a complete one, or stays. Raises OSError."""
    target = file.resolve()
    if target.exists() and not target.is_file():
        target.write_bytes(content)  # such as /dev/stdout
        return
    part = target.with_name(f".parley-{token_hex(4)}.part")
    try:
        part.write_bytes(content)
        part.replace(target)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _show(settings: "Settings", query: dict[str, str], *, as_json: bool) -> None:
    from parley.cli.client import ask_server

    page = ask_server(settings, lambda client: client.get("/api/sessions", **query), reads=True)
    sessions = page["sessions"]
    if as_json:
        say_json(sessions)
    elif not sessions:
        say("No sessions.")
    else:
        rows = [
            (card["id"], card["updated_at"][:10], card["mode"], card["excerpt"] or card["title"])
            for card in sessions
        ]
        print_table(("id", "last active", "mode", "title"), rows, width=WIDTH)
    if page["unsearched"] and not as_json:
        say(f"Search is still reading {page['unsearched']:,} answers. Search again soon.")


async def _ids(client: "ApiClient", tag: str | None) -> list[str]:
    """Return the ids of all sessions outside the archive, or of those with a tag."""
    ids: list[str] = []
    query = {"limit": str(PAGE), **({"tag": tag} if tag else {})}
    while True:
        page = await client.get("/api/sessions", **query)
        ids += [card["id"] for card in page["sessions"]]
        if page["next_cursor"] is None:
            return ids
        query["cursor"] = page["next_cursor"]


def _report_text(report: dict[str, Any]) -> str:
    lines = [f"Imported {_counted(report['imported'])}."]
    if report["already_here"]:
        lines.append(f"{report['already_here']:,} already here.")
    if report["unreadable"]:
        lines.append(f"{report['unreadable']:,} skipped:")
    for skipped in report["skipped"]:
        title = f" “{skipped['title']}”" if skipped["title"] else ""
        lines.append(f"  conversation {skipped['place']}{title}: {skipped['reason']}")
    if report["notes"]:
        lines.append("Imported with changes:")
    for note in report["notes"]:
        title = f" “{note['title']}”" if note["title"] else ""
        lines.append(f"  conversation {note['place']}{title}: {note['text']}")
    return "\n".join(lines)


def _counted(count: int) -> str:
    return f"{count:,} session" if count == 1 else f"{count:,} sessions"
