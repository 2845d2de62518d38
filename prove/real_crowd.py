"""`python -m prove.real_crowd FILE`: what the ratings say of a real crowd, from a local file of votes with voters.

The file has LMArena's columns: model_a, model_b, winner, judge, and conversation_a for the prompts. It is only read.
"""

import argparse
import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np

from parley.features.vote_files.columns import NEEDED, FileRow, needed_columns
from parley.features.vote_files.formats import format_of
from parley.features.vote_files.lmarena import prompts_of
from parley.features.vote_files.rows import VoteRows
from parley.kernel.errors import Invalid, ParleyError
from parley.ratings.bradley_terry import Fit, fit
from parley.ratings.clusters import clustered, crowding
from parley.ratings.intervals import HalfWidths, anytime_half_widths, half_widths
from parley.ratings.outcomes import Outcome, outcome_of
from parley.ratings.position import position_effect
from parley.ratings.scale import POINTS
from parley.ratings.votes import Votes
from prove import crowds
from prove.crowds import Cast

COLUMNS = (
    *NEEDED,
    "judge",
    "conversation_a",
    "conversation_b",
    "parley_prompt_sha256",
    "prompt",
    "question_id",
)
SEED = 20261123
BATTLES = 40
"""Of a planted voter with the model that they push, and as many with others."""


def main() -> int:
    """Print the report. Returns 1 where the file cannot be read."""
    parser = argparse.ArgumentParser(prog="python -m prove.real_crowd", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--shuffles", type=int, default=20, help="of voters within each prompt (20)")
    parser.add_argument("--pushers", type=int, default=20, help="planted one after the other (20)")
    parser.add_argument("--splits", type=int, default=200, help="of the voters into halves (200)")
    asked = parser.parse_args()
    try:
        crowd = read_crowd(asked.file)
    except ParleyError as error:
        print(error.title, error.detail or "", file=sys.stderr)
        return 1
    rng = np.random.default_rng(SEED)
    parts = [_people(crowd), flags(crowd, rng, asked.shuffles)]
    for part in (*parts, pushers(crowd, rng, asked.pushers), halves(crowd, rng, asked.splits)):
        print(*part, sep="\n", end="\n\n")
    return 0


def read_crowd(file: Path) -> Cast:
    """Return the votes that name a judge and are between two models. Raises Invalid."""
    check = needed_columns((*NEEDED, "judge"))
    models: dict[str, int] = {}
    voters: dict[str, int] = {}
    prompts: dict[str, int] = {}
    rows: list[tuple[int, int, int, int, int]] = []
    for line, row in VoteRows(file, format_of(str(file)), check, columns=COLUMNS):
        if isinstance(row, str) or (outcome := outcome_of(row.get("winner"))) is None:
            continue
        left, right, judge = (row.get(name) for name in ("model_a", "model_b", "judge"))
        if not left or not right or not judge or left == right:
            continue
        one, other = (models.setdefault(str(model), len(models)) for model in (left, right))
        voter = voters.setdefault(str(judge), len(voters))
        rows.append((one, other, int(outcome), voter, prompts.setdefault(_prompt(row, line), len(prompts))))
    if not rows:
        raise Invalid("file", f"{file.name} has no votes with a judge.", code="no_votes")
    left, right, outcome, voter, prompt = np.array(rows, dtype=np.int32).reshape(-1, 5).T
    votes = Votes(models=tuple(models), left=left, right=right, outcome=outcome, voter=voter)
    return Cast(votes, prompt.astype(np.int64), {})


def flags(crowd: Cast, rng: np.random.Generator, shuffles: int) -> Iterator[str]:
    """Yield who is flagged, and how many are where the voters of each prompt change places."""
    found, taste = _flagged(crowd)
    yield f"Tastes: a standard deviation of {POINTS * taste:.0f} points. Flagged: {len(found)} voters."
    seen: list[int] = []
    again = dict.fromkeys(found, 0)
    for _ in range(shuffles):
        shuffled, _ = _flagged(shuffled_within_prompts(crowd, rng))
        seen.append(len(shuffled))
        for voter in again.keys() & shuffled.keys():
            again[voter] += 1
    for voter, text in found.items():
        yield f"  voter {voter}: {text}; flagged in {again[voter]} of {shuffles} shuffles within prompts"
    if shuffles:
        yield f"Shuffled within prompts, {np.mean(seen):.1f} voters are flagged on average (at most {max(seen)})."


def shuffled_within_prompts(crowd: Cast, rng: np.random.Generator) -> Cast:
    """Return the votes with the voters of each prompt in a random order: prompts keep what suits them."""
    assert crowd.votes.voter is not None
    by_prompt = np.argsort(crowd.prompt, kind="stable")
    at_random = np.lexsort((rng.random(len(crowd.prompt)), crowd.prompt))
    voter = np.empty_like(crowd.votes.voter)
    voter[by_prompt] = crowd.votes.voter[at_random]
    return msgspec.structs.replace(crowd, votes=msgspec.structs.replace(crowd.votes, voter=voter))


def pushers(crowd: Cast, rng: np.random.Generator, number: int) -> Iterator[str]:
    """Yield how many planted voters are found who always vote for one model: whether flags could find anybody."""
    for prompts, own in (("the crowd's prompts", False), ("prompts of their own", True)):
        found = [_is_found(crowd, rng, own) for _ in range(number)]
        if found:
            yield f"Planted pushers of {BATTLES} battles, on {prompts}: {sum(found)} of {number} are found."


def _is_found(crowd: Cast, rng: np.random.Generator, own: bool) -> bool:
    """Return whether somebody is flagged who repeats real comparisons, but votes for one model wherever it is met."""
    votes = crowd.votes
    assert votes.voter is not None
    target = int(rng.choice(votes.left))
    met = (votes.left == target) | (votes.right == target)
    copied = np.concatenate([rng.choice(np.flatnonzero(it), BATTLES) for it in (met, ~met)])
    left, outcome, newcomer = votes.left[copied], votes.outcome[copied], int(votes.voter.max()) + 1
    pushed = np.where(left == target, int(Outcome.WIN), int(Outcome.LOSS))
    columns = {
        "left": left,
        "right": votes.right[copied],
        "outcome": np.where(met[copied], pushed, outcome),
        "voter": np.full(len(copied), newcomer),
    }
    more = {name: np.concatenate([getattr(votes, name), it]).astype(np.int32) for name, it in columns.items()}
    planted = msgspec.structs.replace(votes, **more)
    prompt = int(crowd.prompt.max()) + 1 + np.arange(len(copied)) if own else crowd.prompt[copied]
    found, _ = _flagged(Cast(planted, np.concatenate([crowd.prompt, prompt]), {}))
    return f"v{newcomer}" in found


def halves(crowd: Cast, rng: np.random.Generator, splits: int) -> Iterator[str]:
    """Yield how often the intervals of two halves of the voters agree about a model; 95% should."""
    assert crowd.votes.voter is not None
    people, held = int(crowd.votes.voter.max(initial=-1)) + 1, dict[str, list[float]]()
    for _ in range(splits if people >= 4 else 0):
        first = rng.permutation(people) < people // 2
        parts = [crowd.votes.where(side[crowd.votes.voter]) for side in (first, ~first)]
        fits = [fit(part.pairs()) for part in parts]
        known = ~(fits[0].provisional | fits[1].provisional)
        if known.sum() < 2:
            continue
        by_voter = [clustered(*pair) for pair in zip(fits, parts, strict=True)]
        for name, pair, errors in (
            ("plain", fits, half_widths),
            ("clustered", by_voter, half_widths),
            ("clustered, any time", by_voter, anytime_half_widths),
        ):
            held.setdefault(name, []).append(_agree(pair, known, errors))
    yield f"Halves of the voters agree about a model ({splits} splits; 95% should):"
    yield from (f"  {name}: {np.mean(values):.1%}" for name, values in held.items())


def _people(crowd: Cast) -> Iterator[str]:
    votes, fitted = crowd.votes, fit(crowd.votes.pairs())
    assert votes.voter is not None
    people, prompts = len(np.unique(votes.voter)), len(np.unique(crowd.prompt))
    yield f"{len(votes):,} votes of {people:,} voters on {prompts:,} prompts, {len(votes.models)} models."
    alike, side = crowding(fitted, votes), position_effect(fitted, votes)
    yield f"Effective voters of a model: {np.median(alike.effective):.1f} (median)."
    yield f"The largest share of one voter in a model: {alike.top_share.max():.0%}."
    if side is None:
        yield "One side got every vote that could tell what it is worth."
        return
    if (left := side.worth) is None:
        yield "Models sat on the same sides in nearly all votes: what a side is worth can't be told."
        return
    yield f"The left side is worth {left.points:+.1f} points ({left.ci_lower:+.1f} to {left.ci_upper:+.1f})."


def _flagged(crowd: Cast) -> tuple[dict[str, str], float]:
    found, taste = crowds.flags(crowd)
    texts = {
        voter: f"{it.pattern} {it.model or ''} ({it.e_value:.3g} to 1, {it.votes} votes, {it.prompts} prompts)"
        for voter, it in found.items()
    }
    return texts, taste


def _agree(fits: list[Fit], known: np.ndarray, errors: HalfWidths) -> float:
    """Return the share of models whose difference between the halves is within its interval."""
    one, other = (it.theta[known] - it.theta[known].mean() for it in fits)
    variance = sum(np.diagonal(it.covariance)[known] for it in fits)
    return float((np.abs(one - other) <= errors(np.asarray(variance))).mean())


def _prompt(row: FileRow, line: int) -> str:
    """Return what tells prompts apart; the line where the row names none."""
    if prompts := prompts_of(row):
        return hashlib.sha256(prompts[0].strip().lower().encode("utf-8", "replace")).hexdigest()
    given = row.get("parley_prompt_sha256") or row.get("prompt") or row.get("question_id")
    return str(given) if given else f"line {line}"


if __name__ == "__main__":
    sys.exit(main())
