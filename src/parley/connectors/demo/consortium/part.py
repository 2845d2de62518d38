"""Playing a part: from a consortium's prompt to the reply of whoever was asked."""

import random
from collections.abc import Sequence

from parley.connectors.demo.consortium.arbiter import judge_round
from parley.connectors.demo.consortium.member import answer_as_member
from parley.connectors.demo.consortium.prompt_reading import part_asked, read_arbiter_task, read_member_task
from parley.connectors.demo.consortium.ranking import rank_answers
from parley.kernel.messages import Message, sha256_text, text_of


def play_part(character_id: str, messages: Sequence[Message], seed: int) -> str | None:
    """Return the character's reply in the tags that were asked for; None where no part in a consortium is asked.

    The same for the same messages and seed.
    """
    part = part_asked(messages)
    if part is None:
        return None
    if part == "member":
        member = read_member_task(messages)
        return answer_as_member(character_id, member, _dice(character_id, member.question, seed)).text()
    task = read_arbiter_task(text_of(messages[-1]))
    dice = _dice(character_id, task.question, 0)
    if part == "arbiter":
        return judge_round(character_id, task, dice).text()
    return rank_answers(character_id, task, dice)


def _dice(character_id: str, question: str, seed: int) -> random.Random:
    return random.Random(f"{character_id}|{seed}|{sha256_text(question)}")  # noqa: S311 - a style, not a secret
