"""Runs the campaigns: `make prove`. An interrupted run resumes where it stopped.

What is done is kept in `.prove/`, by campaign, seed and state of the code; a finished run writes the report.

    python -m prove.run [--only NAME,…] [--jobs N] [--seed N] [--scale 0.1] [--fresh]
"""

import argparse
import hashlib
import logging
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from prove import report
from prove.campaign import Batch, Campaign, Skipped, Tally, failures
from prove.campaigns import all_campaigns
from prove.report import Result

ROOT = Path(__file__).resolve().parent.parent
STATE = ROOT / ".prove"
DOCUMENT = ROOT / "docs" / "reference" / "reliability.md"
CODE = ("src", "web/src", "prove", "tests/fakes")
"""What a campaign tries; a change here makes what was proved a thing of the past."""

CONTROL_TRIALS = 20
"""The least number of trials in which a planted fault must be caught."""


class Progress(msgspec.Struct):
    """The progress of a campaign."""

    tally: Tally
    done: int = 0
    spent_s: float = 0.0
    control: Tally | None = None


def main() -> int:
    """Run the chosen campaigns; return 1 if a guarantee broke or a planted fault was not caught."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--only",
        default="",
        help="names of campaigns, comma-separated; the others keep their rows of the document",
    )
    parser.add_argument("--seed", type=int, default=20261121)
    parser.add_argument("--scale", type=float, default=1.0, help="a part of all trials; no document")
    parser.add_argument("--fresh", action="store_true", help="forget what an earlier run has done")
    parser.add_argument("--jobs", type=int, default=1, help="how many campaigns to run side by side")
    parser.add_argument("--no-document", action="store_true", help="print the report only")
    asked = parser.parse_args()
    logging.lastResort = None  # what the servers under attack complain of is no finding
    names = [name for name in asked.only.split(",") if name]
    campaigns = [campaign for campaign in all_campaigns() if not names or campaign.name in names]
    if unknown := set(names) - {campaign.name for campaign in campaigns}:
        known = ", ".join(campaign.name for campaign in all_campaigns())
        raise SystemExit(f"There is no campaign “{', '.join(unknown)}”. There are: {known}.")
    if asked.fresh:
        shutil.rmtree(STATE, ignore_errors=True)
    if asked.jobs > 1:
        _side_by_side(campaigns, asked.jobs, asked.seed, asked.scale)
    results = [prove(campaign, asked.seed, asked.scale) for campaign in campaigns]
    print(f"\n{report.markdown(results)}")
    if asked.scale == 1.0 and not asked.no_document:
        report.write(DOCUMENT, results, asked.seed, state=code_state(), campaigns=all_campaigns())
    return 0 if all(result.holds or result.skipped for result in results) else 1


def _side_by_side(campaigns: list[Campaign], jobs: int, seed: int, scale: float) -> None:
    """Run the campaigns in separate processes; their results are stored where `prove` looks for them."""

    def carry_out(campaign: Campaign) -> None:
        options = ["--only", campaign.name, "--seed", str(seed), "--scale", str(scale), "--no-document"]
        done = subprocess.run(
            [sys.executable, "-m", "prove.run", *options],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        print(done.stdout.strip().partition("\n")[0].rpartition("\r")[2], flush=True)

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(carry_out, campaigns))


def prove(campaign: Campaign, seed: int, scale: float) -> Result:
    """Run one campaign to its end, then its control."""
    trials = max(1, round(campaign.trials * scale))
    kept = STATE / f"{campaign.name}-{seed}-{code_state()}.json"
    progress = msgspec.json.decode(kept.read_bytes(), type=Progress) if kept.exists() else Progress(Tally())
    result = Result(name=campaign.name, guarantee=campaign.guarantee, tally=progress.tally)
    try:
        while progress.done < trials:
            count = min(campaign.batch, trials - progress.done)
            begun = time.monotonic()
            progress.tally.add(_run(campaign, progress.done, count, trials, seed))
            progress.done += count
            progress.spent_s += time.monotonic() - begun
            _keep(kept, progress)
        if progress.control is None:
            progress.control = _control(campaign, seed)
            _keep(kept, progress)
        result.control = _judged(campaign, progress.control)
        result.summary = campaign.summary(progress.tally)
        result.tally = _judged(campaign, progress.tally)
    except Skipped as missing:
        result.skipped = str(missing)
    except Exception:
        traceback.print_exc()
        result.tally.failures.append(f"it could not be carried out: {traceback.format_exc(limit=-3)}")
    result.spent_s = progress.spent_s
    print(f"\r{result.line()}", flush=True)
    return result


def _judged(campaign: Campaign, tally: Tally) -> Tally:
    return msgspec.structs.replace(tally, failures=failures(campaign, tally))


def _keep(kept: Path, progress: Progress) -> None:
    STATE.mkdir(exist_ok=True)
    kept.write_bytes(msgspec.json.encode(progress))


def _run(campaign: Campaign, first: int, count: int, trials: int, seed: int) -> Tally:
    done = first

    def step() -> None:
        nonlocal done
        done += 1
        if sys.stderr.isatty() or done % max(1, trials // 20) == 0:
            print(f"\r{campaign.name}: {done} of {trials}", end="", file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory(prefix="parley-prove-") as folder:
        return campaign.run(Batch(first=first, count=count, seed=seed, folder=Path(folder), step=step))


def _control(campaign: Campaign, seed: int) -> Tally:
    with tempfile.TemporaryDirectory(prefix="parley-control-") as folder:
        count = max(CONTROL_TRIALS, campaign.sample)
        return campaign.control(Batch(first=0, count=count, seed=seed, folder=Path(folder)))


def code_state() -> str:
    """Return a digest of the code under test: another state is another run."""
    digest = hashlib.sha256()
    for command in ("ls-files", "-s"), ("diff", "HEAD", "--"):
        listed = subprocess.run(["git", *command, *CODE], cwd=ROOT, capture_output=True, check=True)
        digest.update(listed.stdout)
    return digest.hexdigest()[:12]


if __name__ == "__main__":
    raise SystemExit(main())
