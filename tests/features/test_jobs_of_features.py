"""Tests of batch jobs in a running Parley: a feature defines a kind, and a restart goes on."""

import asyncio
from pathlib import Path

import pytest

from parley import application
from parley.engine.jobs import Job, Jobs, Steps
from parley.features.feature import Feature
from parley.kernel.parts import Parts
from tests.fakes.running import a_running_parley


async def test_a_job_of_a_feature_goes_on_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, finished = asyncio.Event(), asyncio.Event()
    calls: list[str] = []

    async def call(name: str) -> str:
        calls.append(name)
        return name

    async def run(job: Job, step: Steps) -> None:
        await step("first", lambda: call("first"))
        if not begun.is_set():
            begun.set()
            await asyncio.sleep(3600)
        await step("second", lambda: call("second"))
        finished.set()

    def define(app: Parts) -> None:
        app[Jobs].define("batch", run)

    features = [*application.built_in_features(), Feature(name="batches", start=define)]
    monkeypatch.setattr(application, "built_in_features", lambda: features)
    async with a_running_parley(tmp_path) as parley:
        await parley.application[Jobs].enqueue("batch", {})
        await asyncio.wait_for(begun.wait(), 30)
    async with a_running_parley(tmp_path):
        await asyncio.wait_for(finished.wait(), 30)
    assert calls == ["first", "second"]
