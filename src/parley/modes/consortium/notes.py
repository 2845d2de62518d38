"""What a consortium announces: one value per note, JSON as the page reads it.

Seats are named as in the match ("a", "b", "arbiter"); offsets count code points. A note of a round that
is played again replaces the earlier one of the same name, round and key.
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
"""Key of the agreement that also knows the arbiter's dissent."""


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """A note of one iteration; iterations count from 1."""

    iteration: int


class Answer(Note, frozen=True, kw_only=True):
    """What a member's reply of a round says; key = seat.

    `answer == text[answer_start:answer_end]` of the reply where it stands there whole; else both are 0.
    `confidence` is null where none was given. `parsed` is false where no answer was marked: what
    stands outside of thoughts and confidence counts then, else the thoughts.
    """

    seat: str
    answer: str
    thought_process: str | None
    confidence: float | None
    parsed: bool
    answer_start: int
    answer_end: int


class LeftOut(Note, frozen=True, kw_only=True):
    """A member whose answer does not go to the arbiter in a round, and why; key = seat. The scene goes on.

    It failed, said nothing, or was outvoted (`problem.code` is then "reply_outvoted", and it has an answer note too).
    """

    seat: str
    problem: Problem


class Agreed(Note, frozen=True, kw_only=True):
    """What the answers of a round have in common; see `parley.text.agreement.compare`.

    Offsets of sentences count into the `answer` of the seat's answer note.
    """

    consensus: float | None
    pairs: tuple[Pair, ...]
    families: tuple[tuple[str, ...], ...]
    silent: tuple[str, ...]
    sentences: dict[str, tuple[Sentence, ...]]


class Words(Note, frozen=True, kw_only=True):
    """The words that each seat uses most in a round."""

    seats: dict[str, tuple[WordCount, ...]]


class MeanRank(msgspec.Struct, frozen=True, kw_only=True):
    """Where a member stands on the average of all ballots; 1 is best."""

    seat: str
    mean_rank: float


class Ballot(msgspec.Struct, frozen=True, kw_only=True):
    """One judge's order of the others' answers, best first."""

    judge: str
    order: tuple[str, ...]


class Ranking(Note, frozen=True, kw_only=True):
    """Who stands where in a round, best first, and who leaves after it.

    Without ballots the order is that of the members' own confidence.
    """

    mean_ranks: tuple[MeanRank, ...]
    ballots: tuple[Ballot, ...]
    eliminated: tuple[str, ...]


class Verdict(Note, frozen=True, kw_only=True):
    """What the arbiter says of a round.

    `synthesis == text[synthesis_start:synthesis_end]` of its reply, else both are 0. Where `parsed` is false the
    synthesis is its raw text and `warning` says so. `settled` ends the turn before the last round. `shown` are the
    seats in the order in which the arbiter saw them: the first is the one that it calls Member 1.
    """

    synthesis: str
    confidence: float | None
    analysis: str
    dissent: str
    refinement_areas: tuple[str, ...]
    needs_iteration: bool | None
    ranking: tuple[str, ...]
    shown: tuple[str, ...]
    parsed: bool
    synthesis_start: int
    synthesis_end: int
    first_impression: str | None
    warning: str | None
    settled: bool


class ModelResponse(msgspec.Struct, frozen=True, kw_only=True):
    """One member's reply as the result and the export show it; `response` is its whole text."""

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
    """A verdict as the result and the export show it."""

    synthesis: str
    confidence: float | None
    analysis: str
    dissent: str
    needs_iteration: bool | None
    refinement_areas: tuple[str, ...]


class Iteration(Note, frozen=True, kw_only=True):
    """One round as the result and the export show it."""

    model_responses: tuple[ModelResponse, ...]
    synthesis: Synthesis


class Metadata(msgspec.Struct, frozen=True, kw_only=True):
    """How a result came about. `timestamp` is when the turn began; the cost is as in `Worth`."""

    models_used: tuple[str, ...]
    arbiter: str
    timestamp: str
    iteration_count: int
    config: Mapping[str, object]
    cost_usd: float | None
    unpriced: tuple[str, ...]
    duration_ms: int


class SingleMember(msgspec.Struct, frozen=True, kw_only=True):
    """What the member that stood best took for its first answer of the turn: as much as if it had been asked alone."""

    seat: str
    model: str
    cost_usd: float | None
    duration_ms: int


class Worth(msgspec.Struct, frozen=True, kw_only=True):
    """What the consortium took, beside its best single member.

    The cost is that of all replies but those of the `unpriced` models, and null where it is known of none.
    """

    cost_usd: float | None
    unpriced: tuple[str, ...]
    duration_ms: int
    best_single: SingleMember | None


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """The end of a turn, as shown and exported; the last round's answers and synthesis stand on top."""

    original_prompt: str
    model_responses: tuple[ModelResponse, ...]
    synthesis: Synthesis
    iterations: tuple[Iteration, ...]
    metadata: Metadata
    settled: bool
    worth: Worth
    warnings: tuple[str, ...]
