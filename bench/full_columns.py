"""Votes in the columns of LMArena's published log: styles of both replies, tags and criteria, some 1,100 bytes each."""

import hashlib
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

MODELS = tuple(
    f"maker-model-{place}-{('instruct', 'chat', 'preview', '20240513')[place % 4]}" for place in range(120)
)
LANGUAGES = ("English",) * 10 + ("Russian", "Chinese", "German", "French", "Spanish", "unknown")
WINNERS = ("model_a",) * 7 + ("model_b",) * 7 + ("tie", "tie (bothbad)") * 3
CRITERIA = (
    *("complexity", "creativity", "domain_knowledge", "problem_solving"),
    *("real_world", "specificity", "technical_accuracy"),
)
PEOPLE, REGULARS = 300_000, 5_000
APART_S = 40.0


def write_full(path: Path, number: int, *, first: int = 0) -> None:
    """Write votes as JSON Lines, numbered from `first` and one after another in time."""
    encoder = msgspec.json.Encoder()
    with path.open("wb") as file:
        for row in full_rows(number, first=first):
            file.write(encoder.encode(row) + b"\n")


def full_rows(number: int, *, first: int = 0) -> Iterator[dict[str, Any]]:
    """Yield votes; two of five are those of a few thousand people who come often."""
    rng, at = random.Random(first), 1.68e9 + first * APART_S / 2
    for place in range(first, first + number):
        at += rng.random() * APART_S
        left, right = rng.sample(MODELS, 2)
        yield {
            "question_id": hashlib.sha256(str(place).encode()).hexdigest()[:32],
            "model_a": left,
            "model_b": right,
            "winner": rng.choice(WINNERS),
            "judge": f"arena_user_{rng.randrange(PEOPLE if rng.random() < 0.6 else REGULARS)}",
            "turn": 1 if rng.random() < 0.85 else rng.randrange(2, 6),
            "anony": True,
            "language": rng.choice(LANGUAGES),
            "tstamp": round(at, 4),
            "conv_metadata": {**_style("a", rng), **_style("b", rng), "turns": 1, "sum_user_tokens": 40},
            "is_code": rng.random() < 0.2,
            "is_refusal": False,
            "dedup_tag": {"high_freq": False, "sampled": True},
            "category_tag": {
                "criteria_v0.1": {name: rng.random() < 0.5 for name in CRITERIA},
                "math_v0.1": {"math": rng.random() < 0.1},
                "if_v0.1": {"if": rng.random() < 0.25, "score": rng.randrange(6)},
                "creative_writing_v0.1": {"creative_writing": rng.random() < 0.1, "score": "no"},
            },
            "judge_hash": hashlib.sha256(str(rng.randrange(PEOPLE)).encode()).hexdigest(),
        }


def _style(side: str, rng: random.Random) -> dict[str, Any]:
    headers = {f"h{level}": rng.randrange(6) if level == 3 else 0 for level in range(1, 7)}
    return {
        f"sum_assistant_{side}_tokens": rng.randrange(10, 1_200),
        f"header_count_{side}": headers,
        f"list_count_{side}": {"ordered": rng.randrange(12), "unordered": rng.randrange(20)},
        f"bold_count_{side}": {"**": rng.randrange(25), "__": 0},
        f"context_{side}_tokens": rng.randrange(10, 3_000),
    }
