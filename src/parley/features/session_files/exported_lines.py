"""Lines of the export of all data: of each session its conversation, and each other branch as one of its own."""

from collections.abc import Iterator

import msgspec

from parley.features.session_files.branches import Branches, Circular
from parley.features.session_files.conversation import Unreadable
from parley.features.session_files.transcript import Readable, transcript_of
from parley.features.session_files.writing import sessions_of
from parley.kernel.views import SessionView

EXPORTED = tuple(
    b'{"kind":"%b","%b":' % (kind, kind)
    for kind in (
        *(
            b"api_key",
            b"api_response",
            b"asset",
            b"dataset",
            b"improvement",
            b"judge",
            b"lab_run",
            b"preference",
            b"preset",
        ),
        *(b"prompt", b"provider_key", b"session", b"usage"),
    )
)
"""The beginnings of such lines."""

TURNS, BRANCHES = 10_000, 500


class _Line(msgspec.Struct):
    kind: str
    session: SessionView | None = None


def session_of_line(line: bytes) -> SessionView | None:
    """Return the session of a line; None for things of other kinds. Raises Unreadable."""
    try:
        return msgspec.json.decode(line, type=_Line).session
    except msgspec.ValidationError as error:
        raise Unreadable(f"it is not a session of an export: {error}") from None


def conversations_of(session: SessionView, readable: Readable) -> Iterator[bytes]:
    """Yield a session as a file of sessions has it, then its other branches. Raises Unreadable."""
    if (turns := sum(len(record.turns) for record in session.matches)) > TURNS:
        raise Unreadable(f"it has {turns:,} turns; the limit is {TURNS:,}")
    try:
        branches = len(Branches(session.matches).ends())
    except Circular as error:
        raise Unreadable(str(error)) from None
    if branches > BRANCHES:
        raise Unreadable(f"it has {branches:,} other branches; the limit is {BRANCHES:,}")
    yield from map(msgspec.json.encode, sessions_of(transcript_of(session, readable)))
