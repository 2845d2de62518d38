"""The rows of the check: what a person does with real servers, and what must be seen."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

from prove.real.servers import LiteLLM, Llama, Parley

KEY = "sk-real-llama"
SHORT = {"max_output_tokens": 24}
SKY = "Why is the sky blue? Answer in one short sentence."


@dataclass(frozen=True)
class Stage:
    """The servers: `many` has four slots, `one` has one, a small context and a key."""

    parley: Parley
    many: Llama
    one: Llama
    proxy: LiteLLM

    def start(self, mode: str, seats: dict[str, str] | None = None, prompt: str = SKY, **more: Any) -> Any:
        """Play a turn of a new session to its end; return its outcome."""
        settings = dict.fromkeys(seats or {}, SHORT) if mode in ("chat", "compare") else None
        body = {"mode": mode, "prompt": prompt, "seats": seats, "seat_settings": settings, **more}
        return self.parley.post("/api/sessions", {name: value for name, value in body.items() if value})

    def chat(self, model: str, prompt: str = SKY, **more: Any) -> Any:
        """Ask one model; return its reply."""
        return self.start("chat", {"assistant": model}, prompt, **more)["responses"]["assistant"]


class Row(NamedTuple):
    """One row of the table. `check` returns what was seen, and raises AssertionError for anything else."""

    name: str
    expected: str
    check: Callable[[Stage], str]


def discovery(stage: Stage) -> str:
    """Find the servers where they listen."""
    servers = {each["base_url"]: each for each in stage.parley.get("/api/discoveries")["servers"]}
    many, proxy = servers[f"{stage.many.origin}/v1"], servers[f"{stage.proxy.origin}/v1"]
    assert (many["kind"], many["models"][0]["context_window"]) == ("llamacpp", 2048), many
    assert (proxy["kind"], proxy["needs_key"]) == ("litellm", True), proxy
    return f"llama.cpp with {many['models'][0]['context_window']} tokens, LiteLLM with a key"


def adding(stage: Stage) -> str:
    """Add the servers by addresses as people paste them."""
    for server, name, path, key in (
        (stage.many, "many", "/v1/chat/completions", None),
        (stage.one, "one", "", KEY),
        (stage.proxy, "proxy", "/v1/models?return_wildcard_routes=false", LiteLLM.KEY),
    ):
        known = "litellm" if name == "proxy" else None
        place = {"base_url": server.origin.removeprefix("http://") + path, "api_key": key, "known": known}
        offer = stage.parley.post("/api/providers/test", place)
        assert offer["ok"], offer
        model = offer["models"][0]
        facts = ("model", "context_window", "prices", "capabilities")
        added = {**{fact: model[fact] for fact in facts}, "id": name, "battle": name != "proxy"}
        stage.parley.post("/api/providers", {**place, "name": name, "models": [added]})
    cards = {card["id"]: card for card in stage.parley.get("/api/models")["models"]}
    assert [cards[name]["context_window"] for name in ("many", "one", "proxy")] == [2048, 512, 2048], cards
    prices = cards["proxy"]["prices"]
    assert (prices["input"], prices["output"]) == (1.0, 2.0), prices
    return "3 addresses mended; contexts 2048, 512, 2048; the proxy's price"


def wrong_key(stage: Stage) -> str:
    """Test a wrong key and none."""
    for key, code in (("sk-wrong", "key_refused"), (None, "key_missing")):
        offer = stage.parley.post("/api/providers/test", {"base_url": stage.one.origin, "api_key": key})
        assert not offer["ok"], offer
        assert offer["problem"]["code"] == code, offer
    return "key_refused, key_missing"


def chat(stage: Stage) -> str:
    """Ask one model."""
    return _complete(stage.chat("many"))


def battle(stage: Stage) -> str:
    """Let two hidden models answer, and vote."""
    outcome = stage.start("battle")
    _all_complete(outcome, 2)
    vote = stage.parley.post(f"/api/battles/{outcome['battle_id']}/vote", {"vote": "left"})
    assert vote["counted"], vote
    ends = time.monotonic() + 30
    while (table := stage.parley.get("/api/leaderboard"))["votes"] != 1:
        assert time.monotonic() < ends, table
        time.sleep(0.2)
    return "2 complete replies, the vote is on the leaderboard"


def compare(stage: Stage) -> str:
    """Ask three at once."""
    outcome = stage.start("compare", {"a": "many", "b": "many", "c": "proxy"})
    return _all_complete(outcome, 3)


def consortium(stage: Stage) -> str:
    """Let a consortium answer whose arbiter can't write the form that it is asked for."""
    seats = {"arbiter": "many", "a": "many", "b": "many"}
    outcome = stage.start("consortium", seats, brief={"max_iterations": 1})
    return f"turn {_ended(outcome)}"


def team(stage: Stage) -> str:
    """Let a team of two talk one round."""
    outcome = stage.start("team", {"a": "many", "b": "many"}, brief={"rounds": 1, "strategy": "round_robin"})
    return f"turn {_ended(outcome)}"


def stop(stage: Stage) -> str:
    """Stop a turn while its model writes; the server is free at once."""
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(stage.parley.post, "/api/sessions", _long("one"))
        turn_id = _running_turn(stage)
        stage.parley.post(f"/api/turns/{turn_id}/stop")
        reply = asked.result()["responses"]["assistant"]
    assert reply["status"] == "stopped", reply
    began = time.monotonic()
    _complete(stage.chat("one"))
    return f"stopped with {len(reply['content'])} characters; the next answer after {time.monotonic() - began:.1f} s"


def overflow(stage: Stage) -> str:
    """Ask more than the context window holds."""
    reply = stage.chat("one", "The quick brown fox jumps over the lazy dog. " * 120)
    assert reply["error"]["code"] == "upstream_context_too_long", reply
    health = {each["provider"]: each for each in stage.parley.get("/api/models")["providers"]}
    assert health["one"]["state"] == "ok", health["one"]
    return reply["error"]["title"]


def one_slot(stage: Stage) -> str:
    """Ask a server with one slot three times at once."""
    return _all_complete(stage.start("compare", {"a": "one", "b": "one", "c": "one"}), 3)


def killed(stage: Stage) -> str:
    """Kill a server while it writes, then start it again."""
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(stage.parley.post, "/api/sessions", _long("one"))
        _running_turn(stage)
        stage.one.kill()
        reply = asked.result()["responses"]["assistant"]
    assert reply["status"] in ("incomplete", "failed"), reply
    assert stage.chat("one")["error"]["code"] == "upstream_unreachable"
    stage.one.serve()
    began = time.monotonic()
    _complete(stage.chat("one"))
    return f"{reply['status']}; after its restart it answers within {time.monotonic() - began:.1f} s"


def through_the_proxy(stage: Stage) -> str:
    """Ask through LiteLLM's proxy, at its price."""
    outcome = stage.start("chat", {"assistant": "proxy"})
    _complete(outcome["responses"]["assistant"])
    reply = stage.parley.get(f"/api/turns/{outcome['turn_id']}")["turn"]["replies"][0]
    metrics = reply["metrics"]
    assert metrics["cost_micros"] == round(metrics["input_tokens"] + 2 * metrics["output_tokens"]), metrics
    return f"complete, ${metrics['cost_micros'] / 1e6:.6f}"


ROWS = (
    Row("discovery", "both kinds, the context that is served", discovery),
    Row("adding", "any spelling; context and prices saved", adding),
    Row("wrong key", "found by the test", wrong_key),
    Row("chat", "a complete reply", chat),
    Row("battle", "two replies and a vote", battle),
    Row("compare", "three replies", compare),
    Row("consortium", "ends, whatever the arbiter writes", consortium),
    Row("team", "ends with a synthesis", team),
    Row("stop", "stopped, the slot is free", stop),
    Row("context overflow", "said so; the server is not to blame", overflow),
    Row("one slot", "three at once, all answered", one_slot),
    Row("killed server", "said; usable after its restart", killed),
    Row("LiteLLM", "a reply with its cost", through_the_proxy),
)


def _complete(reply: Any) -> str:
    assert reply["status"] == "completed", reply
    assert reply["content"].strip(), reply
    return f"“{' '.join(reply['content'].split())[:40]}…”"


def _all_complete(outcome: Any, number: int) -> str:
    assert len(outcome["responses"]) == number, outcome
    for reply in outcome["responses"].values():
        _complete(reply)
    return f"{number} complete replies"


def _ended(outcome: Any) -> str:
    assert outcome["status"] == "completed", outcome
    return str(outcome["status"])


def _long(model: str) -> dict[str, Any]:
    return {"mode": "chat", "prompt": "Write a long story about a fox.", "seats": {"assistant": model}}


def _running_turn(stage: Stage) -> str:
    """Return the turn that has just begun to answer."""
    ends = time.monotonic() + 30
    while time.monotonic() < ends:
        for newest in stage.parley.get("/api/sessions")["sessions"][:1]:
            turn = stage.parley.get(f"/api/sessions/{newest['id']}")["matches"][-1]["turns"][-1]
            if turn["status"] == "running" and any(reply["text"] for reply in turn["replies"]):
                return str(turn["id"])
        time.sleep(0.1)
    raise AssertionError("no turn began to answer within 30 s")
