"""The consortium's script: members answer, an arbiter judges, until it is sure or the rounds are over."""

from collections.abc import Mapping, Sequence
from functools import partial

import msgspec

from parley.kernel.errors import Invalid, Problem, Unavailable
from parley.kernel.messages import Message
from parley.kernel.mode import Mode, Reply, Stage
from parley.kernel.outline import Outline
from parley.kernel.seats import Seat
from parley.modes.consortium import notes
from parley.modes.consortium.brief import SEATING, ConsortiumBrief
from parley.modes.consortium.judgement import judge
from parley.modes.consortium.notes import (
    Agreed,
    LeftOut,
    MeanRank,
    MemberAnswer,
    MemberBallot,
    Ranking,
    Verdict,
    Words,
)
from parley.modes.consortium.outline import outline
from parley.modes.consortium.prompts import Shown, arbiter_prompt, council_prompt
from parley.modes.consortium.replies import read_arbiter, read_member, read_order, readable
from parley.modes.consortium.result import make_result
from parley.modes.consortium.rounds import Round, instances, member_messages, verdicts
from parley.modes.consortium.strategies import (
    LEAST_COUNCIL,
    by_confidence,
    largest_group,
    leaving,
    mean_ranks,
)
from parley.text.agreement.compare import compare
from parley.text.agreement.word_counts import count_words

MOST_COMPARED = 20_000
"""Only this many code points of an answer are compared."""

WITHOUT_ANSWER = Problem(
    code="reply_without_answer",
    title="This member gave no answer.",
    detail="Its reply is saved as received. The other members continue.",
)
OUTVOTED = Problem(
    code="reply_outvoted",
    title="Outside the largest group of similar answers. The arbiter does not see this answer in this round.",
)


class Consortium(Mode[ConsortiumBrief]):
    """Several models answer in rounds, and an arbiter concludes."""

    name = "consortium"
    title = "Consortium"
    summary = "Models answer together, an arbiter concludes"
    brief = ConsortiumBrief
    seating = SEATING
    inputs = frozenset({"prompt", "continue"})
    voice = "arbiter"

    async def play(self, stage: Stage, brief: ConsortiumBrief) -> None:
        """Play rounds until the arbiter is confident. Raises Unavailable if no member, or not the arbiter, answers."""
        rounds: list[Round] = []
        members = stage.role("member")
        for number in stage.rounds(brief.max_iterations):
            this = Round(number, members)
            rounds.append(this)
            await _ask_members(stage, brief, this, rounds[:-1])
            # The arbiter need not wait for figures that it does not read.
            judging = _ask_judges(stage, brief, this, rounds[:-1])
            order, reply = await stage.beside(judging, _announce_agreement(stage, this))
            verdict = _judge(stage, brief, this, order, reply)
            if verdict.dissent:
                await _announce_agreement(stage, this, verdict.dissent)
            stage.conclude(stage.role("arbiter")[0], verdict.synthesis, revises=True)
            gone = _rank(stage, brief, rounds)
            members = tuple(seat for seat in members if seat.name not in gone)
            if verdict.settled:
                break
        stage.announce(notes.RESULT, make_result(stage, brief, rounds))

    def check(self, brief: ConsortiumBrief, seats: Sequence[Seat]) -> None:
        """Raise Invalid if a role is given to a seat that is not a member's."""
        members = [seat.name for seat in seats if seat.role == "member"]
        for name in brief.roles or {}:
            if name not in members:
                raise Invalid(
                    f"brief.roles.{name}",
                    f"brief.roles.{name}: there is no member seat “{name}”.",
                    f"The member seats are {', '.join(members)}.",
                )

    def outline(self, brief: ConsortiumBrief, seats: Sequence[Seat]) -> Outline:
        """Return the calls that a turn will make."""
        return outline(brief, seats)

    def readable(self, text: str) -> str:
        """Return the answer in a reply, with the arbiter's dissent below."""
        return readable(text)


async def _ask_members(stage: Stage, brief: ConsortiumBrief, this: Round, past: Sequence[Round]) -> None:
    """Ask all members at once; announce each answer as soon as it ends. Raises Unavailable.

    A member's conversation keeps its answer, the arbiter's its synthesis, both without the tags around them.
    """

    def announce(reply: Reply) -> None:
        seat = reply.seat.name
        reading = read_member(reply.text) if reply.completed else None
        if reading is None or not reading.answer:
            problem = WITHOUT_ANSWER if reading else reply.error or WITHOUT_ANSWER
            left_out = LeftOut(iteration=this.number, seat=seat, problem=problem)
            stage.announce(notes.LEFT_OUT, left_out, key=seat)
            return
        this.answers[seat] = MemberAnswer(
            iteration=this.number,
            seat=seat,
            answer=reading.answer,
            thought_process=reading.thought_process,
            confidence=reading.confidence,
            parsed=reading.parsed,
            answer_start=reading.start,
            answer_end=reading.end,
        )
        stage.announce(notes.ANSWER, this.answers[seat], key=seat)
        # At once, since the turn may be stopped before the verdict.
        stage.conclude(reply.seat, reading.answer, revises=True)

    replies = await stage.ask_all(
        this.members, lambda seat: member_messages(stage, brief, seat, past), then=announce
    )
    this.replies = {reply.seat.name: reply for reply in replies}
    this.answers = {name: this.answers[name] for name in this.replies if name in this.answers}
    if not this.answers:
        raise Unavailable(
            f"No member of the consortium gave an answer in round {this.number}, so it can't continue.",
            "Replies so far are saved. Ask again, or choose other models.",
            code="mode_without_members",
        )


async def _announce_agreement(stage: Stage, this: Round, dissent: str = "") -> None:
    """Announce what the answers have in common; once more if the arbiter names a dissent."""
    texts = {
        seat.name: this.answers[seat.name].answer if seat.name in this.answers else ""
        for seat in this.members
    }
    answers = {seat: answer[:MOST_COMPARED] for seat, answer in texts.items()}
    cards = {seat.name: stage.card(seat) for seat in this.members}
    # Of an unknown family a model is only related to itself.
    families = {seat: card.family.casefold() or card.id for seat, card in cards.items() if card is not None}
    agreement = await stage.compute(partial(compare, answers, families=families, dissent=dissent))
    agreed = Agreed(iteration=this.number, **msgspec.structs.asdict(agreement))
    stage.announce(notes.AGREEMENT, agreed, key=notes.JUDGED if dissent else "")
    if not dissent:
        confidences = {seat: answer.confidence for seat, answer in this.answers.items()}
        words = await stage.compute(count_words, {seat: answers[seat] for seat in this.answers}, confidences)
        stage.announce(notes.WORDS, Words(iteration=this.number, seats=words))


async def _ask_council(stage: Stage, this: Round) -> None:
    """Ask each member to rank the others' answers, without names and in a random order.

    It gets its conversation of earlier turns, but nothing of this turn.
    """
    judges = [seat for seat in this.members if seat.name in this.answers]
    if len(judges) < LEAST_COUNCIL:
        return
    shown: dict[str, list[str]] = {}
    for seat in judges:
        others = [name for name in this.answers if name != seat.name]
        shown[seat.name] = stage.random(f"council:{seat.name}").sample(others, len(others))
    this.ballots = tuple(
        await stage.ask_all(
            judges,
            lambda seat: (
                *stage.history(seat),
                Message("user", council_prompt(stage.prompt, _shown(this, shown[seat.name], {}, None))),
            ),
            purpose="ranking",
        )
    )
    ballots: list[MemberBallot] = []
    for reply in this.ballots:
        offered = shown[reply.seat.name]
        order = read_order(reply.text, len(offered)) if reply.completed else ()
        if order:
            ballots.append(
                MemberBallot(judge=reply.seat.name, order=tuple(offered[place] for place in order))
            )
    this.ranking = Ranking(
        iteration=this.number,
        mean_ranks=mean_ranks(ballots, tuple(this.answers)),
        ballots=tuple(ballots),
        eliminated=(),
    )
    stage.announce(notes.RANKING, this.ranking)


async def _ask_judges(
    stage: Stage, brief: ConsortiumBrief, this: Round, past: Sequence[Round]
) -> tuple[Sequence[str], Reply]:
    """Ask the council, if there is one, and the arbiter.

    Return the seats in the order in which the arbiter saw their answers, and its reply.
    """
    if brief.strategy == "council":
        await _ask_council(stage, this)
    (arbiter,) = stage.role("arbiter")
    names = await _select_candidates(stage, brief, this)
    order = stage.random("order").sample(names, len(names))
    models = {seat.name: seat.model_id for seat in this.members} if brief.reveal_names else {}
    asking = arbiter_prompt(
        stage.prompt,
        brief.system_prompt,
        _shown(this, order, models, stage.role("member")),
        verdicts(past),
        judging=brief.judging_method,
        ranked=brief.strategy == "elimination",
    )
    messages = (*stage.history(arbiter), Message("user", asking))
    this.judged = reply = await stage.ask(arbiter, messages, purpose="synthesis")
    return order, reply


def _judge(stage: Stage, brief: ConsortiumBrief, this: Round, order: Sequence[str], reply: Reply) -> Verdict:
    """Announce the verdict in the arbiter's reply about answers in this order. Raises Unavailable if it has none."""
    reading = read_arbiter(reply.text, len(order))
    if not reply.completed and not (reading.parsed and reading.synthesis):
        why = f" {reply.error.title}" if reply.error else ""
        raise Unavailable(
            f"The arbiter could not judge round {this.number}.{why}",
            "The members' answers are saved. Ask again: Parley asks only for what is missing.",
            code="mode_without_arbiter",
        )
    alone = len(this.answers) == 1 < len(this.members)
    this.verdict = judge(
        reading,
        number=this.number,
        reply_id=reply.id,
        brief=brief,
        shown=order,
        answers=this.answers,
        complete=reply.completed and not reply.cut_off,
        alone=alone,
        unranked=this.ranking is not None and not this.ranking.ballots,
    )
    stage.announce(notes.VERDICT, this.verdict)
    return this.verdict


async def _select_candidates(stage: Stage, brief: ConsortiumBrief, this: Round) -> tuple[str, ...]:
    """Return the seats whose answers go to the arbiter; announce those that were outvoted."""
    if brief.strategy != "voting" or len(this.answers) < 2:
        return tuple(this.answers)
    texts = {seat: answer.answer[:MOST_COMPARED] for seat, answer in this.answers.items()}
    candidates = await stage.compute(largest_group, texts, brief.similarity_threshold)
    for seat in this.answers:
        if seat not in candidates:
            stage.announce(
                notes.LEFT_OUT, LeftOut(iteration=this.number, seat=seat, problem=OUTVOTED), key=seat
            )
    return candidates


def _rank(stage: Stage, brief: ConsortiumBrief, rounds: Sequence[Round]) -> tuple[str, ...]:
    """Announce the last round's ranking, if there is one; return the seats that leave."""
    this = rounds[-1]
    if this.verdict is None or this.ranking is not None:
        return ()
    ballot = this.verdict.ranking
    eliminating = brief.strategy == "elimination"
    if not ballot and not eliminating:
        return ()
    confidences = {
        seat.name: [past.answers[seat.name].confidence for past in rounds if seat.name in past.answers]
        for seat in this.members
    }
    silent = tuple(seat.name for seat in this.members if seat.name not in this.answers)
    unranked = tuple(seat for seat in this.answers if seat not in ballot)
    rest = by_confidence(unranked, confidences)
    order = (*ballot, *(rest or unranked)) if ballot else rest
    goes_on = not this.verdict.settled and this.number < brief.max_iterations
    due = eliminating and goes_on and this.number >= brief.elimination_delay
    gone = leaving((*order, *silent), brief) if due and order else ()
    this.ranking = Ranking(
        iteration=this.number,
        mean_ranks=tuple(
            MeanRank(seat=seat, mean_rank=float(place)) for place, seat in enumerate(ballot or order, 1)
        ),
        ballots=(MemberBallot(judge="arbiter", order=ballot),) if ballot else (),
        eliminated=gone,
    )
    stage.announce(notes.RANKING, this.ranking)
    return gone


def _shown(
    this: Round, order: Sequence[str], models: Mapping[str, str], members: Sequence[Seat] | None
) -> list[Shown]:
    """Return answers as a judge sees them: numbered, or with the names in `models`."""
    ranks = {mean.seat: mean.mean_rank for mean in this.ranking.mean_ranks} if this.ranking else {}
    numbers = instances(members) if models and members else {}
    return [
        Shown(
            name=models.get(seat, f"Member {place}"),
            instance=numbers.get(seat, 1),
            confidence=this.answers[seat].confidence,
            response=this.answers[seat].answer,
            mean_rank=ranks.get(seat),
        )
        for place, seat in enumerate(order, 1)
    ]
