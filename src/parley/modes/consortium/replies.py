"""Parsing the replies of members and the arbiter, leniently: every text gives a result."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeAlias, cast

import msgspec

from parley.kernel.messages import mend_surrogates
from parley.text.confidence import read_confidence
from parley.text.lenient_xml import Element, first_of, outside_of, read_elements, strip_span

THOUGHTS = ("thought_process", "thinking")
ANSWERS = ("answer", "updated_response")
CHOSEN = ("response_id", "choice")
AROUND = ("synthesis_output",)
VERDICT = (
    "first_impression",
    "analysis",
    "dissent",
    "synthesis",
    "confidence",
    "refinement_areas",
    "needs_iteration",
    "ranking",
)

_HOLD_ANSWERS = ("synthesis", *ANSWERS)
_BELOW = {"analysis": "Analysis", "dissent": "Minority report", "confidence": "Confidence"}

MOST_OBJECTS = 20
"""The possible starts of a JSON object that are tried."""

_TRUTH = re.compile(
    r"[\W_]{0,8}(?:(?:(true)|false)(?!\W{1,4}(?:or\s{1,4})?(?:true|false)\b)|(?:(yes)|no)(?=\s{0,4}(?:[,.;:!*–—]|\Z)))",
    re.IGNORECASE,
)
_NOTHING = frozenset(
    {"", "none", "n/a", "na", "nothing", "null", "–", "—", "keine", "keiner", "aucun", "aucune", "ninguno"}
    | {
        "no dissent",
        "no dissenting views",
        "none needed",
        "none at this time",
        "there are none",
        "not applicable",
    }
)
_BULLET = re.compile(r"^\s{0,40}(?:[-*•–]\s{1,8}|\(?\d{1,3}[.)]\s{1,8})")
_PARTS = re.compile(r"[\n>,;]")
_ID = re.compile(
    r"[\W_]{0,8}(?:(?:member|response|answer|id)(?![^\W\d_])[\W_]{0,6}){0,2}(\d{1,4})(?!\w|[.,]\d)",
    re.IGNORECASE,
)
_ID_ALONE = re.compile(r"(?:member|response|answer|id)?\s{0,4}[#:]?\s{0,4}(\d{1,4})\.?", re.IGNORECASE)
_WHOLE = re.compile(r"\d{1,4}")
_OBJECT = re.compile(r'\{\s{0,200}"')
_JSON = json.JSONDecoder(strict=False)
"""Accepts line breaks within strings: models forget to escape them."""

Fields: TypeAlias = dict[str, Any]


class MemberReading(msgspec.Struct, frozen=True, kw_only=True):
    """A parsed member's reply; the answer is text[start:end], or both are 0 if it is not a substring."""

    answer: str
    thought_process: str | None
    confidence: float | None
    parsed: bool
    start: int
    end: int


class ArbiterReading(msgspec.Struct, frozen=True, kw_only=True):
    """A parsed arbiter's reply. `ranking` are indexes into the answers as shown, best first.

    If neither a synthesis nor a ranking was found, `parsed` is false and the synthesis is the full text.
    `undecided`: it says something of another round, but neither yes nor no.
    """

    synthesis: str
    confidence: float | None = None
    analysis: str = ""
    dissent: str = ""
    refinement_areas: tuple[str, ...] = ()
    needs_iteration: bool | None = None
    undecided: bool = False
    ranking: tuple[int, ...] = ()
    first_impression: str | None = None
    parsed: bool = True
    start: int = 0
    end: int = 0


def readable(text: str) -> str:
    """Return an answer without its tags, with analysis, dissent and confidence below; other texts unchanged."""
    if not any(f"<{name}" in text.lower() for name in _HOLD_ANSWERS):
        return text.strip()
    elements = read_elements(text, (*_HOLD_ANSWERS, *_BELOW), around=AROUND)
    texts = {each.name: each.text for each in elements}
    answer = next((texts[name] for name in _HOLD_ANSWERS if name in texts), text.strip())
    below = [f"**{title}:** {texts[name]}" for name, title in _BELOW.items() if texts.get(name)]
    return "\n\n".join((answer, *below))


def read_member(text: str) -> MemberReading:
    """Parse a member's reply; the answer is empty if there is none."""
    elements = read_elements(text, (*THOUGHTS, *ANSWERS, "confidence"))
    if first_of(elements, *ANSWERS) is None and (fields := _member_fields(text)):
        return _member_from_json(text, fields)
    thought = first_of(elements, *THOUGHTS)
    confidence = first_of(elements, "confidence")
    answer, start, end, parsed = _answer(text, elements)
    if confidence is None and parsed:
        inner = first_of(read_elements(answer, ("confidence",)), "confidence")
        if inner is not None and not answer[inner.after :].strip():
            confidence = inner
            answer = answer[: inner.opening].rstrip()
            end = start + len(answer) if end else 0
    return MemberReading(
        answer=answer,
        thought_process=thought.text if thought else None,
        confidence=read_confidence(confidence.text) if confidence else None,
        parsed=parsed,
        start=start,
        end=end,
    )


def read_arbiter(text: str, shown: int) -> ArbiterReading:
    """Parse the arbiter's reply about `shown` answers."""
    elements = read_elements(text, (*THOUGHTS, *VERDICT, *CHOSEN), around=AROUND)
    reading = _from_elements(elements, shown)
    if reading is None:
        fields = _json_fields(text)
        reading = _from_json(text, fields, shown) if fields else None
    if reading is not None:
        return reading
    start, end = strip_span(text, 0, len(text))
    return ArbiterReading(synthesis=text[start:end], parsed=False, start=start, end=end)


def read_order(text: str, shown: int) -> tuple[int, ...]:
    """Parse a ranking: indexes of answers, best first, each at most once; empty if there is none."""
    elements = read_elements(text, ("ranking",))
    ranking = first_of(elements, "ranking")
    if ranking is not None or read_elements(text, ("rank",)):
        return _ranked(ranking.text if ranking else text, shown)
    fields = _json_fields(text)
    return _listed(fields.get("ranking"), shown) if fields else ()


def _answer(text: str, elements: Sequence[Element]) -> tuple[str, int, int, bool]:
    """Return the answer, its span, and whether it was marked as such.

    In a reply that consists of thoughts alone, these are the answer.
    """
    answer = first_of(elements, *ANSWERS)
    if answer is not None:
        return answer.text, answer.start, answer.end, True
    start, end = outside_of(text, elements)
    thought = first_of(elements, *THOUGHTS)
    if start == end and thought is not None and not any(element.name in ANSWERS for element in elements):
        return thought.text, thought.start, thought.end, False
    return text[start:end], start, end, False


def _member_fields(text: str) -> Fields | None:
    """Return the fields of a reply in JSON, fenced or not.

    An object is one if it has the answer as text, and the confidence or the thoughts: an answer may itself be JSON.
    """
    for fields in _objects(text):
        answered = any(isinstance(fields.get(name), str) for name in ANSWERS)
        if answered and any(name in fields for name in (*THOUGHTS, "confidence")):
            return fields
    return None


def _member_from_json(text: str, fields: Fields) -> MemberReading:
    texts = {name: _plain(fields.get(name)).strip() for name in (*ANSWERS, *THOUGHTS, "confidence")}
    answer = next(texts[name] for name in ANSWERS if isinstance(fields.get(name), str))
    start = text.find(answer) if answer else -1
    return MemberReading(
        answer=answer,
        thought_process=next((texts[name] for name in THOUGHTS if texts[name]), None),
        confidence=read_confidence(texts["confidence"]),
        parsed=True,
        start=max(start, 0),
        end=start + len(answer) if start >= 0 else 0,
    )


def _from_elements(elements: Sequence[Element], shown: int) -> ArbiterReading | None:
    synthesis = first_of(elements, "synthesis")
    ranking = first_of(elements, "ranking")
    chosen = first_of(elements, *CHOSEN)
    ranked = ranking or chosen
    order = _ranked(ranked.text, shown) if ranked else ()
    if synthesis is None and not order:
        return None

    texts = {name: element.text for name in VERDICT if (element := first_of(elements, name))}
    span = (synthesis.start, synthesis.end) if synthesis else (0, 0)
    return _arbiter_reading(texts, order, span)


def _from_json(text: str, fields: Fields, shown: int) -> ArbiterReading | None:
    texts = {name: _plain(fields.get(name)).strip() for name in VERDICT}
    order = _listed(fields.get("ranking"), shown)
    synthesis = texts["synthesis"]
    if not synthesis and not order:
        return None
    if areas := _items(fields.get("refinement_areas")):
        texts["refinement_areas"] = "\n".join(map(_plain, areas))
    start = text.find(synthesis) if synthesis else -1
    return _arbiter_reading(texts, order, (start, start + len(synthesis)) if start >= 0 else (0, 0))


def _arbiter_reading(
    texts: Mapping[str, str], order: tuple[int, ...], span: tuple[int, int]
) -> ArbiterReading:
    """Return a reading from the texts of its fields, the order of its ranking and the span of its synthesis."""
    more = texts.get("needs_iteration", "").strip()
    return ArbiterReading(
        synthesis=texts.get("synthesis", ""),
        confidence=read_confidence(texts.get("confidence", "")),
        analysis=texts.get("analysis", ""),
        dissent=_unless_nothing(texts.get("dissent", "")),
        refinement_areas=_areas(texts.get("refinement_areas", "")),
        needs_iteration=_truth(more),
        undecided=more != "" and _truth(more) is None,
        ranking=order,
        first_impression=texts.get("first_impression") or None,
        start=span[0],
        end=span[1],
    )


def _json_fields(text: str) -> Fields | None:
    """Return the verdict's fields if the text contains them as a JSON object, fenced or not."""
    for candidate in _objects(text):
        fields = _inside(candidate)
        if "synthesis" in fields or "ranking" in fields:
            return fields
    return None


def _objects(text: str) -> Iterator[Fields]:
    """Return the JSON objects of a text, in order."""
    for opening in islice(_OBJECT.finditer(text), MOST_OBJECTS):
        try:
            value, _ = _JSON.raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            continue
        yield cast("Fields", value)


def _inside(fields: Fields) -> Fields:
    """Return the object with the verdict's fields, which another object may enclose."""
    for name in (*AROUND, "synthesis"):
        inner = fields.get(name)
        if isinstance(inner, dict) and ("synthesis" in inner or "ranking" in inner):
            fields = cast("Fields", inner)
    return fields


def _plain(value: object) -> str:
    """Return a JSON value as the text that an XML element would have."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int | float):
        return mend_surrogates(str(value))
    return "\n".join(
        mend_surrogates(str(item)) for item in _items(value) if isinstance(item, str | int | float)
    )


def _items(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(cast("Fields", value).values())
    return cast("list[object]", value) if isinstance(value, list) else []


def _ranked(text: str, shown: int) -> tuple[int, ...]:
    """Return the order in a ranking's text: `rank` elements by position, else its parts in order."""
    ranks = read_elements(text, ("rank",))
    if not ranks:
        return _places([_BULLET.sub("", part) for part in _PARTS.split(text)], shown, alone=True)
    positions = [_WHOLE.search(rank.attributes) for rank in ranks]
    order = sorted(
        range(len(ranks)), key=lambda at: int(match[0]) if (match := positions[at]) else len(ranks) + at
    )
    return _places([ranks[at].text for at in order], shown)


def _listed(value: object, shown: int) -> tuple[int, ...]:
    """Return the order in a JSON ranking: ids or objects with an id, in order or by their positions."""
    if isinstance(value, str):
        return _ranked(value, shown)
    items = _items(value)
    if all(isinstance(item, dict) for item in items):
        items.sort(key=lambda item: _position(cast("Fields", item), len(items)))
    ids = (_id_in(cast("Fields", item)) if isinstance(item, dict) else item for item in items)
    return _places([_plain(one) for one in ids], shown)


def _id_in(item: Fields) -> object:
    return next((item[name] for name in ("id", *CHOSEN, "member", "response") if name in item), None)


def _position(item: Fields, last: int) -> int:
    named = (_WHOLE.fullmatch(_plain(item.get(name))) for name in ("position", "rank"))
    return next((int(match[0]) for match in named if match), last)


def _places(ids: Sequence[str], shown: int, *, alone: bool = False) -> tuple[int, ...]:
    """Return the indexes that ids name. Text after an id is ignored, unless the id must stand `alone`."""
    bare = (_BULLET.sub("", one.strip()) for one in ids)
    matches = (_ID_ALONE.fullmatch(one) if alone else _ID.match(one) for one in bare)
    places = (int(match[1]) - 1 for match in matches if match)
    return tuple(dict.fromkeys(place for place in places if 0 <= place < shown))


def _areas(text: str) -> tuple[str, ...]:
    items = read_elements(text, ("area",))
    parts = [item.text for item in items] if items else [_BULLET.sub("", line) for line in text.splitlines()]
    return tuple(area for part in parts if (area := _unless_nothing(" ".join(part.split()))))


def _truth(text: str) -> bool | None:
    """Return the boolean at the start of a text; None if there is none, or both (“true or false”)."""
    match = _TRUTH.match(text.strip())
    return None if match is None else bool(match[1] or match[2])


def _unless_nothing(text: str) -> str:
    return "" if text.strip(" \t\n.*_()[]-").lower() in _NOTHING else text
