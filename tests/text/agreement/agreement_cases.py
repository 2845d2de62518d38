"""Hand-made answers with what is expected of them, and what the analysis makes of each."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from parley.text.agreement.compare import Agreement, Sentence, compare

FOLDER = Path(__file__).parents[2] / "fixtures" / "agreement"


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    case: str
    group: str
    answers: dict[str, str]
    expect: list[dict[str, str]]
    """Seat → the beginning of a sentence (one or two of them), and `kind`."""
    contradicted: int | None = None
    """The sentences of all answers that contradict another one; None where nobody counted."""


class Outcome(NamedTuple):
    case: Case
    expectation: dict[str, str]
    found: str

    @property
    def right(self) -> bool:
        return self.found == self.expectation["kind"]

    @property
    def misleads(self) -> bool:
        """A contradiction that is none, an agreement that is none, or one that is taken for the other."""
        return not self.right and self.found != "one"


def cases(name: str) -> list[Case]:
    return msgspec.yaml.decode((FOLDER / name).read_bytes(), type=list[Case])


def outcomes(name: str) -> Iterator[Outcome]:
    for case in cases(name):
        agreement = compare(case.answers, families={})
        for expectation in case.expect:
            yield Outcome(case, expectation, found(case, agreement, expectation))
        if case.contradicted is not None:
            marks = [mark.kind for marks in agreement.sentences.values() for mark in marks]
            yield Outcome(
                case,
                {"kind": f"{case.contradicted} contradicted"},
                f"{marks.count('number')} contradicted",
            )


def found(case: Case, agreement: Agreement, expectation: dict[str, str]) -> str:
    """The kind of the sentences, or `one` where they are not in one group. Another number is a contradiction."""
    marked = [
        sentence_at(case.answers[seat], agreement.sentences[seat], beginning)
        for seat, beginning in expectation.items()
        if seat != "kind"
    ]
    kinds = {"contradicted" if sentence.kind == "number" else sentence.kind for sentence in marked}
    together = len({sentence.group for sentence in marked}) == 1 and marked[0].group is not None
    if len(marked) == 1 or (together and len(kinds) == 1):
        return kinds.pop()
    if "contradicted" in kinds:
        return "contradicted" if together else "contradicted apart"
    return "apart" if together else "one"


def sentence_at(text: str, sentences: tuple[Sentence, ...], beginning: str) -> Sentence:
    place = text.index(beginning)
    return next(sentence for sentence in sentences if sentence.start <= place < sentence.end)


def report(name: str) -> dict[str, tuple[int, int, int]]:
    """Group → expectations, those not met, and those of them that mislead."""
    figures: dict[str, tuple[int, int, int]] = {}
    for outcome in outcomes(name):
        for group in (outcome.case.group, "all"):
            total, wrong, misleads = figures.get(group, (0, 0, 0))
            figures[group] = (total + 1, wrong + (not outcome.right), misleads + outcome.misleads)
    return figures
