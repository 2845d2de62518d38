"""Parrots: models without a key or a network, which say something simple of what they have heard."""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence

from parley.kernel.connector import ChatRequest, Chunk, Connector, Delta, Finish, Usage
from parley.kernel.errors import Rejected
from parley.kernel.messages import attachments_of, text_of

WAIT_S = 0.03
"""Between two words."""

MOST_WORDS = 120
"""Of what is repeated."""
_PIECE = re.compile(r"\S+\s*")


class Parrot(Connector):
    """Answers the same request always in the same words; a token is a word."""

    def __init__(self, wait_s: float = WAIT_S) -> None:
        self._wait_s = wait_s

    async def stream(self, request: ChatRequest) -> AsyncIterator[Chunk]:
        """Yield the answer word by word, as many words as the request lets it. Raises Rejected."""
        _check(request)
        say = BIRDS[request.model]
        turn = 1 + sum(message.role == "assistant" for message in request.messages)
        rules = [text_of(message) for message in request.messages if message.role == "system"]
        text = "".join(f" I keep in mind: {each}" for each in rules)
        answer = f"Answer {turn}. {say(text_of(request.messages[-1]))}{text}"
        words = _PIECE.findall(answer)
        kept = words[: request.max_output_tokens]
        for word in kept:
            await asyncio.sleep(self._wait_s)
            yield Delta("text", word)
        yield Finish("stop" if len(kept) == len(words) else "length")
        heard = sum(len(text_of(message).split()) for message in request.messages)
        yield Usage(input_tokens=heard, output_tokens=len(kept))

    async def list_models(self) -> Sequence[str]:
        """Return the parrots' names."""
        return tuple(BIRDS)


def _check(request: ChatRequest) -> None:
    """Refuse what a parrot cannot do, in words that a person can act on."""
    if request.model not in BIRDS:
        raise Rejected(
            "There is no such parrot.", f"There are: {', '.join(BIRDS)}.", code="upstream_model_not_found"
        )
    if request.json_schema is not None or request.tools or attachments_of(request.messages):
        raise Rejected(
            "Parrots read and write plain text only.",
            "Choose another model for pictures, files, tools and JSON schemas.",
            code="upstream_text_only",
        )
    if request.temperature:
        raise Rejected(
            "Parrots say the same every time: they know no temperature above 0.",
            "Leave out the temperature for this seat, or choose another model.",
        )


def _repeat(heard: str) -> str:
    words = heard.split()
    return f"You said: {' '.join(words[:MOST_WORDS])}{' …' if len(words) > MOST_WORDS else ''}"


def _count(heard: str) -> str:
    sentences = len(re.findall(r"[.!?…]+(?:\s|$)", heard))
    return f"Words: {len(heard.split())}, sentences: {sentences}."


def _rank(heard: str) -> str:
    words = Counter(word.lower() for word in re.findall(r"\w{3,}", heard))
    often = ", ".join(f"{word} ({number})" for word, number in words.most_common(3))
    return f"The words I heard most: {often or 'none'}."


def _question(heard: str) -> str:
    found = re.findall(r"[^.!?\n]+\?", heard)
    return f"Still open: {' '.join(each.strip() for each in found[:3]) or 'nothing.'}"


BIRDS: dict[str, Callable[[str], str]] = {
    "repeat": _repeat,
    "count": _count,
    "rank": _rank,
    "question": _question,
}
"""What each parrot makes of the last message that it was text."""
