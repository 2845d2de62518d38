"""Scripts of turns and the matches around them, as the arena hands them to the engine."""

from collections.abc import Mapping, Sequence
from typing import Any

from parley.kernel.history import EarlierTurn, SeatTurns, converse
from parley.kernel.inputs import PromptInput, TurnInput
from parley.kernel.messages import Message
from parley.kernel.mode import Mode
from parley.kernel.ports import TurnScript
from parley.kernel.seats import AS_IT_IS, Seat, SeatSettings
from parley.kernel.views import BallotView, MatchView, SeatView
from parley.testing.catalog import make_card

CREATED_AT = "2026-01-01T00:00:00+00:00"


def make_script(
    mode: Mode[Any],
    seats: Mapping[str, str],
    *,
    turn_id: str = "turn",
    prompt: str = "Hello",
    turn_input: TurnInput | None = None,
    brief: Mapping[str, object] | None = None,
    settings: Mapping[str, SeatSettings] | None = None,
    history: Mapping[str, tuple[Message, ...]] | None = None,
    earlier: Sequence[EarlierTurn] = (),
) -> TurnScript:
    """Return the script of a turn's first play.

    `seats` maps names to models; names that the mode does not know are left out. Without `turn_input` the turn begins
    with the prompt. Each seat's history comes from the `earlier` turns, oldest first, unless it is given.
    """
    seat_settings, turn_input = settings or {}, turn_input or PromptInput(prompt)
    present = {name: group.role for name in seats if (group := mode.seating.group(name))}
    talks = (
        {name: converse([SeatTurns(name, earlier)], name, turn_input) for name in present} if earlier else {}
    )
    return TurnScript(
        turn_id=turn_id,
        match_id=f"match-of-{turn_id}",
        session_id="session",
        owner_id="owner",
        index=len(earlier),
        created_at=CREATED_AT,
        mode=mode.name,
        brief=dict(brief or {}),
        seats=tuple(
            Seat(f"seat-{name}", name, role, seats[name], seat_settings.get(name, AS_IT_IS))
            for name, role in present.items()
        ),
        input=turn_input,
        prompt=prompt,
        history={name: talk.messages for name, talk in talks.items()} if history is None else dict(history),
        unanswered={name: talk.unanswered for name, talk in talks.items()},
        attached={name: talk.attached for name, talk in talks.items() if talk.attached},
        earlier=tuple(earlier) if mode.remembers else (),
        play=1,
        next_seq=0,
        steps=(),
        notes=(),
    )


def make_match(mode: Mode[Any], script: TurnScript) -> MatchView:
    """Return the match of a script, before any vote."""
    blind = mode.seating.blind
    return MatchView(
        id=script.match_id,
        session_id=script.session_id,
        index=0,
        mode=mode.name,
        status="open",
        blind=blind,
        paced=mode.seating.paced,
        seats=tuple(
            SeatView(
                id=seat.id,
                name=seat.name,
                role=seat.role,
                label=f"Assistant {'ABCD'[index]}" if blind else seat.model_id.upper(),
                model=None if blind else make_card(seat.model_id),
            )
            for index, seat in enumerate(script.seats)
        ),
        brief=script.brief,
        ballot=_ballot(mode, script),
        vote=None,
        votes=(),
        void=None,
        created_at=script.created_at,
    )


def _ballot(mode: Mode[Any], script: TurnScript) -> BallotView | None:
    if mode.ballot is None:
        return None
    ballot = mode.ballot.resolved(script.seats)
    return BallotView(
        choices=ballot.choices,
        open=False,
        each_turn=ballot.each_turn,
        rated=ballot.rated,
        ends_match=ballot.ends_match,
        needs=ballot.needs,
    )
