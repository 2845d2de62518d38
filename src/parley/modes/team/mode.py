"""The team's script: rounds of a strategy, a person who steps in between them, and a synthesis."""

from collections.abc import Collection, Mapping, Sequence

from parley.kernel.caps import Cap, Used
from parley.kernel.errors import Unavailable
from parley.kernel.inputs import (
    INPUT_TYPES,
    INTERJECTED,
    AskInput,
    ContinueInput,
    SkipInput,
    SynthesiseInput,
)
from parley.kernel.messages import Message
from parley.kernel.mode import Mode, Reply, Stage
from parley.kernel.outline import Outline
from parley.kernel.seats import Seat
from parley.modes.team import notes
from parley.modes.team.brief import SEATING, TeamBrief
from parley.modes.team.discussion import Speech, recall
from parley.modes.team.notes import Choice, Next, Plan, RoundEnd, RoundKind, SeatRole, Why
from parley.modes.team.outline import outline
from parley.modes.team.prompts import (
    choice_prompt,
    context_of,
    member_prompt,
    rules,
    synthesis_prompt,
)
from parley.modes.team.roster import assemble
from parley.modes.team.statements import make_choice, make_speech, make_synthesis
from parley.modes.team.strategies import ASKED, STRATEGIES, Move

MOST_STEPS = 1_000
"""The most rounds of a turn: the planned ones, and one for each question of the person to a member."""
FOR_ROUNDS = 0.8
"""The share of a cap that rounds may use; the rest is for the synthesis."""
MICROS = 1_000_000
SAVED = "All statements so far are saved."


class Team(Mode[TeamBrief]):
    """Experts with roles discuss a question in rounds, and one of them writes the synthesis."""

    name = "team"
    title = "Team"
    summary = "Experts with roles discuss, you step in"
    brief = TeamBrief
    seating = SEATING
    inputs = frozenset(INPUT_TYPES)
    listens = INTERJECTED
    remembers = True
    voice = "member"

    async def play(self, stage: Stage, brief: TeamBrief) -> None:
        """Play rounds until the synthesis, or one round where it pauses. Raises Unavailable if nobody answers."""
        discussion = _Discussion(stage, brief)
        for number in stage.rounds(MOST_STEPS, after=discussion.talk.round):
            if not await discussion.play(number):
                return

    def check(self, brief: TeamBrief, seats: Sequence[Seat]) -> None:
        """Raise Invalid if the brief names other seats, or too few members take part."""
        assemble(brief, seats)

    def outline(self, brief: TeamBrief, seats: Sequence[Seat]) -> Outline:
        """Return the calls that a turn will make."""
        return outline(brief, assemble(brief, seats))


class _Discussion:
    """One turn of a team."""

    def __init__(self, stage: Stage, brief: TeamBrief) -> None:
        self._stage, self._brief = stage, brief
        self._strategy = STRATEGIES[brief.strategy]
        self._team = assemble(brief, stage.seats)
        self.talk = recall(stage)
        used = Used(tokens=self.talk.spent.tokens, cost_micros=self.talk.spent.cost_micros)
        stage.limit(_cap_of(brief), used)
        self._goal = brief.rounds
        if self.talk.concluded:
            self._goal = self.talk.done + (not isinstance(stage.input, AskInput | SynthesiseInput))
        to_end = isinstance(stage.input, ContinueInput) and stage.input.to_end
        self._pauses = brief.pause == "each_round" and stage.attended and not to_end
        self._played = self._enough = False
        self._place = 0
        team = self._team
        plan = Plan(
            strategy=brief.strategy,
            members=tuple(SeatRole(seat=name, role=role) for name, role in team.roles.items()),
            lead=team.lead.name,
            chair=team.chair.name if team.chair else None,
            writer=team.writer.name,
            rounds=self._goal,
            done=self.talk.done,
            pause="each_round" if self._pauses else "never",
        )
        stage.announce(notes.PLAN, plan)

    async def play(self, number: int) -> bool:
        """Play a round, or the synthesis; return whether another one follows. Raises Unavailable."""
        talk = self.talk
        talk.hear(self._stage.inbox)
        skipped = sum(isinstance(each, SkipInput) and each.seat is None for each in talk.fresh)
        talk.done = min(talk.done + skipped, max(self._goal, talk.done))
        step, why = self._next()
        if step == "end" and not self._played:
            raise Unavailable(
                "This question has reached its cap.",
                f"{SAVED} Ask for the synthesis, or ask the question again with a higher cap.",
                code="mode_cap_reached",
            )
        if step == "synthesis":
            await self._synthesize(why)
        if step != "round":
            return False
        asks: dict[str, str] = {}
        for each in talk.fresh:
            if isinstance(each, AskInput):
                asks[each.seat] = "\n\n".join(filter(None, [asks.get(each.seat), each.text]))
        skips = [each for each in talk.fresh if isinstance(each, SkipInput) and each.seat is not None]
        talk.fresh = [*skips] if asks else []
        self._place, talk.round, self._played = 0, number, True
        absent = () if asks else {each.seat for each in skips}
        spoke = await self._play_round((ASKED,) if asks else self._strategy.moves, asks, absent)
        talk.done += not asks
        step, why = self._next()
        left_out = tuple(seat.name for seat in self._team.speakers if seat.name not in spoke)
        self._end_round("asked" if asks else "planned", left_out, step, why)
        return step != "end"

    def _next(self) -> tuple[Next, Why | None]:
        """Return what comes next, and why if the rounds end."""
        fresh = self.talk.fresh
        if any(isinstance(each, SynthesiseInput) for each in fresh):
            return "synthesis", "person"
        if cap := self._cap_reached(1):
            return "end", cap
        if any(isinstance(each, AskInput) for each in fresh):
            return "round", None
        if self._enough:
            return "synthesis", "moderator"
        if self.talk.done >= self._goal:
            return "synthesis", "rounds"
        if cap := self._cap_reached(FOR_ROUNDS):
            return "synthesis", cap
        return ("pause" if self._pauses and self._played else "round"), None

    def _cap_reached(self, share: float) -> Why | None:
        spent, tokens, dollars = self.talk.spent, self._brief.max_tokens, self._brief.max_cost_usd
        if tokens is not None and spent.tokens >= share * tokens:
            return "tokens"
        return "money" if dollars is not None and spent.cost_micros >= share * dollars * MICROS else None

    async def _play_round(
        self, moves: Sequence[Move], asks: Mapping[str, str], absent: Collection[str | None]
    ) -> set[str]:
        """Make the moves of a round; return the seats that were asked. Raises Unavailable if none answers."""
        spoke: set[str] = set()
        before, lead = len(self.talk.speeches), self._team.lead
        chosen, ask = tuple(asks), None
        for move in moves:
            if move.task == "choose":
                choice = await self._choose(absent)
                if choice is None:
                    break
                chosen, ask, self._enough = choice.chosen, choice.asks, choice.enough
                continue
            if move.opening and self.talk.has_spoken(lead.name):
                continue
            seats = [seat for seat in self._team.seats_for(move, chosen) if seat.name not in absent]
            for group in [[seat] for seat in seats] if move.in_turn else [seats]:
                if not group or self._cap_reached(1 if asks else FOR_ROUNDS):
                    continue
                spoke |= {seat.name for seat in group}
                await self._speak(group, move, asks or dict.fromkeys(chosen, ask or ""))
            if move.opening and not self.talk.has_spoken(lead.name):
                if lead.name in absent:
                    break
                raise _nobody(
                    f"The {self._team.roles[lead.name]} gave no answer, so the others have nothing to judge."
                )
        if spoke and not asks and len(self.talk.speeches) == before:
            raise _nobody(f"No member of the team gave an answer in round {self.talk.round}.")
        return spoke

    async def _speak(self, seats: Sequence[Seat], move: Move, asks: Mapping[str, str]) -> None:
        """Ask seats at once; announce each statement as soon as it ends."""
        tasks = {
            seat.name: move.again if move.again and self.talk.has_spoken(seat.name) else move.task
            for seat in seats
        }
        refs = {seat.name: f"{self.talk.round}.{self._place + place}" for place, seat in enumerate(seats, 1)}
        self._place += len(seats)
        context = self._context(
            self.talk.last_words() if self._strategy.hears == "last" else self.talk.speeches
        )
        speeches: dict[str, Speech] = {}

        def ended(reply: Reply) -> None:
            name = reply.seat.name
            speeches[name] = speech = make_speech(
                reply, refs[name], tasks[name], move.task, self._team, self.talk
            )
            self._stage.announce(notes.SAID, speech.statement, key=refs[name])
            if speech.statement.problem is None:
                # At once, since the turn may be stopped before the next round.
                self._stage.conclude(reply.seat, speech.text, revises=True)

        def asking(seat: Seat) -> Sequence[Message]:
            return self._messages(seat, member_prompt(context, tasks[seat.name], asks.get(seat.name)))

        await self._stage.ask_all(seats, asking, purpose=move.task, then=ended, tools=True)
        for seat in seats:
            self.talk.pay(speeches[seat.name].statement.spent)
            if speeches[seat.name].statement.problem is None:
                self.talk.speeches.append(speeches[seat.name])

    async def _choose(self, absent: Collection[str | None]) -> Choice | None:
        """Ask the moderator who speaks next; None if nobody can, or the cap is reached."""
        chair = self._team.chair
        candidates = [seat for seat in self._team.speakers if seat.name not in absent]
        if chair is None or not candidates or self._cap_reached(FOR_ROUNDS):
            return None
        reply = None
        if chair.name not in absent:
            asking = self._messages(chair, choice_prompt(self._context(self.talk.speeches)))
            reply = await self._stage.ask(chair, asking, purpose="choose")
            if reply.completed:
                self._stage.conclude(chair, reply.text, revises=True)
        choice = make_choice(reply, chair.name, self._team, candidates, self.talk)
        self.talk.pay(choice.spent)
        self._stage.announce(notes.CHOICE, choice)
        return choice

    async def _synthesize(self, why: Why | None) -> None:
        """Ask for the synthesis and announce it. Raises Unavailable."""
        if not self.talk.speeches:
            raise _nobody("Nobody has said anything about this question yet.")
        if why == "person":
            self._stage.extend(1 - FOR_ROUNDS)
        writer = self._team.writer
        asking = self._messages(writer, synthesis_prompt(self._context(self.talk.speeches), self._team))
        reply = await self._stage.ask(writer, asking, purpose="synthesis")
        if not reply.completed or not reply.text.strip():
            problem = f" {reply.error.title}" if reply.error else ""
            raise Unavailable(
                f"The {self._team.roles[writer.name]} could not write the synthesis.{problem}",
                f"{SAVED} Retry: only what is missing will be asked.",
                code="mode_without_synthesis",
            )
        synthesis = make_synthesis(reply, self._team, self.talk.speeches)
        self.talk.pay(synthesis.spent)
        self._stage.announce(notes.SYNTHESIS, synthesis)
        self._stage.conclude(writer, reply.text, revises=True)
        self._end_round("synthesis", (), "end", why)

    def _end_round(self, kind: RoundKind, left_out: tuple[str, ...], step: Next, why: Why | None) -> None:
        end = RoundEnd(
            kind=kind,
            left_out=left_out,
            done=self.talk.done,
            rounds=self._goal,
            next=step,
            why=why,
            spent=self.talk.spent,
        )
        self._stage.announce(notes.ROUND, end)

    def _context(self, speeches: Sequence[Speech]) -> str:
        talk = self.talk
        return context_of(self._stage.prompt, self._team, speeches, talk.words, talk.synthesis)

    def _messages(self, seat: Seat, prompt: str) -> Sequence[Message]:
        shared = "\n\n".join(filter(None, [self._brief.instructions, seat.settings.system_prompt]))
        system = Message("system", rules(self._team, seat.name, shared))
        return system, *self._stage.history(seat), Message("user", prompt)


def _cap_of(brief: TeamBrief) -> Cap:
    dollars = brief.max_cost_usd
    return Cap(tokens=brief.max_tokens, cost_micros=None if dollars is None else dollars * MICROS)


def _nobody(title: str) -> Unavailable:
    return Unavailable(title, f"{SAVED} Retry, or choose other models.", code="mode_without_members")
