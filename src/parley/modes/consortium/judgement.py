"""Judgement: from the arbiter's reply to the verdict of the round."""

from collections.abc import Mapping, Sequence

from parley.modes.consortium.brief import ConsortiumBrief
from parley.modes.consortium.notes import MemberAnswer, Verdict
from parley.modes.consortium.replies import ArbiterReading

UNREADABLE = (
    "The arbiter's reply is not in the requested format, so it is shown as received and counts as not "
    "settled."
)
BROKEN_OFF = "The arbiter's reply broke off, so it counts as not settled."
NO_RANKING = "The arbiter gave no ranking, so its own text is the answer."
NO_SYNTHESIS = "The arbiter only ranked the answers, so the best one is the answer."
NO_BALLOT = "No member's ranking could be read, so the arbiter saw no ranks."
ALONE = "Only one member answered in this round, so there was nothing to compare."


def judge(
    reading: ArbiterReading,
    *,
    number: int,
    reply_id: str,
    brief: ConsortiumBrief,
    shown: Sequence[str],
    answers: Mapping[str, MemberAnswer],
    complete: bool,
    alone: bool,
    unranked: bool = False,
) -> Verdict:
    """Return the verdict of a round.

    `shown` are the seats in the order in which the arbiter saw their answers; `complete`: its reply is complete;
    `alone`: all others failed; `unranked`: no ballot of the council counts. If the arbiter gives no confidence in the
    answer that it picked, that answer's own confidence counts; none is invented. If it says nothing of another round,
    the confidence and the threshold decide.
    """
    ranking = tuple(shown[place] for place in reading.ranking)
    picks = brief.judging_method != "default"
    best = answers[ranking[0]] if ranking and (picks or not reading.synthesis) else None
    confidence = best.confidence if best and reading.confidence is None else reading.confidence
    needs_more, undecided = reading.needs_iteration, reading.undecided
    if picks and ranking and needs_more is None:
        needs_more, undecided = False, False
    warnings = (
        (UNREADABLE, not reading.parsed),
        (BROKEN_OFF, not complete),
        (NO_RANKING, reading.parsed and picks and not ranking),
        (NO_SYNTHESIS, best is not None and not picks),
        (NO_BALLOT, unranked),
        (ALONE, alone),
    )
    sure = confidence is not None and confidence >= brief.confidence_threshold
    readable = reading.parsed and complete
    return Verdict(
        iteration=number,
        reply_id=reply_id,
        heading=f"Synthesis of round {number}",
        names={f"Member {place}": seat for place, seat in enumerate(shown, 1)},
        synthesis=best.answer if best else reading.synthesis,
        confidence=confidence,
        analysis=reading.analysis,
        dissent=reading.dissent,
        refinement_areas=reading.refinement_areas,
        needs_iteration=needs_more,
        ranking=ranking,
        shown=tuple(shown),
        parsed=reading.parsed,
        synthesis_start=0 if best else reading.start,
        synthesis_end=0 if best else reading.end,
        first_impression=reading.first_impression,
        warning=" ".join(text for text, holds in warnings if holds) or None,
        settled=readable and not (needs_more or undecided) and sure and number >= brief.minimum_iterations,
    )
