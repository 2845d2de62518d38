"""Frames: sentences, kept as data per language, in which a name says which model answers or does not."""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from parley.text.identity.plain import plain

SLOT = "\x00"
"""Stands in a sentence for the name in question."""

_PART = re.compile(r"\([^()]*\)\??|[^\s()]+|[()]")
_GAP = r'[\s,"«»]{0,3}'
_LETTER = r"[^\W\d_\u0e00-\u0e7f\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
"""A letter of a script that sets words apart."""
_BRACKETS = {"[": r"[(\[{<【〔]", "]": r"[)\]}>】〕]"}
_ANCHORS = {"^": r"\A[\s\"*¡¿-]*", "$": r"[\s.!?:,\"]*\Z", "N": SLOT}


def is_about(sentence: str) -> bool:
    """Return whether a plain sentence speaks about the model whose name is replaced by SLOT."""
    return _patterns()[0].search(sentence.casefold()) is not None


def stated_from(sentence: str, *, in_lower_case: bool = False) -> int | None:
    """Return where a plain sentence begins to say that the model answers whose name is replaced by SLOT.

    A name `in_lower_case` that is also an ordinary word counts only beside a role.
    """
    match = _patterns()[2 if in_lower_case else 1].search(sentence.casefold())
    return match and match.start()


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """Return the patterns of sentences about a model, of those of the model itself, and of its lower-case name."""
    lines = files("parley.text.identity").joinpath("frames.txt").read_text(encoding="utf-8").splitlines()
    frames = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    about = [frame.removeprefix("!") for frame in frames if frame.startswith("!")]
    stated = [frame.removeprefix("=") for frame in frames if not frame.startswith("!")]
    in_lower_case = [frame.removeprefix("=") for frame in frames if frame.startswith("=")]
    return tuple(re.compile(_joined(each)) for each in (about, stated, in_lower_case))


def _joined(frames: list[str]) -> str:
    return "|".join(map(_pattern, frames))


def _pattern(frame: str) -> str:
    return "".join(_elements(_PART.findall(frame)))


def _elements(parts: list[str]) -> Iterator[str]:
    yield f"(?<!{_LETTER})"
    for part in parts:
        yield _GAP
        if part in _ANCHORS:
            yield _ANCHORS[part]
        elif part.startswith("(") and len(part) > 1:
            words = "|".join(map(_word, part.strip("()?").split("|")))
            yield f"(?:{words})" + ("?" if part.endswith("?") else "")
        else:
            yield _word(part)
    yield f"(?!{_LETTER})"


def _word(word: str) -> str:
    if word in _ANCHORS or word in _BRACKETS:
        return _ANCHORS.get(word) or _BRACKETS[word]
    return _GAP.join(re.escape(each) for each in plain(word).casefold().split())
