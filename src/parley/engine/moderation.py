"""Moderation of everything that is asked: the words of a turn before it begins, those of any other call, and answers.

A turn's words are checked once, wherever its mode sends them: calls within an ensemble, and those of a turn, are not
checked again. Every answer is checked, also those within ensembles.
"""

from collections import deque
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing
from typing import TypeVar, cast

import msgspec

from parley.kernel.calls import Call
from parley.kernel.connector import Chunk, Delta, Finish, Piece, Progress
from parley.kernel.errors import NotFound, Problem, UpstreamError
from parley.kernel.inputs import TurnInput, attached_to, text_of
from parley.kernel.messages import PLAIN_TEXT, Attachment, FilePart, Message, TextPart, ToolCall
from parley.kernel.moderation import Held, Moderator, Utterance
from parley.kernel.passed import Passed
from parley.kernel.ports import Blobs, TurnScript

CHECKED_BEFORE = frozenset({"title", "categories", "lab_judge", "lab_reflect"})
"""Purposes of Parley's own questions about what people have said: it was checked when they said it."""

ROUTING = "routing"
"""Auto's question comes before what it is about: it is checked too, and filed when that is."""

MODERATION = "moderation"
"""The purpose of the calls by which rules are decided."""

_NOT_BY_PEOPLE = frozenset({"assistant", "tool", "function"})

_SPOKEN_IN = ("messages", "input")

ChunkT = TypeVar("ChunkT", Chunk, Piece)


async def check_turn(moderator: Moderator, blobs: Blobs | None, script: TurnScript) -> None:
    """Check what a person says by the input of a turn, and the instructions of its seats. Raises Held."""
    if moderator.watches("prompt"):
        rules = [part for seat in script.seats for rule in seat.settings.rules for part in _parts(rule)]
        await _check_input(moderator, blobs, script, script.input, rules)


async def check_interjection(
    moderator: Moderator, blobs: Blobs | None, script: TurnScript, turn_input: TurnInput
) -> None:
    """Check what a person says while a turn runs. Raises Held."""
    if moderator.watches("prompt"):
        await _check_input(moderator, blobs, script, turn_input, ())


async def _check_input(
    moderator: Moderator, blobs: Blobs | None, script: TurnScript, turn_input: TurnInput, more: Sequence[str]
) -> None:
    files = await _texts_of_files(blobs, [each.part for each in attached_to(turn_input)])
    await moderator.check(
        Utterance(
            moment="prompt",
            texts=_distinct((text_of(turn_input), *files, *more)),
            owner_id=script.owner_id,
            author_id=script.author_id or script.owner_id,
            purpose="reply",
            turn_id=script.turn_id,
            sealed=script.seal is not None,
        )
    )


async def check_call(moderator: Moderator, blobs: Blobs | None, call: Call) -> None:
    """Check what a person says by a call outside of turns. Raises Held."""
    if call.turn_id or call.inner or call.purpose in CHECKED_BEFORE or not moderator.watches("prompt"):
        return
    messages = [message for message in call.messages if message.role not in _NOT_BY_PEOPLE]
    files = [part for each in messages for part in each.content if isinstance(part, FilePart)]
    texts = _texts_passed(call.passed) if call.passed else (part for it in messages for part in _parts(it))
    await moderator.check(
        Utterance(
            moment="prompt",
            texts=_distinct((*texts, *await _texts_of_files(blobs, files))),
            owner_id=call.owner_id,
            author_id=call.author_id or call.owner_id,
            purpose=call.purpose,
            filed=call.purpose != ROUTING,
        )
    )


async def checked(moderator: Moderator, call: Call, chunks: AsyncGenerator[ChunkT]) -> AsyncGenerator[ChunkT]:
    """Yield an answer, and its end once it has been checked; all of it only then, if the rules want that. Raises Held.

    What a provider breaks off is checked too, before its error.
    """
    words: dict[str, list[str]] = {}
    waiting: list[ChunkT] = []
    failure: UpstreamError | None = None
    waits = moderator.checks_before_showing
    async with aclosing(chunks):
        try:
            async for chunk in chunks:
                waits = _read(chunk, words) or waits
                if waits and not isinstance(chunk, Progress):
                    waiting.append(chunk)
                else:
                    yield chunk
        except UpstreamError as error:
            failure = error
    await _check_answer(moderator, call, {channel: "".join(pieces) for channel, pieces in words.items()})
    for chunk in waiting:
        yield chunk
    if failure is not None:
        raise failure


def checks_answer(moderator: Moderator, call: Call) -> bool:
    """Return whether the answer to a call is checked."""
    return moderator.watches("reply") and call.purpose not in CHECKED_BEFORE | {ROUTING, MODERATION}


async def held_in_part(moderator: Moderator, call: Call, shown: Mapping[str, str]) -> Problem | None:
    """Return why what was shown of an answer until somebody stopped it is held; None if it is not."""
    try:
        if checks_answer(moderator, call):
            await _check_answer(moderator, call, shown, stopped=True)
    except Held as error:
        return error.problem
    return None


async def _check_answer(
    moderator: Moderator, call: Call, texts: Mapping[str, str], *, stopped: bool = False
) -> None:
    """Check what was said in answer to a call, by channel. Raises Held."""
    await moderator.check(
        Utterance(
            moment="reply",
            texts=_distinct(texts.values()),
            owner_id=call.owner_id,
            author_id=call.author_id or call.owner_id,
            purpose=call.purpose,
            turn_id=call.turn_id,
            reply_id=call.reply_id if call.turn_id else None,
            model_id=call.model_id,
            answer=(texts.get("text", ""), texts.get("reasoning", "")),
            blind=call.blind,
            stopped=stopped,
            sealed=call.sealed,
        )
    )


def _read(chunk: Chunk | Piece, words: dict[str, list[str]]) -> bool:
    """Collect the words of a chunk by channel; return whether the answer ends with it."""
    if isinstance(chunk, Piece):
        ends = [_read(each, words) for each in chunk.chunks]
        return any(ends)
    if isinstance(chunk, Delta):
        words.setdefault(chunk.channel, []).append(chunk.text)
    elif isinstance(chunk, ToolCall):
        words.setdefault("tools", []).append(f"{chunk.arguments}\n")
    return isinstance(chunk, Finish)


def _parts(message: Message) -> Iterator[str]:
    """Yield the texts of a message."""
    content = message.content
    if isinstance(content, str):
        yield content
    else:
        yield from (part.text for part in content if isinstance(part, TextPart))


async def _texts_of_files(blobs: Blobs | None, parts: Sequence[Attachment]) -> list[str]:
    """Return the texts of files that are sent as text; one that is gone can't be sent either."""
    texts: list[str] = []
    for part in parts:
        if blobs is not None and isinstance(part, FilePart) and part.media_type == PLAIN_TEXT:
            try:
                texts.append((await blobs.read(part.sha256)).decode("utf-8", "replace"))
            except NotFound:
                continue
    return texts


def _texts_passed(passed: Passed) -> Iterator[str]:
    """Yield the texts of a program's request: its input, or what its messages say that no model and no tool wrote."""
    sent = {name: msgspec.json.decode(raw) for name, raw in passed.fields.items() if name in _SPOKEN_IN}
    waiting = deque[object](sent.values())
    while waiting:
        each = waiting.popleft()
        if isinstance(each, str):
            yield each
        elif isinstance(each, list):
            waiting += cast("list[object]", each)
        elif isinstance(each, dict):
            fields = cast("dict[str, object]", each)
            if fields.get("role") not in _NOT_BY_PEOPLE:
                waiting += [fields[name] for name in ("content", "text") if name in fields]


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in texts if text.strip()))
