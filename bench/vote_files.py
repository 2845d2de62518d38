"""How long a file of votes takes to go in and to come out, and how much memory: `python -m bench.vote_files`."""

import argparse
import hashlib
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec

COMMAND = [sys.executable, "-c", "import sys; sys.argv[0] = 'parley'; from parley.cli import main; main()"]
LIMIT_S = 60.0
"""A million votes should be in within this time on two cores."""


def write_votes(path: Path, number: int) -> None:
    """Write votes as an arena's log has them: sixty models, forty thousand people, one vote every fifteen seconds."""
    rng, at = random.Random(1), 1.6e9
    models = [f"model-{place}" for place in range(60)]
    encoder = msgspec.json.Encoder()
    with path.open("wb") as file:
        for place in range(number):
            at += rng.random() * 30
            left, right = rng.sample(models, 2)
            row = {
                "question_id": hashlib.sha256(str(place).encode()).hexdigest()[:32],
                "model_a": left,
                "model_b": right,
                "winner": rng.choice(["model_a", "model_b", "tie", "tie (bothbad)"]),
                "judge": f"arena_user_{rng.randrange(40_000)}",
                "turn": 1,
                "anony": True,
                "language": rng.choice(["English", "German", "Chinese"]),
                "tstamp": round(at, 4),
            }
            file.write(encoder.encode(row) + b"\n")


def run(folder: Path, *arguments: str) -> tuple[float, float, float]:
    """Run a command of `parley votes`; return seconds, seconds of processor, and MB at most."""
    begun = time.perf_counter()
    process = subprocess.Popen(
        [*COMMAND, "votes", *arguments, "--data-dir", str(folder / "data")], cwd=folder
    )
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"parley votes {' '.join(arguments)} failed")
    return time.perf_counter() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--votes", type=int, default=1_000_000)
    parser.add_argument("--format", choices=["jsonl", "csv", "parquet"], default="jsonl")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_votes(folder / "votes.jsonl", asked.votes)
        out = f"out.{asked.format}"
        steps = [
            ("import", ("import", "votes.jsonl", "--yes")),
            (f"export as {asked.format}", ("export", out)),
        ]
        for title, arguments in steps:
            wall, processor, memory = run(folder, *arguments)
            mark = "" if title != "import" else " ✓" if wall <= LIMIT_S * asked.votes / 1e6 else " ✗"
            print(
                f"{title}: {wall:.1f} s ({processor:.1f} s of processor), {memory:.0f} MB{mark}", flush=True
            )


if __name__ == "__main__":
    main()
