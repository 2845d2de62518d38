"""How each character sets out an answer in a consortium: its own manner, in sentences that can be compared."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from parley.connectors.demo.consortium.phrases import Phrases


@dataclass(frozen=True)
class Draft:
    """What is to be set out: sentences, the first one leading, and a piece that stays whole.

    `first`: whether it is the first round, in which a character makes more of its manner. `objection` is the
    sentence that speaks of a risk, `example` the one that is an example, where there are such. `bare`: a result
    that needs no ornament. `back`: a question to the person.
    """

    sentences: tuple[str, ...]
    block: str
    subject: str
    says: Phrases
    first: bool
    bare: bool
    back: str = ""
    objection: str | None = None
    example: str | None = None


Layout: TypeAlias = Callable[[Draft, random.Random], str]


def set_out(character_id: str, draft: Draft, rng: random.Random) -> str:
    """Return the answer as the character writes it."""
    if draft.bare and draft.block and character_id != "demo-pico":
        return _joined(draft.block, " ".join(draft.sentences))
    return _LAYOUTS.get(character_id, _paragraphs)(draft, rng).strip()


def _numbered(draft: Draft, rng: random.Random) -> str:
    del rng
    lead, *rest = _with_example(draft)
    items = "\n".join(f"{number}. {text}" for number, text in enumerate(rest, 1))
    return _joined(lead, draft.block, items)


def _line(draft: Draft, rng: random.Random) -> str:
    del rng
    return _joined(draft.block, "" if draft.block and draft.first else " ".join(draft.sentences))


def _verse(draft: Draft, rng: random.Random) -> str:
    del rng
    opening = draft.says.verse if draft.first and not draft.bare and not draft.block else ""
    lines = "\n".join(f"— {text}" for text in draft.sentences[1:])
    return _joined(opening, draft.sentences[0] if draft.sentences else "", draft.block, lines)


def _questions(draft: Draft, rng: random.Random) -> str:
    del rng
    asks = draft.says.asks_first.format(subject=draft.subject) if draft.first and not draft.bare else ""
    back = draft.back if len(draft.sentences) > 2 and not draft.block else ""
    return _joined(asks, draft.sentences[0] if draft.sentences else "", draft.block, *_rest(draft), back)


def _claim(draft: Draft, rng: random.Random) -> str:
    del rng
    if draft.bare:
        return _joined(draft.block, " ".join(draft.sentences))
    lead, *rest = draft.sentences
    plain = [text for text in rest if text != draft.objection]
    objection = f"{draft.says.but} {draft.objection}" if draft.objection in rest else ""
    return _joined(draft.block, f"{draft.says.claim} {lead}", " ".join(plain), objection)


def _paragraphs(draft: Draft, rng: random.Random) -> str:
    del rng
    lead, *rest = _with_example(draft)
    return _joined(lead, draft.block, " ".join(rest))


def _listening(draft: Draft, rng: random.Random) -> str:
    heard = draft.says.heard.format(subject=draft.subject) if draft.first and not draft.bare else ""
    back = draft.back if draft.first and not draft.bare and rng.random() < 0.7 else ""
    return _joined(heard, " ".join(draft.sentences), draft.block, back)


_LAYOUTS: dict[str, Layout] = {
    "demo-ada": _numbered,
    "demo-pico": _line,
    "demo-lyra": _verse,
    "demo-maieu": _questions,
    "demo-vera": _claim,
    "demo-tilo": _paragraphs,
    "demo-echo": _listening,
}


def _rest(draft: Draft) -> list[str]:
    return [" ".join(draft.sentences[1:])] if len(draft.sentences) > 1 else []


def _with_example(draft: Draft) -> Sequence[str]:
    return [
        draft.says.example.format(text=text) if text == draft.example else text for text in draft.sentences
    ] or [""]


def _joined(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part.strip())
