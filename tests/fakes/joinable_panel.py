"""A panel: an open mode of one to four panelists and a chair who is not asked, for tests of seats."""

from types import SimpleNamespace

import pytest

from parley import connectors, modes
from parley.kernel.mode import Brief, Mode, Stage
from parley.kernel.seats import Group, Seating
from parley.plugins.hookspecs import hookimpl
from parley.plugins.registry import Registry, load_registry


class PanelBrief(Brief):
    """A panel has no settings."""


class Panel(Mode[PanelBrief]):
    """Everybody on the panel answers, each with its own history."""

    name = "panel"
    title = "Panel"
    summary = "Up to four answer side by side"
    brief = PanelBrief
    seating = Seating(groups=(Group("panelist", 1, 4), Group("chair", 0)), settings=True)

    async def play(self, stage: Stage, brief: PanelBrief) -> None:
        await stage.ask_all(stage.role("panelist"))


def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every server of a test the mode, as if its plugin were installed."""

    plugin = SimpleNamespace(parley_modes=hookimpl(lambda: [Panel()]))

    def with_panel() -> Registry:
        return load_registry([modes, connectors, plugin])

    monkeypatch.setattr("parley.application.build_registry", with_panel)
