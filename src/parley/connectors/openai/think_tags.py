"""Separating inline reasoning (`<think>…</think>` at the start of the text) from the answer."""

import re
from typing import TypeAlias

from parley.connectors.openai.code_marks import CodeMarks
from parley.kernel.messages import Channel

Piece: TypeAlias = tuple[Channel, str]


def _begun(*words: str) -> str:
    """Return the pattern of the beginnings of words."""
    return "|".join(sorted({word[:end] for word in words for end in range(1, len(word) + 1)}, reverse=True))


_NAMES = ("think", "thinking", "thought", "thoughts", "reason", "reasoning", "seed:think")
_FINAL = r"(?:<\|end\|>)?(?:<\|start\|>assistant)?<\|channel\|>final[^<>]{0,80}<\|message\|>"
_SPECIAL = (
    (r"<\|START_THINKING\|>", r"<\|END_THINKING\|>\s*(?:<\|START_RESPONSE\|>)?"),
    (r"<\|begin_of_thought\|>", r"<\|end_of_thought\|>\s*(?:<\|begin_of_solution\|>)?"),
    (r"(?:<\|start\|>assistant)?<\|channel\|>(?:analysis|commentary)[^<>]{0,80}<\|message\|>", _FINAL),
)
_CHANNELS = ("assistantanalysis", "assistantcommentary", "assistantfinal", "analysis", "commentary")
_BARE = r"(?:assistant\n?)?(?:analysis|commentary)"
_BARE_FINAL = r"(?-i:assistant\n?final(?![a-z]))"
_LABELLED = re.compile(
    rf"{_BARE}(?=[^\W\d_A-Za-zÀ-ɏ]|(?:[A-ZÀ-Þ][a-zß-ɏ'’]*)(?:,? [A-Za-zÀ-ɏ\"'“]|[.:!?,][\"A-Z\s]|\n))"
)
"""gpt-oss's channels whose markers a server left out: `analysisWe add.assistantfinalFour.`; no name of a program."""
_MAYBE_LABELLED = re.compile(rf"{_BARE}(?![a-z])")
"""A start that counts as such a channel only if its end follows."""
_TAGS = [
    *((re.compile(rf"<{name}(?:\s[^<>]{{0,80}})?>", re.IGNORECASE), rf"</\s?{name}\s?>") for name in _NAMES),
    (re.compile(r"\[THINK\]", re.IGNORECASE), r"\[/THINK\]"),
    (re.compile("◁think▷", re.IGNORECASE), "◁/think▷"),
    *((re.compile(opening, re.IGNORECASE), close) for opening, close in _SPECIAL),
    (_LABELLED, _BARE_FINAL),
]
"""Opening tags of reasoning, and what closes each; letters may be small or capital, tags may have spaces."""

_ANSWERS = re.compile(rf"{_FINAL}|<\|START_RESPONSE\|>|<\|begin_of_solution\|>", re.IGNORECASE)
"""The start of an answer without reasoning."""

_UNOPENED = re.compile(
    r"</\s?(?:think|thinking|thoughts?|reasoning|seed:think)\s?>|\[/THINK\]|◁/think▷|"
    rf"<\|END_THINKING\|>\s*(?:<\|START_RESPONSE\|>)?|<\|end_of_thought\|>|{_FINAL}",
    re.IGNORECASE,
)
"""Closing tags that count by themselves: the opening one may stand in the model's template."""

_STARTS = re.compile(r"<(?:think|thought|reasoning>|seed:think)|\[THINK\]", re.IGNORECASE)
"""An answer that has one of these speaks of tags: no closing tag of it counts by itself."""

_TAIL = re.compile(
    r"(?:<|\[|◁)(?:/\s?)?[a-z:]{0,10}\s?\Z|<\|[a-z_]{0,20}\|?\Z|"
    r"<\|(?:end|start|channel)\|>(?:[a-z_ ]|<\|(?:start|channel)\|>){0,90}(?:<\|?[a-z]{0,9}\|?)?\Z|"
    r"<\|END_THINKING\|>\s{0,9}(?:<\|?[a-z_]{0,16}\|?)?\Z",
    re.IGNORECASE,
)
"""The end of a text that may be the start of a closing tag."""

_OPEN_TAIL = re.compile(
    r"(?:<|\[|◁)[a-z:]{0,10}\Z|<(?:" + "|".join(_NAMES) + r")\s[^<>]{0,80}\Z|<\|[a-z_]{0,20}\|?\Z|"
    r"<\|(?:start|channel)\|>(?:[a-z_ ]|<\|channel\|>){0,90}(?:<\|?[a-z]{0,9}\|?)?\Z|"
    rf"(?-i:{_begun(*_CHANNELS)})\Z",
    re.IGNORECASE,
)
"""A text that may be the start of an opening tag."""
_BARE_TAIL = re.compile("(?:" + _begun("assistantfinal", "assistant\nfinal") + r")\Z")

_ENDS = re.compile(r"<\|(?:return|end|END_RESPONSE|end_of_solution)\|>\s*", re.IGNORECASE)
_END_TAIL = re.compile(r"<(?:\|[a-z_]{0,24}\|?)?\Z", re.IGNORECASE)
_MAX_HELD = 4096


class ThinkSplitter:
    """Splits one text that arrives in pieces; tags may be cut anywhere.

    Only a tag at the very start counts (after white space): later ones are part of the answer. A closing tag that
    nothing opened makes all text before it reasoning. White space around the reasoning is dropped.
    """

    def __init__(self) -> None:
        self.plain = False
        """True once everything that follows is text, unless it has a closing tag."""
        self.closes_unopened = False
        """True once a closing tag came that nothing opened; the reader resets it."""
        self._thinking = False
        self._thought = False
        self._closes = _UNOPENED
        self._tail = _TAIL
        self._unopened = True
        self._wrapped = False
        """True if the answer may end with a token of its dialect, which is no part of it."""
        self._marks = CodeMarks()
        self._held: str = ""

    def pass_by(self, word: str) -> None:
        """Note a word of plain text that has no tag and no code."""
        self._marks.last = word[-1]

    def feed(self, text: str) -> list[Piece]:
        """Return the pieces that are certain by now, in order; none is empty."""
        if self._unopened and (self.plain or self._marks.last):
            return self._watched(text)
        if self.plain:
            return _piece("text", text)
        text = self._held + text
        self._held = ""
        if self._thinking:
            return self._within(text)
        return self._after(text) if self._thought else self._at_start(text)

    def end(self) -> list[Piece]:
        """Return what was held back; the text is over."""
        held, self._held = self._held, ""
        return _piece("reasoning" if self._thinking else "text", held)

    def _at_start(self, text: str) -> list[Piece]:
        bare = text.lstrip("\ufeff \t\r\n\v\f")
        for tag, close in _TAGS:
            if (match := tag.match(bare)) is not None:
                self._unopened, self._wrapped = False, match[0].startswith("<|")
                self._thinking, self._closes = True, re.compile(close, re.IGNORECASE)
                self._tail = _BARE_TAIL if close == _BARE_FINAL else _TAIL
                return self._within(bare[match.end() :])
        if (match := _ANSWERS.match(bare) or re.match(_BARE_FINAL, bare)) is not None:
            self._unopened, self._thought, self._wrapped = False, True, True
            return self._after(bare[match.end() :])
        label = _MAYBE_LABELLED.match(bare)
        if label and (close := re.search(_BARE_FINAL, bare)) is not None:
            self._unopened, self._thought = False, True
            thought = bare[label.end() : close.start()].strip()
            return [*_piece("reasoning", thought), *self._after(bare[close.end() :])]
        if len(text) < _MAX_HELD and (not bare or label or _OPEN_TAIL.fullmatch(bare)):
            self._held = text
            return []
        self.plain = True
        return self._watched(text)

    def _watched(self, text: str) -> list[Piece]:
        """Return text that may turn out to be reasoning; see `closes_unopened`."""
        text = self._held + text
        self._held = ""
        if (match := _UNOPENED.search(text)) is not None:
            before, after = text[: match.start()], text[match.end() :]
            quoted = self._marks.quotes(before, after)
            if quoted is None and len(text) < _MAX_HELD:
                return self._hold(text, match.start())
            if quoted or _STARTS.search(before):
                return self._settle(text)
            self._unopened = self.plain = False
            self._thought = self.closes_unopened = True
            self._wrapped = match[0].startswith("<|")
            self._held = after
            return _piece("text", before.rstrip())
        if _STARTS.search(text):
            return self._settle(text)
        tail = _TAIL.search(text)
        return self._hold(text, tail.start() if tail else len(text))

    def _hold(self, text: str, at: int) -> list[Piece]:
        """Return the text before a place; the rest is held back."""
        self._held, text = text[at:], text[:at]
        self.plain = not self._held
        self._marks.feed(text)
        return _piece("text", text)

    def _settle(self, text: str) -> list[Piece]:
        """Return text after which all is text."""
        self._unopened, self.plain = False, True
        return _piece("text", text)

    def _within(self, text: str) -> list[Piece]:
        if not self._thought:
            text = text.lstrip()
        if (match := self._closes.search(text)) is not None:
            self._thinking, self._thought = False, True
            return [*_piece("reasoning", text[: match.start()].rstrip()), *self._after(text[match.end() :])]
        # Trailing white space waits, and so does what may be the start of the closing tag.
        tail = self._tail.search(text)
        tag = tail.start() if tail else len(text)
        certain = text[:tag].rstrip()
        if len(text) - len(certain) > _MAX_HELD:
            certain = text[:tag]
        self._thought = self._thought or bool(certain)
        self._held = text[len(certain) :]
        return _piece("reasoning", certain)

    def _after(self, text: str) -> list[Piece]:
        if not self._wrapped:
            text = text.lstrip()
            self.plain = bool(text)
            return _piece("text", text)
        text = _ANSWERS.sub("", _ENDS.sub("", text))
        if not self._marks.last:
            text = text.lstrip()
        tail = _END_TAIL.search(text)
        self._held = text[tail.start() :] if tail else ""
        text = text[: len(text) - len(self._held)]
        self._marks.feed(text)
        return _piece("text", text)


def _piece(channel: Channel, text: str) -> list[Piece]:
    return [(channel, text)] if text else []
