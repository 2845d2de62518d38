"""Loads: plans for the client, run against one server, with what the server used meanwhile."""

import subprocess
from collections.abc import Generator, Mapping
from contextlib import contextmanager

import msgspec

from bench.client import Outcome, Plan
from bench.processes import ROOT, Process, module
from bench.requester import Done, Errand, Errands

PROMPT = "Tell me in a few paragraphs how a river finds its way to the sea."


class Measured(msgspec.Struct):
    """The results of a load, and the server's CPU seconds from its start to its end."""

    outcome: Outcome
    cpu_s: float

    @property
    def cpu_us(self) -> float:
        """Server CPU per token, everything included."""
        return self.cpu_s / max(self.outcome.tokens, 1) * 1e6

    @property
    def window_cpu_us(self) -> float:
        """Server CPU per token while all streams ran and none began or ended."""
        return self.outcome.window_cpu_s / max(self.outcome.window_tokens, 1) * 1e6


class BadRun(Exception):
    """A token is missing, or a stream failed: the run does not count."""


def dialect_plan(server: Process, tokens: int, *, model: str | None = None, **shape: float) -> Plan:
    """Return a plan against a server that speaks the OpenAI dialect."""
    body = {
        "model": model or f"t{tokens}r50",
        "stream": True,
        "stream_options": {"include_usage": True},
        "messages": [{"role": "user", "content": PROMPT}],
    }
    return _plan(server, "/v1/chat/completions", body, tokens, "[DONE]", shape)


def door_plan(server: Process, tokens: int, **shape: float) -> Plan:
    """Return a plan against Parley's door, by which requests pass on as they are."""
    return dialect_plan(server, tokens, model=f"t{tokens}r50-0", **shape)


def chat_plan(server: Process, tokens: int, **shape: float) -> Plan:
    """Return a plan of new chats in Parley."""
    body = {"mode": "chat", "prompt": PROMPT, "seats": {"assistant": f"t{tokens}r50-0"}}
    return _plan(server, "/api/sessions", body, tokens, "turn.completed", shape)


def battle_plan(server: Process, tokens: int, **shape: float) -> Plan:
    """Return a plan of new battles in Parley; its models tagged for battles send `tokens` each."""
    body = {"mode": "battle", "prompt": PROMPT}
    return _plan(server, "/api/sessions", body, 2 * tokens, "turn.completed", shape)


def _plan(
    server: Process, path: str, body: Mapping[str, object], tokens: int, end: str, shape: dict[str, float]
) -> Plan:
    given: dict[str, object] = {"repeats": 1, "ramp_s": 0.0, "deadline_s": 60.0, **shape}
    text = msgspec.json.encode(body).decode()
    fixed = {"port": server.port, "path": path, "body": text, "tokens": tokens, "end": end}
    return msgspec.convert({**given, **fixed}, Plan)


@contextmanager
def running(plan: Plan) -> Generator[list[Outcome]]:
    """Run a plan beside what is done within; its outcome is in the list afterwards."""
    outcomes: list[Outcome] = []
    child = subprocess.Popen(module("client"), cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(msgspec.json.encode(plan))
    child.stdin.close()
    try:
        yield outcomes
    finally:
        said = child.stdout.read()
        child.wait()
    if child.returncode:
        raise BadRun("the client broke off")
    outcomes.append(msgspec.json.decode(said, type=Outcome))


def run_load(server: Process, plan: Plan) -> Measured:
    """Run one plan. Raises BadRun if a token is missing."""
    before = server.cpu_s()
    with running(plan) as outcomes:
        pass
    return checked(Measured(outcomes[0], server.cpu_s() - before))


def checked(measured: Measured) -> Measured:
    """Return the outcome. Raises BadRun if a token is missing."""
    if faults := measured.outcome.faults:
        raise BadRun(f"{len(faults)} of {measured.outcome.requests} streams, such as “{faults[0]}”")
    return measured


def run_errands(server: Process, errands: list[Errand], *, connections: int = 1) -> Done:
    """Send plain requests. Raises BadRun if one is not answered with 200."""
    plan = Errands(server.port, connections, errands)
    ran = subprocess.run(
        module("requester"), cwd=ROOT, input=msgspec.json.encode(plan), capture_output=True, check=False
    )
    if ran.returncode:
        raise BadRun(ran.stderr.decode().strip().splitlines()[-1])
    done = msgspec.json.decode(ran.stdout, type=Done)
    if done.faults:
        raise BadRun(f"{len(done.faults)} requests, such as “{done.faults[0]}”")
    return done
