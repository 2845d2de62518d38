"""No struct is resolved once threads run: two threads that do so at once crash the process."""

from pathlib import Path

import httpx2  # noqa: TID251 - speaks to loopback only
import pytest

from tests.fakes.process import processes

HOOK = """
import sys, threading, traceback
def note(frame, event, argument):
    if event == "call" and frame.f_code.co_name == "get_class_annotations":
        callers = [each.name for each in traceback.extract_stack(frame)]
        at_start = "resolve_structs" in callers
        imported = "exec_module" in callers or "_run_code" in callers
        with open(FILE, "a") as out:
            print("early" if at_start or imported else f"late {frame.f_locals['obj']}", file=out)
sys.setprofile(note)
threading.setprofile(note)
from parley.connectors.demo import connector
connector._speed_of = lambda url: 10_000.0
"""
"""Runs before anything else in the server's process. The demo's pauses would be most of the test's time."""
CONSORTIUM = {
    "mode": "consortium",
    "seats": {"arbiter": "demo-ada", "a": "demo-pico", "b": "demo-pico", "c": "demo-ada"},
}
TEAM = {
    "mode": "team",
    "seats": {"a": "demo-pico", "b": "demo-ada", "c": "demo-pico"},
    "brief": {"rounds": 1},
}


@pytest.mark.slow
def test_every_struct_is_resolved_before_threads_start(tmp_path: Path) -> None:
    seen = tmp_path / "seen.txt"
    (tmp_path / "hook").mkdir()
    (tmp_path / "hook" / "sitecustomize.py").write_text(f"FILE = {str(seen)!r}\n{HOOK}", "utf-8")
    with processes(tmp_path, Path()) as start:
        server = start(PYTHONPATH=str(tmp_path / "hook"), PARLEY_MODELS="").wait_until_ready()
        with httpx2.Client(base_url=server.base_url, timeout=60) as client:
            for mode in ({"mode": "battle"}, {"mode": "chat"}, CONSORTIUM, TEAM):
                asked = client.post("/api/sessions", json={"prompt": "Explain recursion", **mode})
                assert asked.status_code == 200, asked.text
                client.get(f"/api/sessions/{asked.json()['session_id']}").raise_for_status()
            for path in ("/api/leaderboard", "/api/models", "/api/votes", "/api/presets"):
                client.get(path).raise_for_status()
    lines = seen.read_text("utf-8").splitlines()
    assert lines.count("early") > 100
    assert [line for line in lines if line != "early"] == []
