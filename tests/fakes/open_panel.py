"""Modes for tests: an open panel whose turns are judged, and others that are judged in other ways."""

from typing import Any

import pytest

from parley import connectors, modes
from parley.kernel.ballot import Ballot, Needs
from parley.kernel.mode import Brief, Mode, Stage
from parley.kernel.seats import Draw, Group, Seating
from parley.plugins.hookspecs import hookimpl
from parley.plugins.registry import load_registry


class PanelBrief(Brief):
    """A panel has no settings."""


class OpenPanel(Mode[PanelBrief]):
    """Four models in sight answer; a person says after each turn which was best, or that none was."""

    name = "panel"
    title = "Panel"
    summary = "Four models, judged each turn"
    brief = PanelBrief
    seating = Seating(groups=(Group("member", 2, 4),))
    ballot = Ballot(
        choices=("none",), members="member", each_turn=True, rated=False, ends_match=False, needs=Needs.TWO
    )

    async def play(self, stage: Stage, brief: PanelBrief) -> None:
        await stage.ask_all(stage.seats)


class OpenPair(OpenPanel):
    """Two models in sight, judged once for the whole match, which goes on."""

    name = "pair"
    seating = Seating(groups=(Group("member", 2, 2),))
    ballot = Ballot(choices=("same",), members="member", rated=False, ends_match=False)


class BlindTrio(OpenPanel):
    """Three hidden models, judged once: no rating comes from it."""

    name = "trio"
    seating = Seating(groups=(Group("member", 3, 3),), blind=True, paced=True)
    ballot = Ballot(choices=("none",), members="member")


class RatedPair(OpenPanel):
    """Two hidden models under other names than those of a battle, rated."""

    name = "duel"
    seating = Seating(
        groups=(Group("first", draw=Draw.DRAWN), Group("second", draw=Draw.DRAWN)), blind=True, paced=True
    )
    ballot = Ballot(choices=("first", "even", "both_bad", "second"), rated=True)


class Plugin:
    """Offers these modes as an installed plugin does."""

    @hookimpl
    def parley_modes(self) -> list[Mode[Any]]:
        return [OpenPanel(), OpenPair(), BlindTrio(), RatedPair()]


def install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every Parley of a test these modes."""
    registry = load_registry([modes, connectors, Plugin()])
    monkeypatch.setattr("parley.application.build_registry", lambda: registry)
