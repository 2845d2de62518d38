"""The built-in checks that ask nobody: texts, numbers, JSON, likeness, tools, limits of time and cost."""

import asyncio
import math
import re
from collections.abc import Mapping

from parley.features.lab.checks import patterns, refusals, schemas
from parley.features.lab.checks.contract import (
    Bleu,
    CallsTool,
    CheckedAnswer,
    Chrf,
    Contains,
    Cost,
    Equals,
    JsonSchema,
    Language,
    Latency,
    Length,
    Number,
    Refusal,
    Regex,
    RougeL,
    Similarity,
    StartsWith,
    Unit,
    Verdict,
)
from parley.features.lab.checks.filling import as_text, fill
from parley.text.categories.language import detect

MAX_COMPARED_CHARS = 20_000
SHOWN_CHARS = 80
MICROS = 1_000_000

_NUMBER = re.compile(r"[-+−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d{1,3})?|[-+−]?\.\d+")
_WORD = re.compile(r"\w+")


def decided(passed: bool, reason: str, score: float | None = None) -> Verdict:
    """Return a verdict whose score is 1 or 0 if it has no other."""
    return Verdict(
        passed=passed, score=float(passed) if score is None else min(1.0, max(0.0, score)), reason=reason
    )


def shown(text: str) -> str:
    """Return a text in quotation marks, cut to a line's length."""
    line = " ".join(text.split())
    return f"“{line[:SHOWN_CHARS]}…”" if len(line) > SHOWN_CHARS else f"“{line}”"


async def equals(check: Equals, answer: CheckedAnswer) -> Verdict:
    """Compare the whole answer."""
    value, text = fill(check.value, answer), answer.text
    if not check.exact:
        value, text = value.strip(), text.strip()
    same = _folded(text, check.ignore_case) == _folded(value, check.ignore_case)
    return decided(same, f"The answer is {'' if same else 'not '}{shown(value)}.")


async def starts_with(check: StartsWith, answer: CheckedAnswer) -> Verdict:
    """Compare the beginning of the answer."""
    value, text = fill(check.value, answer), answer.text
    if not check.exact:
        value, text = value.strip(), text.lstrip()
    begins = _folded(text, check.ignore_case).startswith(_folded(value, check.ignore_case))
    return decided(begins, f"The answer {'begins' if begins else 'does not begin'} with {shown(value)}.")


async def contains(check: Contains, answer: CheckedAnswer) -> Verdict:
    """Look for the values in the answer; the score is the share of them that occur."""
    text = _folded(answer.text, check.ignore_case)
    values = [fill(value, answer) for value in check.values]
    missing = [value for value in values if _folded(value, check.ignore_case) not in text]
    share = 1 - len(missing) / len(values) if values else 1.0
    if check.match == "any":
        passed = not values or len(missing) < len(values)
        return decided(passed, "One of the values occurs." if passed else "None of the values occurs.")
    reason = f"{shown(missing[0])} doesn't occur." if missing else "All values occur."
    return decided(not missing, reason, share)


async def regex(check: Regex, answer: CheckedAnswer) -> Verdict:
    """Search the answer for a regular expression."""
    match = await patterns.search(fill(check.pattern, answer), answer.text)
    return decided(match is not None, "Nothing matches." if match is None else f"{shown(match)} matches.")


async def json_schema(check: JsonSchema, answer: CheckedAnswer) -> Verdict:
    """Read the answer as JSON, and compare it with the schema."""
    try:
        value = schemas.read_json(answer.text, within=check.within_text, fenced=check.fenced)
    except ValueError as error:
        return decided(False, str(error))
    fault = await asyncio.to_thread(schemas.first_fault, value, check.schema) if check.schema else None
    return decided(fault is None, fault or "The JSON is of the schema.")


async def number(check: Number, answer: CheckedAnswer) -> Verdict:
    """Compare the last number of the answer."""
    wanted, actual = last_number(fill(check.value, answer)), last_number(answer.text)
    if wanted is None:
        return Verdict(passed=None, score=0, reason=f"{shown(fill(check.value, answer))} is no number.")
    if actual is None:
        return decided(False, "There is no number in the answer.")
    allowed = check.tolerance * abs(wanted) if check.relative else check.tolerance
    near = math.isclose(actual, wanted, rel_tol=1e-9, abs_tol=allowed)
    return decided(
        near, f"{actual:g} is {'' if near else 'not '}{wanted:g}{f' ± {allowed:g}' if allowed else ''}."
    )


def last_number(text: str) -> float | None:
    """Return the last number of a text; thousands may be parted by commas."""
    numbers = _NUMBER.findall(text)
    return float(numbers[-1].replace(",", "").replace("−", "-")) if numbers else None


async def length(check: Length, answer: CheckedAnswer) -> Verdict:
    """Count characters, words or lines."""
    count = size_of(answer.text, check.unit)
    fits = check.least <= count and (check.most is None or count <= check.most)
    return decided(fits, f"The answer has {count:,} {check.unit}.")


def size_of(text: str, unit: Unit) -> int:
    """Return how many characters, words or lines a text has, surrounding blanks aside."""
    bare = text.strip()
    return {"characters": len(bare), "words": len(bare.split()), "lines": len(bare.splitlines())}[unit]


async def latency(check: Latency, answer: CheckedAnswer) -> Verdict:
    """Compare the time of the answer."""
    if answer.latency_ms is None:
        return Verdict(passed=None, score=0, reason="The time of this answer isn't known.")
    return decided(answer.latency_ms <= check.most_ms, f"The answer took {answer.latency_ms:,} ms.")


async def cost(check: Cost, answer: CheckedAnswer) -> Verdict:
    """Compare the price of the answer."""
    if answer.cost_micros is None:
        return Verdict(passed=None, score=0, reason="The price of this answer isn't known.")
    return decided(
        answer.cost_micros <= check.most_micros, f"The answer cost ${answer.cost_micros / MICROS:.6f}."
    )


async def likeness(check: Bleu | Chrf | RougeL | Similarity, answer: CheckedAnswer) -> Verdict:
    """Score the likeness to a reference."""
    reference = fill(check.value, answer)[:MAX_COMPARED_CHARS]
    score = await asyncio.to_thread(_likeness, check, answer.text[:MAX_COMPARED_CHARS], reference)
    return decided(
        score >= check.least, f"{type(check).__name__} {score:.3f}, at least {check.least:g} wanted.", score
    )


def _likeness(check: Bleu | Chrf | RougeL | Similarity, text: str, reference: str) -> float:
    if isinstance(check, Bleu | Chrf):
        import sacrebleu

        if isinstance(check, Bleu):
            return sacrebleu.sentence_bleu(text, [reference]).score / 100
        return sacrebleu.sentence_chrf(text, [reference]).score / 100
    if isinstance(check, RougeL):
        return rouge_l(text, reference)
    from rapidfuzz.distance import Indel

    return Indel.normalized_similarity(text, reference)


def rouge_l(text: str, reference: str) -> float:
    """Return ROUGE-L (Lin 2004) as F1 of words in lower case."""
    from rapidfuzz.distance import LCSseq

    one, other = _WORD.findall(text.lower()), _WORD.findall(reference.lower())
    common = LCSseq.similarity(one, other) if one and other else 0
    return 2 * common / (len(one) + len(other)) if common else 0.0


async def calls_tool(check: CallsTool, answer: CheckedAnswer) -> Verdict:
    """Look for a call of the tool with at least these arguments."""
    calls = [call for call in answer.tool_calls if call.name == check.name]
    if not calls:
        names = ", ".join(call.name for call in answer.tool_calls) or "no tool"
        return decided(False, f"The model called {names}, not {check.name}.")
    wanted = {
        name: fill(value, answer) if isinstance(value, str) else value
        for name, value in check.arguments.items()
    }
    differing = [_differing(wanted, call.arguments) for call in calls]
    if None in differing:
        return decided(True, f"The model called {check.name}.")
    return decided(False, f"The argument “{differing[0]}” of {check.name} differs.")


def _differing(wanted: Mapping[str, object], arguments: Mapping[str, object]) -> str | None:
    return next(
        (
            name
            for name, value in wanted.items()
            if name not in arguments
            or (arguments[name] != value and as_text(arguments[name]) != as_text(value))
        ),
        None,
    )


async def refusal(_: Refusal, answer: CheckedAnswer) -> Verdict:
    """Recognise a refusal; a call of a tool is none."""
    refused = not answer.tool_calls and refusals.refuses(answer.text)
    return decided(refused, "The model refuses." if refused else "The model doesn't refuse.")


async def language(check: Language, answer: CheckedAnswer) -> Verdict:
    """Recognise the language of the answer."""
    wanted = fill(check.code, answer).strip().lower()
    code = await asyncio.to_thread(detect, answer.text)
    if code is None:
        return Verdict(passed=None, score=0, reason="The answer is too short to tell its language.")
    return decided(code == wanted, f"The language is {code}.")


def _folded(text: str, ignore_case: bool) -> str:
    return text.casefold() if ignore_case else text
