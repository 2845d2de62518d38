"""The notes of a consortium, as the page reads them in JSON.

Seats have their names in the match ("a", "b", "arbiter"); offsets count code points. In a new play, a note replaces the
earlier one of the same name, round and key.
"""

from collections.abc import Mapping

import msgspec

from parley.kernel.errors import Problem
from parley.text.agreement.compare import Pair, Sentence
from parley.text.agreement.word_counts import WordCount

ANSWER = "consortium.answer/1"
LEFT_OUT = "consortium.left_out/1"
AGREEMENT = "consortium.agreement/1"
WORDS = "consortium.words/1"
RANKING = "consortium.ranking/1"
VERDICT = "consortium.verdict/1"
RESULT = "consortium.result/1"

JUDGED = "judged"
"""Key of the agreement that includes the arbiter's dissent."""


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """A note of one iteration; iterations count from 1."""

    iteration: int


class MemberAnswer(Note, frozen=True, kw_only=True):
    """A member's answer in a round; key = seat.

    `answer == text[answer_start:answer_end]` of the reply if it is a substring of it; else both are 0. `confidence` is
    null if none was given. `parsed` is false if no answer was marked: then the text outside of thoughts and confidence
    counts, or else the thoughts.
    """

    seat: str
    answer: str
    thought_process: str | None
    confidence: float | None
    parsed: bool
    answer_start: int
    answer_end: int


class LeftOut(Note, frozen=True, kw_only=True):
    """A member whose answer does not reach the arbiter in a round, and why; key = seat.

    It failed, gave no answer, or was outvoted (code "reply_outvoted"; then it has an answer note too).
    """

    seat: str
    problem: Problem


class Agreed(Note, frozen=True, kw_only=True):
    """The agreement of a round's answers; see `parley.text.agreement.compare`.

    Offsets of sentences count into the `answer` of the seat's answer note.
    """

    consensus: float | None
    pairs: tuple[Pair, ...]
    families: tuple[tuple[str, ...], ...]
    silent: tuple[str, ...]
    sentences: dict[str, tuple[Sentence, ...]]


class Words(Note, frozen=True, kw_only=True):
    """The most frequent words of each seat in a round."""

    seats: dict[str, tuple[WordCount, ...]]


class MeanRank(msgspec.Struct, frozen=True, kw_only=True):
    """A member's mean rank over all ballots; 1 is best."""

    seat: str
    mean_rank: float


class MemberBallot(msgspec.Struct, frozen=True, kw_only=True):
    """One judge's order of the others' answers, best first."""

    judge: str
    order: tuple[str, ...]


class Ranking(Note, frozen=True, kw_only=True):
    """The members in order, best first, and who leaves after the round.

    Without ballots they are ordered by their own confidence.
    """

    mean_ranks: tuple[MeanRank, ...]
    ballots: tuple[MemberBallot, ...]
    eliminated: tuple[str, ...]


class Verdict(Note, frozen=True, kw_only=True):
    """The arbiter's verdict on a round.

    `synthesis == text[synthesis_start:synthesis_end]` of its reply, else both are 0. If `parsed` is false, it is the
    raw text and `warning` says so. `settled` ends the turn before the last round. `shown` are the seats in the
    order in which the arbiter saw them: the first is its “Member 1”. `names` gives these names' seats, and `heading`
    is what the reply is called in a transcript.
    """

    synthesis: str
    reply_id: str = ""
    heading: str = ""
    names: Mapping[str, str] = {}
    confidence: float | None = None
    analysis: str = ""
    dissent: str = ""
    refinement_areas: tuple[str, ...] = ()
    needs_iteration: bool | None = None
    ranking: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    parsed: bool = True
    synthesis_start: int = 0
    synthesis_end: int = 0
    first_impression: str | None = None
    warning: str | None = None
    settled: bool = False


class ModelResponse(msgspec.Struct, frozen=True, kw_only=True):
    """One member's reply in the result and the export; `response` is its full text."""

    seat: str
    model: str
    instance: int
    response: str
    confidence: float | None
    cost_usd: float | None
    duration_ms: int | None
    input_tokens: int | None
    output_tokens: int | None


class Synthesis(msgspec.Struct, frozen=True, kw_only=True):
    """A verdict in the result, the export and the next round's prompt."""

    synthesis: str
    confidence: float | None
    analysis: str
    dissent: str
    needs_iteration: bool | None
    refinement_areas: tuple[str, ...]

    @classmethod
    def of(cls, verdict: Verdict) -> "Synthesis":
        """Return the part of a verdict that leaves the turn."""
        return msgspec.convert(verdict, cls, from_attributes=True)


class Iteration(Note, frozen=True, kw_only=True):
    """One round in the result and the export."""

    model_responses: tuple[ModelResponse, ...]
    synthesis: Synthesis


class Metadata(msgspec.Struct, frozen=True, kw_only=True):
    """The origin of a result. `timestamp` is when the turn began; costs are those of `Worth`."""

    models_used: tuple[str, ...]
    arbiter: str
    timestamp: str
    iteration_count: int
    config: Mapping[str, object]
    cost_usd: float | None
    unpriced: tuple[str, ...]
    duration_ms: int


class SingleMember(msgspec.Struct, frozen=True, kw_only=True):
    """The cost and time of the best member's first answer: as if it had been asked alone."""

    seat: str
    model: str
    cost_usd: float | None
    duration_ms: int


class Worth(msgspec.Struct, frozen=True, kw_only=True):
    """The cost and time of the consortium, compared with its best single member.

    The cost excludes replies of `unpriced` models, and is null if none has a price.
    """

    cost_usd: float | None
    unpriced: tuple[str, ...]
    duration_ms: int
    best_single: SingleMember | None


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a turn, as shown and exported; its top level is the last round."""

    original_prompt: str
    model_responses: tuple[ModelResponse, ...]
    synthesis: Synthesis
    iterations: tuple[Iteration, ...]
    metadata: Metadata
    settled: bool
    worth: Worth
    warnings: tuple[str, ...]
