"""A Parley whose team lives on a scripted server."""

from collections.abc import Generator

import pytest

from tests.browser.servers import Served, serve
from tests.browser.team.discussion import MODELS
from tests.browser.test_consortium import models_file
from tests.fakes.upstream import ScriptedUpstream


@pytest.fixture(scope="module")
def scripted(tmp_path_factory: pytest.TempPathFactory) -> Generator[tuple[Served, ScriptedUpstream]]:
    """A Parley whose three models live on a scripted server."""
    folder = tmp_path_factory.mktemp("team")
    server = ScriptedUpstream.start_in_thread()
    with serve(folder / "data", models_file(server, folder, MODELS)) as served:
        yield served, server
    server.stop_thread()


@pytest.fixture
def team(scripted: tuple[Served, ScriptedUpstream]) -> Served:
    return scripted[0]


@pytest.fixture
def upstream(scripted: tuple[Served, ScriptedUpstream]) -> ScriptedUpstream:
    """The scripted server, which has heard and said nothing yet."""
    scripted[1].forget()
    return scripted[1]
