"""The consortium's script: members answer, an arbiter judges, until it is sure or the rounds are over."""

from collections.abc import Mapping, Sequence

import msgspec

from parley.kernel.errors import Invalid, Problem, Unavailable
from parley.kernel.messages import Message
from parley.kernel.mode import Mode, Reply, Stage
from parley.kernel.outline import Outline
from parley.kernel.seats import Seat
from parley.modes.consortium import notes
from parley.modes.consortium.brief import ConsortiumBrief
from parley.modes.consortium.judgement import judge
from parley.modes.consortium.notes import Agreed, Answer, Ballot, LeftOut, MeanRank, Ranking, Verdict, Words
from parley.modes.consortium.outline import outline
from parley.modes.consortium.prompts import Shown, arbiter_prompt, council_prompt
from parley.modes.consortium.replies import read_arbiter, read_member, read_order
from parley.modes.consortium.result import make_result
from parley.modes.consortium.rounds import Round, instances, member_messages, verdicts
from parley.modes.consortium.seats import SEATING
from parley.modes.consortium.strategies import LEAST_COUNCIL, by_confidence, leaving, mean_ranks, voted
from parley.text.agreement.compare import Agreement, compare
from parley.text.agreement.word_counts import count_words

MOST_COMPARED = 20_000
"""Of longer answers this many code points are compared."""

WITHOUT_ANSWER = Problem(
    code="reply_without_answer",
    title="This member gave no answer.",
    detail="Its reply is kept as it came; the others go on.",
)
OUTVOTED = Problem(
    code="reply_outvoted",
    title="This answer is unlike those of the largest group, so the arbiter does not see it in this round.",
)


class Consortium(Mode[ConsortiumBrief]):
    """Several models answer in rounds, and an arbiter writes what they know together."""

    name = "consortium"
    title = "Consortium"
    summary = "Models answer together, an arbiter concludes"
    brief = ConsortiumBrief
    seating = SEATING
    inputs = frozenset({"prompt", "continue"})
    voice = "arbiter"

    async def play(self, stage: Stage, brief: ConsortiumBrief) -> None:
        """Play rounds until the arbiter is sure enough. Raises Unavailable where nobody is left, or no arbiter."""
        rounds: list[Round] = []
        members = stage.role("member")
        for number in stage.rounds(brief.max_iterations):
            this = Round(number, members)
            rounds.append(this)
            await _hear_members(stage, brief, this, rounds[:-1])
            await _announce_agreement(stage, this)
            if brief.strategy == "council":
                await _hear_council(stage, this)
            verdict = await _hear_arbiter(stage, brief, this, rounds[:-1])
            if verdict.dissent:
                await _announce_agreement(stage, this, verdict.dissent)
            stage.conclude(stage.role("arbiter")[0], verdict.synthesis, revises=True)
            gone = _rank(stage, brief, rounds)
            members = tuple(seat for seat in members if seat.name not in gone)
            if verdict.settled:
                break
        stage.announce(notes.RESULT, make_result(stage, brief, rounds))

    def check(self, brief: ConsortiumBrief, seats: Sequence[Seat]) -> None:
        """Raise Invalid where a part is given to a seat at which no member sits."""
        members = [seat.name for seat in seats if seat.role == "member"]
        for name in brief.roles or {}:
            if name not in members:
                raise Invalid(
                    f"brief.roles.{name}",
                    f"brief.roles.{name}: no member sits at “{name}”.",
                    f"The members sit at {', '.join(members)}.",
                )

    def outline(self, brief: ConsortiumBrief, seats: Sequence[Seat]) -> Outline:
        """Tell which calls a turn will take."""
        return outline(brief, seats)


async def _hear_members(stage: Stage, brief: ConsortiumBrief, this: Round, past: Sequence[Round]) -> None:
    """Let the members answer at once; each answer is told as soon as it is there. Raises Unavailable.

    A member's conversation keeps its answer, the arbiter's its synthesis, both without the forms.
    """

    def told(reply: Reply) -> None:
        seat = reply.seat.name
        reading = read_member(reply.text) if reply.completed else None
        if reading is None or not reading.answer:
            problem = WITHOUT_ANSWER if reading else reply.error or WITHOUT_ANSWER
            left_out = LeftOut(iteration=this.number, seat=seat, problem=problem)
            stage.announce(notes.LEFT_OUT, left_out, key=seat)
            return
        this.answers[seat] = Answer(
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
        # At once: the turn may be stopped before it is judged.
        stage.conclude(reply.seat, reading.answer, revises=True)

    heard = await stage.ask_all(this.asked, lambda seat: member_messages(stage, brief, seat, past), then=told)
    this.replies = {reply.seat.name: reply for reply in heard}
    this.answers = {name: this.answers[name] for name in this.replies if name in this.answers}
    if not this.answers:
        raise Unavailable(
            f"No member of the consortium gave an answer in round {this.number}, so it cannot go on.",
            "What had come is kept. Ask again, or choose other models.",
            code="mode_without_members",
        )


async def _announce_agreement(stage: Stage, this: Round, dissent: str = "") -> None:
    """Tell what the answers have in common, once more where the arbiter names a dissent."""
    said = {
        seat.name: this.answers[seat.name].answer if seat.name in this.answers else "" for seat in this.asked
    }
    answers = {seat: answer[:MOST_COMPARED] for seat, answer in said.items()}
    cards = {seat.name: stage.card(seat) for seat in this.asked}
    families = {seat: card.family for seat, card in cards.items() if card is not None}
    found = await stage.compute(_compare, answers, families, dissent)
    agreed = Agreed(iteration=this.number, **msgspec.structs.asdict(found))
    stage.announce(notes.AGREEMENT, agreed, key=notes.JUDGED if dissent else "")
    if not dissent:
        confidences = {seat: answer.confidence for seat, answer in this.answers.items()}
        words = await stage.compute(count_words, {seat: answers[seat] for seat in this.answers}, confidences)
        stage.announce(notes.WORDS, Words(iteration=this.number, seats=words))


async def _hear_council(stage: Stage, this: Round) -> None:
    """Let each member rank the others' answers, which come without names and in another order for each.

    It knows what was said in earlier turns, without which a question may say little, and nothing of this turn's own.
    """
    judges = [seat for seat in this.asked if seat.name in this.answers]
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
    ballots: list[Ballot] = []
    for reply in this.ballots:
        offered = shown[reply.seat.name]
        order = read_order(reply.text, len(offered)) if reply.completed else ()
        if order:
            ballots.append(Ballot(judge=reply.seat.name, order=tuple(offered[place] for place in order)))
    this.ranking = Ranking(
        iteration=this.number,
        mean_ranks=mean_ranks(ballots, tuple(this.answers)),
        ballots=tuple(ballots),
        eliminated=(),
    )
    stage.announce(notes.RANKING, this.ranking)


async def _hear_arbiter(stage: Stage, brief: ConsortiumBrief, this: Round, past: Sequence[Round]) -> Verdict:
    """Let the arbiter judge the answers, in an order that tells nothing. Raises Unavailable."""
    (arbiter,) = stage.role("arbiter")
    names = await _candidates(stage, brief, this)
    order = stage.random("order").sample(names, len(names))
    models = {seat.name: seat.model_id for seat in this.asked} if brief.reveal_names else {}
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
    reading = read_arbiter(reply.text, len(order))
    if not reply.completed and not (reading.parsed and reading.synthesis):
        why = f" {reply.error.title}" if reply.error else ""
        raise Unavailable(
            f"The arbiter could not judge round {this.number}.{why}",
            "The members' answers are kept. Ask again: only what is missing will be asked.",
            code="mode_without_arbiter",
        )
    alone = len(this.answers) == 1 < len(this.asked)
    this.verdict = judge(
        reading,
        number=this.number,
        brief=brief,
        shown=order,
        answers=this.answers,
        whole=reply.completed and not reply.cut_off,
        alone=alone,
        unranked=this.ranking is not None and not this.ranking.ballots,
    )
    stage.announce(notes.VERDICT, this.verdict)
    return this.verdict


async def _candidates(stage: Stage, brief: ConsortiumBrief, this: Round) -> tuple[str, ...]:
    """Return whose answers go to the arbiter; tells who was outvoted."""
    if brief.strategy != "voting" or len(this.answers) < 2:
        return tuple(this.answers)
    said = {seat: answer.answer[:MOST_COMPARED] for seat, answer in this.answers.items()}
    kept = await stage.compute(voted, said)
    for seat in this.answers:
        if seat not in kept:
            stage.announce(
                notes.LEFT_OUT, LeftOut(iteration=this.number, seat=seat, problem=OUTVOTED), key=seat
            )
    return kept


def _rank(stage: Stage, brief: ConsortiumBrief, rounds: Sequence[Round]) -> tuple[str, ...]:
    """Tell the ranking of the last round, where there is one, and return who leaves the consortium."""
    this = rounds[-1]
    if this.verdict is None or this.ranking is not None:
        return ()
    ballot = this.verdict.ranking
    eliminating = brief.strategy == "elimination"
    if not ballot and not eliminating:
        return ()
    confidences = {
        seat.name: [past.answers[seat.name].confidence for past in rounds if seat.name in past.answers]
        for seat in this.asked
    }
    silent = tuple(seat.name for seat in this.asked if seat.name not in this.answers)
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
        ballots=(Ballot(judge="arbiter", order=ballot),) if ballot else (),
        eliminated=gone,
    )
    stage.announce(notes.RANKING, this.ranking)
    return gone


def _shown(
    this: Round, order: Sequence[str], models: Mapping[str, str], members: Sequence[Seat] | None
) -> list[Shown]:
    """Return answers as a judge sees them: numbered, and by their models' names where `models` gives them."""
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


def _compare(answers: dict[str, str], families: dict[str, str], dissent: str) -> Agreement:
    return compare(answers, families=families, dissent=dissent)
