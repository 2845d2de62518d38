"""The rows of streaming: CPU per token, time to the first token, memory, concurrent battles."""

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec

from bench.bar import Row, failed, judged, median, quantile, skipped
from bench.client import Plan
from bench.loads import (
    BadRun,
    Measured,
    battle_plan,
    chat_plan,
    checked,
    dialect_plan,
    door_plan,
    run_load,
    running,
)
from bench.processes import ROOT, MemoryWatch, Process, module

Planner = Callable[..., Plan]
CPU = "CPU per token, 100 streams of 200 tokens, against the pass-through"
PASSED = "CPU per token through the door, passed on as it is, against the pass-through"
PASSED_STEADY = "the same through the door while the streams run"
STEADY = "the same while the streams run, none beginning or ending"
TTFT = "added time to the first token, 100 streams (25 new chats a second), p50 / p99"
MANY = "added time to the first token, 1,000 streams open (10 new chats a second), p50 / p99"
MEMORY = "memory per stream, 1,000 streams"
BATTLES_S = 26
"""Eight seconds until all have begun, and 800 tokens at nine tenths of 50 a second."""

BATTLES = "concurrent battles of two, loop lag p99"


class Rival(msgspec.Struct):
    """A server under the same load as others, and how to ask it."""

    name: str
    server: Process
    plan: Planner


def hundred_streams(parley: Process, bare: Process, upstream: Process, *, rounds: int) -> Iterator[Row]:
    """Interleave runs of 100 streams: pass-through, chats, the door, pass-through, chats …"""
    rivals = (
        Rival("bare", bare, dialect_plan),
        Rival("parley", parley, chat_plan),
        Rival("door", parley, door_plan),
    )
    shape = {"streams": 100, "repeats": min(2, rounds), "ramp_s": 4.0}
    try:
        direct = run_load(
            upstream, dialect_plan(upstream, 50, streams=100, repeats=3, ramp_s=1.0)
        ).outcome.ttft
        whole = _interleaved(rivals, rounds, lambda rival: rival.plan(rival.server, 200, **shape))
        steady = _interleaved(rivals, rounds - 1, lambda rival: _steady_plan(rival, 100))
    except BadRun as bad:
        yield failed(CPU, str(bad))
        return
    yield _ratio_row(CPU, whole, lambda run: run.cpu_us)
    yield _ratio_row(PASSED, whole, lambda run: run.cpu_us, name="door")
    if steady["bare"]:
        yield _ratio_row(STEADY, steady, lambda run: run.window_cpu_us, bar=False)
        yield _ratio_row(PASSED_STEADY, steady, lambda run: run.window_cpu_us, bar=False, name="door")
    yield _ttft_row(TTFT, whole["parley"], direct, (3.0, 8.0), (1.5, 4.0))
    yield _ttft_row("the same through the pass-through", whole["bare"], direct)


def thousand_streams(parley: Process, bare: Process) -> Iterator[Row]:
    """Open 1,000 long streams, and time new ones among them."""
    rivals = (Rival("bare", bare, dialect_plan), Rival("parley", parley, chat_plan))
    try:
        # The first streams of a process make room that later ones use again: it is not asked of each.
        run_load(parley, chat_plan(parley, 200, streams=50, ramp_s=2.0))
        with MemoryWatch(parley) as memory:
            found = {rival.name: _among_many(rival, 1000) for rival in reversed(rivals)}
    except BadRun as bad:
        yield failed(MANY, str(bad))
        return
    ttft = {name: [value * 1000 for value in among.outcome.ttft] for name, among in found.items()}
    for name, what in (("parley", MANY), ("bare", "the same through the pass-through")):
        p50, p99 = quantile(ttft[name], 0.5), quantile(ttft[name], 0.99)
        figure = f"{p50:.1f} / {p99:.1f} ms"
        if name == "parley":
            yield judged(what, figure, (p50, p99), must=(15, 50), stretch=(8, 20), unit="ms")
        else:
            yield Row(what=what, figure=figure)
    cpu = {name: found[name].window_cpu_us for name in found}
    figure = f"{cpu['parley'] / cpu['bare']:.2f}× ({cpu['parley']:.0f} : {cpu['bare']:.0f} µs)"
    yield Row(what="CPU per token while 1,000 streams run", figure=figure)
    each = (memory.most_mb - memory.before_mb) * 1000 / 1000
    yield judged(MEMORY, f"{each:.0f} kB", (each,), must=(60,), stretch=(30,), unit="kB")


def many_battles(parley: Process, counts: tuple[int, ...]) -> Iterator[Row]:
    """Play battles at once, fewer each time until the loop keeps up; the first count is the bar's."""
    for count in counts:
        try:
            with probed(parley) as lags:
                run = run_load(parley, battle_plan(parley, 800, streams=count, ramp_s=8.0, deadline_s=75.0))
        except BadRun as bad:
            yield failed(f"{count} {BATTLES}", str(bad))
            continue
        lag = quantile(lags, 0.99) * 1000
        took = f"all ended after {run.outcome.lasted_s:.0f} s, unhindered {BATTLES_S} s"
        figure = f"{lag:.0f} ms; {took}; {run.cpu_us:.0f} µs CPU per token"
        yield judged(f"{count} {BATTLES}", figure, (lag,), must=(50,), unit="ms")
        if lag <= 50:
            return


@contextmanager
def probed(server: Process) -> Iterator[list[float]]:
    """Time /healthz all the while; the times, in seconds, are in the list afterwards."""
    lags: list[float] = []
    command = module("prober", server.port)
    child = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        yield lags
    finally:
        said, _ = child.communicate()
    if child.returncode:
        raise BadRun("/healthz did not answer within ten seconds")
    lags.extend(msgspec.json.decode(said, type=list[float]))


def skipped_many(why: str) -> Iterator[Row]:
    """Return the rows of many streams as not measured."""
    yield skipped(MANY, why)
    yield skipped(MEMORY, why)


def _interleaved(
    rivals: tuple[Rival, ...], rounds: int, plan: Callable[[Rival], Plan]
) -> dict[str, list[Measured]]:
    runs: dict[str, list[Measured]] = {rival.name: [] for rival in rivals}
    for _ in range(rounds):
        for rival in rivals:
            runs[rival.name].append(run_load(rival.server, plan(rival)))
    return runs


def _steady_plan(rival: Rival, streams: int) -> Plan:
    plan = rival.plan(rival.server, 400, streams=streams, ramp_s=4.0)
    return msgspec.structs.replace(plan, watched_pid=rival.server.pid, window_s=(4.5, 7.5))


def _among_many(rival: Rival, streams: int) -> Measured:
    """Start new chats while many others stream; return the new ones with the others' CPU."""
    plan = rival.plan(rival.server, 800, streams=streams, ramp_s=8.0, deadline_s=75.0)
    plan = msgspec.structs.replace(plan, watched_pid=rival.server.pid, window_s=(8.5, 15.5))
    with running(plan) as outcomes:
        time.sleep(8.5)
        few = run_load(rival.server, rival.plan(rival.server, 8, streams=70, ramp_s=7.0))
    many = checked(Measured(outcomes[0], 0.0)).outcome
    few.outcome.window_tokens, few.outcome.window_cpu_s = many.window_tokens, many.window_cpu_s
    return few


def _ratio_row(
    what: str,
    runs: dict[str, list[Measured]],
    cost: Callable[[Measured], float],
    *,
    bar: bool = True,
    name: str = "parley",
) -> Row:
    ours, bare = ([cost(run) for run in runs[each]] for each in (name, "bare"))
    ratio = median([mine / other for mine, other in zip(ours, bare, strict=True)])
    figure = f"{ratio:.2f}× ({median(ours):.0f} : {median(bare):.0f} µs)"
    if not bar:
        return Row(what=what, figure=figure)
    return judged(what, figure, (ratio,), must=(1.0,), stretch=(0.6,), unit="×")


def _ttft_row(
    what: str,
    runs: list[Measured],
    direct: list[float],
    must: tuple[float, ...] = (),
    stretch: tuple[float, ...] = (),
) -> Row:
    times = [value for run in runs for value in run.outcome.ttft]
    added = [(quantile(times, share) - median(direct)) * 1000 for share in (0.5, 0.99)]
    figure = " / ".join(f"{value:.1f}" for value in added) + " ms"
    if not must:
        return Row(what=what, figure=figure)
    return judged(what, figure, added, must=must, stretch=stretch, unit="ms")
