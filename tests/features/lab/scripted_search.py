"""A scripted model whose quality is known, and a reflecting model that plants a better prompt."""

import random

from parley.features.lab.improve.rows import HoldOut, OpenRow, Scored, SealedRow, Texts

SEED = {"message 1": "Answer: {{question}}"}
BASE, LIFT = 0.35, 0.3
PLANTED = "Think step by step."


class ScriptedModel:
    """Answers rightly with a chance that the prompt decides, and the row's own ease shifts."""

    def __init__(self, seed: int, lift: float = LIFT) -> None:
        self.random = random.Random(seed)
        self.lift = lift
        self.answers = self.reflections = 0
        self.seen: list[str] = []

    async def evaluate(self, texts: Texts, row: OpenRow | SealedRow) -> Scored:
        self.answers += 1
        self.seen.append(row.id)
        ease = float(str(row.values["ease"]))
        chance = BASE + ease + (self.lift if PLANTED in texts["message 1"] else 0)
        right = self.random.random() < chance
        return Scored(
            score=float(right), output="42" if right else "41", feedback="" if right else "Wrong sum."
        )

    async def reflect(self, prompt: str) -> str:
        self.reflections += 1
        useful = self.reflections % 3 == 0
        text = (
            f"{PLANTED} Answer: {{{{question}}}}"
            if useful
            else f"Be brief ({self.reflections}): {{{{question}}}}"
        )
        return f"```\n{text}\n```"


def rows(kind: type, name: str, count: int, seed: int = 0) -> list:
    """Return rows of a kind, with an ease between -0.2 and 0.2 that averages 0."""
    chance = random.Random(f"{seed}{name}")
    return [
        kind(id=f"{name}{number}", values={"question": f"{name} {number}", "ease": chance.uniform(-0.2, 0.2)})
        for number in range(count)
    ]


def split(seed: int = 0, held_out: int = 80) -> tuple[list[OpenRow], list[OpenRow], HoldOut]:
    """Return rows for training, for validation, and held out."""
    return (
        rows(OpenRow, "train", 30, seed),
        rows(OpenRow, "valid", 40, seed),
        HoldOut(rows(SealedRow, "sealed", held_out, seed)),
    )
