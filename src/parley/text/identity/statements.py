"""Statements: sentences in which the model says which one it is, or who made it."""

import re
from collections.abc import Iterator, Sequence

from parley.text.identity.frames import SLOT, is_about, stated_from
from parley.text.identity.names import Mention, MentionKind
from parley.text.identity.shapes import ANOTHER, NAME, shape_of

BEFORE, AFTER = 160, 110
"""Characters of a sentence that are read on each side of a name."""

FRAMED = 60
"""The names of a text that are compared with the frames: they cost milliseconds each."""

NEAR = 6
"""Names on each side of a name that are distinguished from other words."""

_END = re.compile(r"[.!?…]+[\"')\]]*\s|\n")
_BE = "(?:[AJP]|(?:^|[,!-])S)"
_GAP = "[^D!Nn]"
_KINDS = "(?:(?<=[QT])[.,KL-]{0,7}[KL])?[KL]*"
_MADE = "[MG](?:[.R]?M)?"
STATES = tuple(
    re.compile(pattern)
    for pattern in (
        # I am (the AI assistant) Claude · I, Claude, … · my name is Claude · this is Claude
        "A[RT-]{0,4}(?:Q?[.]?[KL][RTKL,-]{0,6})?(?:ns?)?N",
        "P[RT-]{0,2}N",
        "J[RT-]{0,2}(?:nB?)?[KL]{0,3}N(?:Z|[!,KL]|$)",
        "W[RTKLQ-]{0,5}(?:ns?)?N",
        # As Claude, I …
        "(?:^|[,!-])S[TR]?N(?:,|[.R]{0,2}[PAIE])",
        # I am a language model (trained) by OpenAI · I am Google's model
        f"{_BE}[QRT,-]{{0,4}}{_KINDS}[KLRT,]{{0,3}}{_MADE}[BTQKR,.]{{0,6}}N",
        f"{_BE}[QRT,-]{{0,4}}{_KINDS}(?<=[KL]),?[BT]{{0,2}}[TKL.]{{0,3}}N",
        f"{_BE}[QRTB-]{{0,3}}N[sBRT.]{{0,3}}[GMKL]",
        "N[BMGKLTQR,]{0,6}V",
        # Anthropic made me · it was Anthropic that made me · mich hat Anthropic entwickelt
        f"N{_GAP}{{0,6}}(?:M[RTB]{{0,2}}[EP]|G[RTB]{{0,2}}[EP](?![TQ.]))",
        f"N[RTB,]{{0,3}}[EP]{_GAP}{{0,2}}[MG]",
        f"[EP]{_GAP}{{0,2}}[MG][RTKLB]{{0,3}}N",
        "[EP][RTKLB]{0,3}N[RTB.]{0,2}[MG]",
        # Anthropic is my maker · my developers at Anthropic
        "Y[BTKLR,.!-]{0,3}N",
        "N[BTKLR,.-]{0,4}Y",
    )
)
"""A sentence says who speaks if its shape has one of these. `n` is another name, `s` an ending “'s”."""

STATES_IN_LOWER_CASE = (STATES[0], STATES[1], STATES[3])
"""The shapes that count for a lower-case name that is also an ordinary word."""

_DENIED = re.compile("D[^,!]{0,3}$")
_REPORTED = re.compile('N[^"]{0,6}"[,TQ.]{0,3}D')
_OF_A_NAME = re.compile("Ns(?![.QT]{0,4}[GMKLY])")


def statements(text: str, mentions: Sequence[Mention]) -> Iterator[Mention]:
    """Yield the mentions in a plain text by which the model says who it is."""
    for at, mention in enumerate(mentions):
        start, end = _sentence(text, mention)
        if _is_quoted(text, mention.start):
            continue
        if at < FRAMED and _is_framed(_slotted(text, mention), in_lower_case=mention.kind == "lower"):
            yield mention
            continue
        left = "".join(_shapes(text, start, mention.start, mentions[max(0, at - NEAR) : at]))
        right = "".join(_shapes(text, mention.end, end, mentions[at + 1 : at + 1 + NEAR]))
        if _states(left + NAME + right, len(left), mention.kind):
            yield mention


def spoken_about(text: str, mentions: Sequence[Mention]) -> set[Mention]:
    """Return the mentions that only speak about a model: “I asked ChatGPT”."""
    return {mention for mention in mentions[:FRAMED] if is_about(_slotted(text, mention))}


def _slotted(text: str, mention: Mention) -> str:
    start, end = _sentence(text, mention)
    return text[start : mention.start] + SLOT + text[mention.end : end]


def _is_framed(sentence: str, *, in_lower_case: bool) -> bool:
    begin = stated_from(sentence, in_lower_case=in_lower_case)
    return begin is not None and not is_about(sentence) and not _DENIED.search(shape_of(sentence[:begin]))


def _sentence(text: str, mention: Mention) -> tuple[int, int]:
    """Return where the sentence around a name begins and ends, as far as it is looked at."""
    start = max(0, mention.start - BEFORE)
    for end in _END.finditer(text, start, mention.start):
        if end.end() < mention.start:  # “My maker? Anthropic.” is one statement
            start = end.end()
    end = _END.search(text, mention.end, mention.end + AFTER)
    return start, end.start() if end else mention.end + AFTER


def _shapes(text: str, start: int, end: int, others: Sequence[Mention]) -> Iterator[str]:
    """Yield the shape of a stretch of text by parts; the names in it are `n`."""
    for other in others:
        if start <= other.start and other.end <= end:
            yield shape_of(text[start : other.start])
            yield ANOTHER
            start = other.end
    yield shape_of(text[start:end])


def _states(shape: str, at: int, kind: MentionKind) -> bool:
    if _REPORTED.match(shape, at) or _OF_A_NAME.match(shape, at):
        return False
    for pattern in STATES_IN_LOWER_CASE if kind == "lower" else STATES:
        for match in pattern.finditer(shape):
            if match.start() <= at < match.end() and not _DENIED.search(shape[: match.start()]):
                return True
    return False


def _is_quoted(text: str, at: int) -> bool:
    """Return whether a place is within words that its line quotes."""
    before = text[max(0, at - BEFORE) : at].rpartition("\n")[2]
    opened = before.count('"') % 2 == 1
    return opened and any(map(str.isalnum, before.rpartition('"')[0]))
