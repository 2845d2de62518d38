"""A file of questions with known answers, and how a reply is checked against them."""

import math
import re
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from parley.kernel.errors import Invalid
from parley.text.folding import folded
from parley.text.plain_words import in_plain_words

MAX_QUESTION_CHARS = 20_000
MAX_ANSWER_CHARS = 2_000
"""The part of a final answer that is compared: the search for it takes the square of that."""

FORM = "\n\nEnd with a line that says only “Answer:” and your final answer."
"""The addition to a question that has an `answer`."""

_LABELLED = re.compile(
    r"\banswer(?:[\s*_]*[:：]|\s+is\b[\s*_]*[:：]?)[\s*_]*(\S.*)$", re.IGNORECASE | re.MULTILINE
)
_NOISE = re.compile(r"\s*\[\d+\.\d+[^\[\]\n]*\]|\\(?:boxed|text|mathrm|mathbf)\b")
"""References such as [1.2 Critic], which a team adds, and LaTeX around an answer."""
_CHOICE = re.compile(r"[\W_]*(?:(?:option|choice)\s+)?[\W_]*([a-z])(?:\s*[^\w\s'’]|_|\s*$)", re.IGNORECASE)
_NUMBER = re.compile(r"[-−]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?")
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")


def _said(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    return text.strip()


def _plain(value: object) -> object:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


def _compiled(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"is not a regular expression: {error}") from None
    return pattern


Said = Annotated[str, AfterValidator(_said)]


class Question(BaseModel):
    """One line. What it has of `answer`, `contains` and `pattern` must all hold; without any, a judge decides."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    question: Annotated[Said, Field(max_length=MAX_QUESTION_CHARS)]
    answer: Annotated[Said | None, BeforeValidator(_plain)] = None
    contains: Annotated[list[Said] | None, BeforeValidator(_listed), Field(min_length=1)] = None
    pattern: Annotated[Said, AfterValidator(_compiled)] | None = None

    @property
    def prompt(self) -> str:
        """The question as it is sent."""
        return self.question + (FORM if self.answer is not None else "")

    @property
    def checked(self) -> bool:
        """True if the line says what is right."""
        return any(each is not None for each in (self.answer, self.contains, self.pattern))

    def is_right(self, reply: str) -> bool:
        """Return whether a reply passes all checks of the line."""
        return (
            (self.answer is None or _equal(self.answer, final_answer(reply)))
            and all(folded(part) in folded(reply) for part in self.contains or ())
            and (self.pattern is None or re.search(self.pattern, reply, re.MULTILINE) is not None)
        )


def read_questions(file: Path, *, limit: int | None, judged: bool) -> list[Question]:
    """Return the questions of a file in JSON Lines.

    Raises Invalid with file, line and field if it can't be read, a line is bad or asks what an earlier one asks, or if
    a line has no check and nothing is `judged`.
    """
    try:
        lines = file.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise Invalid("questions", f"Can't read {file}: {reason}.", "Nothing was asked.") from None
    questions: dict[str, Question] = {}
    for number, line in enumerate(lines, 1):
        if line.strip() and (limit is None or len(questions) < limit):
            try:
                question = Question.model_validate_json(line)
                if question.prompt in questions:
                    raise ValueError("question is in an earlier line too")
                if not judged and not question.checked:
                    raise ValueError("answer, contains or pattern is required without --judge")
            except ValueError as error:
                fault = _fault(error.errors()[0]) if isinstance(error, ValidationError) else str(error)
                title = f"{file.name}, line {number}: {fault}."
                raise Invalid("questions", title, "Nothing was asked.") from None
            questions[question.prompt] = question
    if not questions:
        raise Invalid("questions", f"{file.name} has no questions.", "Nothing was asked.")
    return list(questions.values())


def final_answer(reply: str) -> str:
    """Return what follows the last “answer:” or “answer is” of a reply on its line, else the last line."""
    labelled = _LABELLED.findall(reply)
    lines = [line for line in reply.splitlines() if line.strip()]
    last = labelled[-1] if labelled else lines[-1] if lines else ""
    return _NOISE.sub("", last[:MAX_ANSWER_CHARS]).strip()


def _equal(expected: str, answer: str) -> bool:
    """Compare a choice by its letter, a number by its value, a text without case, spacing and punctuation around."""
    if re.fullmatch("[A-Za-z]", expected):
        choice = _CHOICE.match(answer)
        return choice is not None and choice[1].upper() == expected.upper()
    wanted = _number(expected)
    if wanted is not None:
        number = _NUMBER.search(answer)
        value = _number(number[0]) if number else None
        return value is not None and math.isclose(value, wanted, rel_tol=1e-9)
    wanted_text, text = (folded(_EDGES.sub("", each)) for each in (expected, answer))
    return text == wanted_text or re.match(re.escape(wanted_text) + r"[\W_]*[.,;:!?()]", text) is not None


def _number(text: str) -> float | None:
    if not _NUMBER.fullmatch(text):
        return None
    return float(text.replace(",", "").replace("−", "-"))


def _fault(error: Any) -> str:
    if error["type"] == "json_invalid":
        return "is not a JSON object"
    field = ".".join(map(str, error["loc"]))
    return f"{field} {in_plain_words(error, list(Question.model_fields))}" if field else in_plain_words(error)
