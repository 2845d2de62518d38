"""Who is who in a team: the role of each seat, who leads, who takes no side, who writes the synthesis."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from parley.kernel.errors import Invalid
from parley.kernel.seats import Seat
from parley.modes.team.brief import TeamBrief
from parley.modes.team.ready import CHAIRS, JUDGE, ROLES
from parley.modes.team.replies import find_roles
from parley.modes.team.strategies import STRATEGIES, Move

DEALT = tuple(role for role in ROLES if role.lower() not in CHAIRS)
LEAST_SPEAKERS = 2


@dataclass(frozen=True)
class Roster:
    """The seats of a team. `roles` are unique; `speakers` are all but the chair, and the lead is the first to draft."""

    seats: tuple[Seat, ...]
    roles: Mapping[str, str]
    instructions: Mapping[str, str]
    chair: Seat | None
    lead: Seat
    writer: Seat

    @property
    def speakers(self) -> tuple[Seat, ...]:
        """The seats that take part in the discussion."""
        return tuple(seat for seat in self.seats if seat != self.chair)

    def seats_for(self, move: Move, chosen: Collection[str]) -> tuple[Seat, ...]:
        """Return the seats that make a move; `chosen` are the names of those whom somebody has chosen."""
        match move.who:
            case "lead":
                return (self.lead,)
            case "others":
                return tuple(seat for seat in self.speakers if seat != self.lead)
            case "chair":
                return (self.chair,) if self.chair else ()
            case "chosen":
                by_name = {seat.name: seat for seat in self.seats}
                return tuple(by_name[name] for name in chosen)
            case "speakers":
                return self.speakers

    def seats_called(self, name: str) -> tuple[str, ...]:
        """Return the seat with this role or name, in any case; else those whose roles the text names."""
        wanted = name.casefold()
        exact = (seat for seat, role in self.roles.items() if wanted in (role.casefold(), seat.casefold()))
        match = next(exact, None)
        return (match,) if match else find_roles(name, self.roles)


def assemble(brief: TeamBrief, seats: Sequence[Seat]) -> Roster:
    """Return the team of a brief. Raises Invalid if the brief names other seats, or too few take part."""
    names = [seat.name for seat in seats]
    for name in brief.members:
        if name not in names:
            raise _no_seat(f"brief.members.{name}", name, names)
    if brief.writer is not None and brief.writer not in names:
        raise _no_seat("brief.writer", brief.writer, names)
    named_roles = {name: member.role.strip() for name, member in brief.members.items()}
    chair = next((name for name in names if named_roles.get(name, "").casefold() in CHAIRS), None)
    chaired = STRATEGIES[brief.strategy].chair
    if chair is None and chaired:
        chair = names[-1]
    roles = {
        name: named_roles.get(name) or (chaired if name == chair and chaired else DEALT[place % len(DEALT)])
        for place, name in enumerate(names)
    }
    speakers = [name for name in names if name != chair]
    if len(speakers) < LEAST_SPEAKERS:
        raise Invalid(
            "brief.members",
            "brief.members: a team needs two members besides its moderator or judge.",
            "Add a member, or give this one another role.",
        )
    proposer = next((name for name in speakers if roles[name].casefold() == "proposer"), speakers[0])
    by_name = {seat.name: seat for seat in seats}
    return Roster(
        seats=tuple(seats),
        roles=_numbered(roles),
        instructions={name: _instructions(brief, name, roles[name]) for name in names},
        chair=by_name[chair] if chair else None,
        lead=by_name[proposer],
        writer=by_name[brief.writer or chair or proposer],
    )


def _instructions(brief: TeamBrief, name: str, role: str) -> str:
    own = brief.members[name].instructions if name in brief.members else None
    ready = {known.casefold(): text for known, text in ROLES.items()} | {"judge": JUDGE}
    return own or ready.get(role.casefold(), "")


def _numbered(roles: Mapping[str, str]) -> dict[str, str]:
    """Return roles of which each is there once: the second Critic is “Critic 2”."""
    seen: Counter[str] = Counter()
    numbered: dict[str, str] = {}
    for name, role in roles.items():
        seen[role.casefold()] += 1
        numbered[name] = role if seen[role.casefold()] == 1 else f"{role} {seen[role.casefold()]}"
    return numbered


def _no_seat(field: str, name: str, names: Sequence[str]) -> Invalid:
    return Invalid(field, f"{field}: there is no seat “{name}”.", f"The members sit at {', '.join(names)}.")
