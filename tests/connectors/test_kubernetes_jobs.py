"""Calls as Kubernetes Jobs, on a pocket cluster over HTTP."""

import asyncio
import random
import re
import sys
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path

import pytest

from parley.connectors.kubernetes.cluster import Cluster
from parley.connectors.kubernetes.connector import as_jobs
from parley.connectors.kubernetes.manifests import job
from parley.connectors.kubernetes.setting import KubernetesSetting
from parley.connectors.openai import OpenAIConnector
from parley.kernel.connector import ChatRequest, ListsModels, PassesOn, Progress
from parley.kernel.errors import BrokenOff, Overloaded, Rejected
from parley.kernel.messages import Message
from parley.kernel.models import Provider
from parley.testing import CannedConnector, Forever
from parley.wire.http import HttpClient, WireOptions
from tests.fakes.pocket_cluster import JOBS, NAMESPACE, PODS, SECRETS, Damage
from tests.fakes.pocket_provider import KEY, Jobs, jobs_of
from tests.fakes.upstream import ScriptedUpstream

ROLE = Path(__file__).parents[2] / "deploy/helm/parley/templates/jobs.yaml"
WORDS = [f"word {number} \u2028🎵\n" for number in range(60)]


@pytest.fixture
def singer() -> CannedConnector:
    connector = CannedConnector()
    connector.says("ada", *WORDS)
    return connector


async def until(is_so: Callable[[], object]) -> None:
    async with asyncio.timeout(20):
        while not is_so():  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)


async def until_gone(jobs: Jobs) -> None:
    await until(lambda: not jobs.pocket.names(JOBS))


async def test_a_job_runs_the_command_and_its_log_is_the_answer(tmp_path, monkeypatch) -> None:
    async with ScriptedUpstream() as up:
        up.reply(*WORDS, model="ada")
        provider = Provider("near", "openai", up.url, KEY, local=True, run="job")
        here = OpenAIConnector(provider, HttpClient(WireOptions(allow_loopback=True)))
        async with jobs_of(here, tmp_path, monkeypatch, provider=provider, inside=False) as jobs:
            assert await jobs.ask() == "".join(WORDS)
            await until_gone(jobs)
        assert up.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert [each.phase for each in jobs.progress] == ["queued", "running"]
    assert jobs.pocket.names(PODS) == jobs.pocket.names(SECRETS) == [], "nothing is left"


async def test_the_key_and_the_question_are_in_a_secret_that_goes_with_the_job(
    singer, tmp_path, monkeypatch
) -> None:
    async with jobs_of(singer, tmp_path, monkeypatch) as jobs:
        await jobs.ask(question="a private question")
    [made, secret] = jobs.pocket.made
    assert (made["kind"], secret["kind"]) == ("Job", "Secret")
    assert secret["metadata"]["ownerReferences"][0]["uid"] == made["metadata"]["uid"]
    assert KEY not in str(made)
    assert "private question" not in str(made)


def test_a_job_may_do_nothing_but_its_call() -> None:
    setting = KubernetesSetting(image="parley:1", memory="1Gi", node_selector={"pool": "calls"})
    spec = job(setting, "models", "parley-0", "abc")["spec"]
    pod = spec["template"]["spec"]
    [container] = pod["containers"]
    assert spec["backoffLimit"] == 0
    assert spec["activeDeadlineSeconds"] == 1800
    assert spec["ttlSecondsAfterFinished"] > 0
    assert pod["automountServiceAccountToken"] is False
    assert pod["securityContext"]["runAsNonRoot"]
    assert container["securityContext"]["readOnlyRootFilesystem"]
    assert container["resources"]["limits"]["memory"] == "1Gi"


@pytest.mark.parametrize("seed", range(6))
async def test_damaged_logs_corrupt_no_answer(seed, singer, tmp_path, monkeypatch) -> None:
    async with jobs_of(singer, tmp_path, monkeypatch) as jobs:
        jobs.pocket.damage = Damage(random.Random(seed), 0.06)
        assert await jobs.ask() == "".join(WORDS)
        assert jobs.pocket.damage.done, "something was damaged"


async def test_a_log_without_an_end_is_an_error_and_never_a_stop(singer, tmp_path, monkeypatch) -> None:
    async with jobs_of(singer, tmp_path, monkeypatch) as jobs:
        jobs.pocket.edit = lambda line: b"" if b'\\"end\\"' in line else line
        with pytest.raises(BrokenOff, match="its log ended before the answer did") as raised:
            await jobs.ask()
    assert raised.value.leaf_code == "job_lost"
    assert jobs.text == "".join(WORDS), "what was said is kept"


async def test_the_models_error_is_that_of_the_call(singer, tmp_path, monkeypatch) -> None:
    singer.says("bob", "Half", Overloaded("The server is busy.", retry_after_s=7))
    async with jobs_of(singer, tmp_path, monkeypatch) as jobs:
        with pytest.raises(Overloaded, match="The server is busy") as raised:
            await jobs.ask("bob")
    assert raised.value.retry_after_s == 7


async def test_leaving_removes_the_job(tmp_path, monkeypatch) -> None:
    here = CannedConnector()
    here.says("ada", "one", Forever())
    async with jobs_of(here, tmp_path, monkeypatch) as jobs:
        async with aclosing(jobs.chunks()) as chunks:
            async for chunk in chunks:
                if not isinstance(chunk, Progress):
                    break
        await until_gone(jobs)


async def test_a_pod_that_vanishes_ends_the_call(tmp_path, monkeypatch) -> None:
    here = CannedConnector()
    here.says("ada", "one", Forever())
    async with jobs_of(here, tmp_path, monkeypatch) as jobs:
        monkeypatch.setattr("parley.connectors.kubernetes.cluster.SILENT_S", 0.05)
        waiting = asyncio.create_task(jobs.ask())
        await until(lambda: jobs.text)
        jobs.pocket.lose(jobs.pocket.names(JOBS)[0])
        with pytest.raises(BrokenOff, match="its Pod was removed from the cluster"):
            await waiting


async def test_a_place_is_waited_for_in_plain_words(singer, tmp_path, monkeypatch) -> None:
    async with jobs_of(singer, tmp_path, monkeypatch) as jobs:
        jobs.pocket.pending = "0/3 nodes are available: 3 Insufficient memory."
        async for chunk in jobs.chunks():
            if isinstance(chunk, Progress) and chunk.why:
                jobs.pocket.pending = None
    reasons = [each.why for each in jobs.progress if each.why]
    assert reasons == [
        "No node of the cluster has room for it: 0/3 nodes are available: 3 Insufficient memory"
    ]
    assert jobs.progress[-1].phase == "running"


async def test_no_place_in_time_says_why(singer, tmp_path, monkeypatch) -> None:
    async with jobs_of(singer, tmp_path, monkeypatch, start_s=1) as jobs:
        jobs.pocket.pending = "0/3 nodes are available: 3 Insufficient memory."
        with pytest.raises(Overloaded, match="No node of the cluster has room") as raised:
            await jobs.ask()
    assert raised.value.leaf_code == "job_not_started"


async def test_an_image_that_is_not_there_is_named_at_once(singer, tmp_path, monkeypatch) -> None:
    async with jobs_of(singer, tmp_path, monkeypatch) as jobs:
        jobs.pocket.waiting = {"reason": "ImagePullBackOff", "message": "not found"}
        with pytest.raises(Rejected, match=r"can't pull the image parley:1 .*ImagePullBackOff") as raised:
            await jobs.ask()
    assert raised.value.leaf_code == "job_image"


@pytest.mark.parametrize(
    ("status", "said", "kind", "code"),
    [
        (403, "jobs.batch is forbidden", Rejected, "job_forbidden"),
        (403, "exceeded quota: calls", Overloaded, "upstream_overloaded"),
        (422, "the image is invalid", Rejected, "job_refused"),
    ],
)
async def test_a_refusal_of_the_cluster_is_explained(
    status, said, kind, code, singer, tmp_path, monkeypatch
) -> None:
    async with jobs_of(singer, tmp_path, monkeypatch) as jobs:
        jobs.pocket.refuses["create", "jobs"] = (status, said)
        with pytest.raises(kind, match=said) as raised:
            await jobs.ask()
    assert raised.value.leaf_code == code


async def test_only_jobs_that_nobody_knows_are_swept(singer, tmp_path, monkeypatch) -> None:
    singer.says("bob", Forever())
    async with jobs_of(singer, tmp_path, monkeypatch) as jobs:
        waiting = asyncio.create_task(jobs.ask("bob"))
        await until(lambda: jobs.pocket.names(SECRETS))
        [known] = jobs.pocket.names(JOBS)
        objects = jobs.pocket.api.objects
        for name, server, installation in (
            ("lost", "parley-0", "parley"),
            ("of-a-dead-server", "parley-gone", "parley"),
            ("of-a-living-server", "parley-1", "parley"),
            ("of-another-installation", "parley-0", "other"),
        ):
            setting = KubernetesSetting(image="parley:1", name=installation)
            objects[JOBS, NAMESPACE, f"parley-call-{name}"] = job(setting, NAMESPACE, server, name)
        objects[PODS, NAMESPACE, "parley-1"] = {
            "metadata": {"name": "parley-1"},
            "status": {"phase": "Running"},
        }
        assert sorted(await jobs.cluster.sweep()) == ["lost", "of-a-dead-server"]
        assert set(jobs.pocket.names(JOBS)) == {
            known,
            "parley-call-of-a-living-server",
            "parley-call-of-another-installation",
        }
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)


async def test_the_charts_role_has_exactly_the_verbs_that_are_used(singer, tmp_path, monkeypatch) -> None:
    async with jobs_of(singer, tmp_path, monkeypatch) as jobs:
        await jobs.ask()
        await until_gone(jobs)
        await jobs.cluster.sweep()
    used = {("get" if verb == "fetch" else verb, resource) for verb, resource in jobs.pocket.used}
    rules = re.findall(r"resources: \[(\S+)\], verbs: \[(.+)\]", ROLE.read_text())
    assert used == {(verb, resource) for resource, verbs in rules for verb in verbs.split(", ")}


async def test_what_is_no_call_is_asked_from_here() -> None:
    provider = Provider("near", "openai", "http://127.0.0.1:1/v1", run="job")
    client = HttpClient(WireOptions(allow_loopback=True))
    connector = as_jobs(provider, OpenAIConnector(provider, client), None)
    assert isinstance(connector, ListsModels)
    assert not isinstance(connector, PassesOn), "a program's request becomes one that a Job can carry"
    with pytest.raises(Rejected, match="the setting `kubernetes` is missing"):
        await anext(connector.stream(ChatRequest(model="ada", messages=())))


async def test_without_the_extra_the_message_says_what_to_install(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "lightkube", None)
    cluster = Cluster(KubernetesSetting(image="parley:1"))
    connector = as_jobs(Provider("near", "openai", run="job"), CannedConnector(), cluster)
    with pytest.raises(Rejected, match="need the package lightkube") as raised:
        async for _ in connector.stream(ChatRequest(model="ada", messages=(Message("user", "Sing"),))):
            pass
    assert "pip install 'parley[kubernetes]'" in (raised.value.detail or "")


async def test_a_question_that_no_secret_holds_is_refused(singer, tmp_path, monkeypatch) -> None:
    async with jobs_of(singer, tmp_path, monkeypatch) as jobs:
        with pytest.raises(Rejected, match=r"1\.2 MB"):
            await jobs.ask(question="x" * 1_200_000)
    assert jobs.pocket.made == []
