"""Replies as notes: what was said, whom it answers, whom a moderator chose, the points of a synthesis."""

from collections.abc import Mapping, Sequence

import msgspec

from parley.kernel.errors import Problem
from parley.kernel.mode import Reply
from parley.kernel.seats import Seat
from parley.modes.team.discussion import Speech, Talk, spent_on
from parley.modes.team.notes import Answered, Changed, Choice, Point, Statement, Synthesis
from parley.modes.team.replies import (
    PARTS,
    MemberReading,
    bare_refs,
    find_change,
    find_refs,
    find_roles,
    read_choice,
    read_member,
    read_parts,
)
from parley.modes.team.roster import Roster
from parley.modes.team.strategies import MOST_CHOSEN

WITHOUT_ANSWER = Problem(
    code="reply_without_answer",
    title="This member gave no answer.",
    detail="Its reply is saved. The others continue.",
)
CUT_OFF = "The synthesis reached its token limit, so its end may be missing."
WITHOUT_PARTS = (
    "The synthesis does not have its parts (consensus, disagreements, assumptions, recommendation, minority view), so "
    "it is shown as it was written."
)


def make_speech(reply: Reply, ref: str, task: str, purpose: str, team: Roster, talk: Talk) -> Speech:
    """Return what a reply says to those who spoke before it, which is `talk` without this reply."""
    seat = reply.seat.name
    role = team.roles[seat]
    spoken = Statement(
        ref=ref,
        seat=seat,
        role=role,
        task=task,
        purpose=purpose,
        reply_id=reply.id,
        heading=f"{ref} {role}",
        spent=spent_on(reply),
    )
    if not reply.completed or not reply.text.strip():
        problem = (None if reply.completed else reply.error) or WITHOUT_ANSWER
        return Speech(msgspec.structs.replace(spoken, problem=problem), "")
    reading = read_member(reply.text)
    text = reply.text[reading.start : reading.end]
    statement = msgspec.structs.replace(
        spoken,
        start=reading.start,
        end=reading.end,
        answers=_answers(seat, text, reading, team, talk.speeches),
        position=reading.position,
        changed=_changed(text, reading) if talk.has_spoken(seat) else None,
        cut_off=reply.cut_off,
    )
    return Speech(statement, text)


def make_choice(
    reply: Reply | None, chair: str, team: Roster, candidates: Sequence[Seat], talk: Talk
) -> Choice:
    """Return whom the moderator chose among candidates; without a usable choice, who has said least."""
    reading = read_choice(reply.text) if reply is not None and reply.completed else None
    there = [seat.name for seat in candidates]
    enough = reading is not None and reading.enough and bool(talk.speeches)
    if reading is None or reply is None:
        named, chosen, problem = (), (), "failed" if reply is not None else "nobody"
    elif reading.named is None:
        chosen = find_roles(reply.text, {name: team.roles[name] for name in there})
        named, problem = tuple(team.roles[name] for name in chosen), "nonsense"
    else:
        named = reading.named
        seats = dict.fromkeys(seat for name in named for seat in team.seats_called(name))
        chosen = tuple(name for name in seats if name in there)
        problem = "absent" if named else "nobody"
    failed = not chosen and not enough
    if failed:
        speakers = [each.statement.seat for each in talk.speeches]
        chosen = (min(there, key=lambda name: (speakers.count(name), there.index(name))),)
    return Choice(
        seat=chair,
        chosen=() if enough else chosen[:MOST_CHOSEN],
        named=named,
        how="fallback" if failed else "moderator",
        problem=problem if failed else None,
        asks=reading.ask if reading else None,
        enough=enough,
        spent=spent_on(reply),
        reply_id=reply.id if reply else None,
        heading=team.roles[chair],
    )


def make_synthesis(reply: Reply, team: Roster, speeches: Sequence[Speech]) -> Synthesis:
    """Return the points of a complete synthesis."""
    speakers = {each.statement.ref: each.statement.seat for each in speeches}
    parts = read_parts(reply.text)
    texts = parts or {"recommendation": (reply.text.strip(),)}

    def points(name: str) -> tuple[Point, ...]:
        return tuple(_point(text, speakers, team.roles) for text in texts.get(name, ()))

    missing = [name for name in PARTS if name not in parts]
    warning = f"The synthesis has no part “{missing[0]}”." if missing else None
    return Synthesis(
        seat=reply.seat.name,
        reply_id=reply.id,
        consensus=points("consensus"),
        disagreements=points("disagreements"),
        assumptions=points("assumptions"),
        recommendation=points("recommendation"),
        minority=points("minority"),
        parsed=bool(parts),
        warning=CUT_OFF if reply.cut_off else warning if parts else WITHOUT_PARTS,
        spent=spent_on(reply),
    )


def _answers(
    seat: str, text: str, reading: MemberReading, team: Roster, speeches: Sequence[Speech]
) -> tuple[Answered, ...]:
    """Return whom a statement answers: as it declares, then by references and roles in its text."""
    heard = {each.statement.ref: each.statement.seat for each in speeches if each.statement.seat != seat}
    last = {speaker: ref for ref, speaker in heard.items()}
    stated = [ref for ref in bare_refs(reading.answers or "") if ref in heard]
    refs = [ref for ref in find_refs(text) if ref in heard]
    named = find_roles(text, {name: role for name, role in team.roles.items() if name in last})
    met = {heard[ref] for ref in (*stated, *refs)}
    refs += [last[name] for name in named if name not in met]
    return (
        *(Answered(ref=ref, seat=heard[ref], how="said") for ref in stated),
        *(
            Answered(ref=ref, seat=heard[ref], how="found")
            for ref in dict.fromkeys(refs)
            if ref not in stated
        ),
    )


def _changed(text: str, reading: MemberReading) -> Changed | None:
    if reading.changed is not None:
        return Changed(text=reading.changed, how="said") if reading.changed else None
    change = find_change(text)
    return Changed(text=change, how="found") if change else None


def _point(text: str, speakers: Mapping[str, str], roles: Mapping[str, str]) -> Point:
    refs = find_refs(text)
    known = tuple(ref for ref in refs if ref in speakers)
    holders = dict.fromkeys((*(speakers[ref] for ref in known), *find_roles(text, roles)))
    unknown = tuple(ref for ref in refs if ref not in speakers)
    return Point(text=text, refs=known, unknown=unknown, holders=tuple(holders))
