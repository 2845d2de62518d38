"""Separating inline reasoning (`<think>…</think>` at the start of the text) from the answer."""

from typing import TypeAlias

from parley.kernel.messages import Channel

Piece: TypeAlias = tuple[Channel, str]

_OPEN = "<think>"
_CLOSE = "</think>"
_MAX_HELD = 4096


class ThinkSplitter:
    """Splits one text that arrives in pieces; tags may be cut anywhere.

    Only a tag at the very start counts (after white space): later ones are part of the answer.
    White space around the reasoning is dropped.
    """

    def __init__(self) -> None:
        self.plain = False
        """True once everything that follows is text."""
        self._thinking = False
        self._thought = False
        self._held = ""

    def feed(self, text: str) -> list[Piece]:
        """Return the pieces that are certain by now, in order; none is empty."""
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
        bare = text.lstrip()
        if bare.startswith(_OPEN):
            self._thinking = True
            return self._within(bare[len(_OPEN) :])
        if _OPEN.startswith(bare) and len(text) < _MAX_HELD:
            self._held = text
            return []
        self.plain = True
        return _piece("text", text)

    def _within(self, text: str) -> list[Piece]:
        if not self._thought:
            text = text.lstrip()
        thought, closed, rest = text.partition(_CLOSE)
        if closed:
            self._thinking, self._thought = False, True
            return [*_piece("reasoning", thought.rstrip()), *self._after(rest)]
        # Trailing white space waits, and so does what may be the start of the closing tag.
        tag = next((n for n in range(len(_CLOSE) - 1, 0, -1) if text.endswith(_CLOSE[:n])), 0)
        certain = text[: len(text) - tag].rstrip()
        if len(text) - len(certain) > _MAX_HELD:
            certain = text[: len(text) - tag]
        self._thought = self._thought or bool(certain)
        self._held = text[len(certain) :]
        return _piece("reasoning", certain)

    def _after(self, text: str) -> list[Piece]:
        text = text.lstrip()
        self.plain = bool(text)
        return _piece("text", text)


def _piece(channel: Channel, text: str) -> list[Piece]:
    return [(channel, text)] if text else []
