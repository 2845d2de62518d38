"""Reading what members, moderators and writers wrote, leniently: every text gives a result."""

import re
from collections.abc import Mapping, Sequence

import msgspec

_LABEL = re.compile(
    r"^[\W_]{0,6}(answers|position|changed my mind|next|ask|enough)\b[\s*_]{0,4}[:：][\s*_]{0,4}(.*)$",
    re.IGNORECASE,
)
CLOSING = ("answers", "position", "changed my mind")
CHOOSING = ("next", "ask", "enough")
LAST_LINES = 15
"""The lines at the end of a statement among which its closing lines are looked for."""

_NOTHING = re.compile(
    r"[\W_]*(?:no(?:ne|thing|body|t applicable)?|n/?a|false|nein|nicht|non|keine[rs]?)?\b[\W_]*(?:$|[.,;:–—-])",
    re.IGNORECASE,
)
_YES = re.compile(r"[\W_]*(?:yes|true|ja|oui)\b[\W_]*", re.IGNORECASE)
_BRACKETS = re.compile(r"\[([^\[\]\n]{1,200})\]|\((\d{1,3}\.\d{1,3} [^()\n]{1,100})\)")
_REF = re.compile(r"(?<![\d.])([1-9]\d{0,2}\.[1-9]\d{0,2})(?![\d.]*\d)")
_CHANGED = re.compile(
    r"\bI (?:was wrong|stand corrected|(?:now )?(?:concede|withdraw|retract)|no longer (?:think|hold|believe)"
    r"|(?:have )?changed my mind|am (?:now )?convinced)\b|\bI['’](?:ve changed my mind|m (?:now )?convinced)\b",
    re.IGNORECASE,
)
_SENTENCE_ENDS = re.compile(r"[.!?\n]")
_HEADING = re.compile(
    r"^[\s#*_>]{0,12}(?:\d{1,2}[.)]\s{0,4})?[*_]{0,3}(?:(?:points? of |areas? of |key )?(?:"
    r"(?P<consensus>consensus|agreements?)|(?P<disagreements>disagreements?|dissents?)|(?P<assumptions>assumptions?))"
    r"|(?P<recommendation>recommendations?)|(?P<minority>minority (?:report|view|opinion)s?))"
    r"[*_\s]{0,6}(?::[*_\s]{0,6}(?P<rest>.*))?$",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^(\s{0,40})(?:[-*•–+]|\(?\d{1,3}[.)])\s{1,8}")
_NO_POINT = re.compile(
    r"[\W_]*(?:none|nothing|n/?a|not applicable|there (?:is|are) none"
    r"|no (?:disagreements?|assumptions?|minority report|dissent))[\W_]*",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"^[\s#>*_-]+|[\s*_]+$")

PARTS = ("consensus", "disagreements", "assumptions", "recommendation", "minority")


class MemberReading(msgspec.Struct, frozen=True, kw_only=True):
    """A parsed statement: what was said is text[start:end].

    `answers` is what the speaker declared, null without that line; `changed` as well: empty for no.
    """

    start: int
    end: int
    answers: str | None
    position: str | None
    changed: str | None


class ChoiceReading(msgspec.Struct, frozen=True, kw_only=True):
    """A parsed choice: names as written; null if nothing says who is next."""

    named: tuple[str, ...] | None
    ask: str | None
    enough: bool


def read_member(text: str) -> MemberReading:
    """Parse a statement. A text that consists of closing lines alone is all said."""
    start = len(text) - len(text.lstrip())
    closing, end = _closing(text)
    if not text[:end].strip():
        end = len(text)
    changed = closing.get("changed my mind")
    return MemberReading(
        start=start,
        end=max(start, len(text[:end].rstrip())),
        answers=closing.get("answers"),
        position=closing.get("position") or None,
        changed=None if changed is None else _change(changed),
    )


def read_choice(text: str) -> ChoiceReading:
    """Parse a moderator's choice."""
    choices: dict[str, str] = {}
    for label, value in filter(None, (_labelled(line, CHOOSING) for line in text.splitlines())):
        choices[label] = choices.get(label) or value
    named = choices.get("next")
    names = [] if named is None or _NOTHING.fullmatch(named) else re.split(r"[,;/&]|\band\b|→|->", named)
    bare = [_REF.sub("", name).strip(" \t*_[]().\"'“”") for name in names]
    return ChoiceReading(
        named=None if named is None else tuple(name for name in bare if name),
        ask=choices.get("ask") or None,
        enough=bool(_YES.match(choices.get("enough", ""))),
    )


def find_refs(text: str) -> tuple[str, ...]:
    """Return the references in brackets, in order, each once."""
    inside = (match[1] or match[2] for match in _BRACKETS.finditer(text))
    return tuple(dict.fromkeys(ref for each in inside for ref in _REF.findall(each)))


def bare_refs(text: str) -> tuple[str, ...]:
    """Return the references in a line that holds references, with brackets or without."""
    return tuple(dict.fromkeys(_REF.findall(text)))


def find_roles(text: str, roles: Mapping[str, str]) -> tuple[str, ...]:
    """Return the seats whose roles a text names, in the order of the text."""
    named: list[tuple[int, str]] = []
    for seat, role in roles.items():
        longer = [other for other in roles.values() if other != role and other.startswith(role)]
        after = "".join(f"(?!{re.escape(other[len(role) :])})" for other in longer)
        if match := re.search(rf"(?<!\w){re.escape(role)}(?!\w){after}", text):
            named.append((match.start(), seat))
    return tuple(seat for _, seat in sorted(named))


def find_change(text: str) -> str | None:
    """Return the sentence in which a speaker says that they changed their mind."""
    match = _CHANGED.search(text)
    if match is None:
        return None
    before = [end.end() for end in _SENTENCE_ENDS.finditer(text, 0, match.start())]
    after = _SENTENCE_ENDS.search(text, match.end())
    return text[before[-1] if before else 0 : after.end() if after else len(text)].strip()


def read_parts(text: str) -> dict[str, tuple[str, ...]]:
    """Return the points of a synthesis by part; empty if no heading is found."""
    lines: dict[str, list[str]] = {}
    at: str | None = None
    for line in text.splitlines():
        heading = _HEADING.match(line)
        if heading:
            at = next(name for name in PARTS if heading[name])
            lines.setdefault(at, []).extend([heading["rest"]] if heading["rest"] else [])
        elif at is not None:
            lines[at].append(line)
    return {name: _points(texts) for name, texts in lines.items()}


def _closing(text: str) -> tuple[dict[str, str], int]:
    """Return the closing lines by label, and where they begin."""
    lines = text.splitlines(keepends=True)
    closing: dict[str, str] = {}
    at = end = len(text)
    after: list[str] = []
    for line in reversed(lines[-LAST_LINES:]):
        at -= len(line)
        if labelled := _labelled(line, CLOSING):
            label, value = labelled
            closing.setdefault(label, " ".join(filter(None, [value, *reversed(after)])))
            end, after = at, []
        elif line.strip():
            after.append(line.strip())
        elif after:
            break  # a paragraph of prose, not the rest of a closing line
    return closing, end


def _labelled(line: str, labels: Sequence[str]) -> tuple[str, str] | None:
    match = _LABEL.match(line.strip())
    if match is None or (label := match[1].lower()) not in labels:
        return None
    return label, match[2].strip(" \t*_")


def _change(value: str) -> str:
    """Return what changed; empty for a no."""
    if _NOTHING.match(value):
        return ""
    rest = _YES.sub("", value, count=1) if _YES.match(value) else value
    return rest.strip() or value


def _points(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the items of a list, each with what is indented below it; without a list, the paragraphs."""
    points: list[list[str]] = []
    indent: int | None = None
    new = True
    for line in lines:
        bullet = _BULLET.match(line)
        if not line.strip():
            new = True
            continue
        if bullet and (indent is None or len(bullet[1]) <= indent):
            indent = len(bullet[1])
            points.append([line[bullet.end() :]])
        elif points and not (new and indent is None):
            points[-1].append(_BULLET.sub("", line))
        else:
            points.append([line.strip()])
        new = False
    joined = (" ".join(part.strip() for part in point if part.strip()) for point in points)
    return tuple(each for each in joined if not _NO_POINT.fullmatch(each) and _MARKUP.sub("", each))
