"""Test tools for plugins: matches of a mode played in memory, and a check of a connector's answers.

Test a mode as a script: give each seat its answers, then check replies, notes and events. Nothing is stored, and no
network or other package is needed:

    async def test_each_hears_what_the_other_said():
        match = PlayedMatch(Debate(), ["a", "b"], brief={"rounds": 2})
        match.says("a", "Tea.")
        match.says("b", "Coffee.")
        turn = await match.play("What shall we drink?")
        assert turn.status == "completed"
        assert "Coffee." in match.heard("a")[-1]

`PlayedMatch` also has interjections while a round runs, turns that continue earlier ones, and a process that ends in
mid-answer. `read_answer` asks a connector and checks the order of its chunks. `open_engine` is the engine itself, with
canned models and a log in memory, for tests of single events.
"""

from parley.testing.canned import BREAK, CUT, CannedConnector, Forever, Said, Wait
from parley.testing.catalog import SmallCatalog, make_card, make_model
from parley.testing.connectors import Answer, read_answer
from parley.testing.engine import CannedEngine, decoded, heard, kinds, open_engine, until
from parley.testing.match import PlayedMatch
from parley.testing.memory_log import MemoryLog
from parley.testing.scripts import make_match, make_script

__all__ = [
    "BREAK",
    "CUT",
    "Answer",
    "CannedConnector",
    "CannedEngine",
    "Forever",
    "MemoryLog",
    "PlayedMatch",
    "Said",
    "SmallCatalog",
    "Wait",
    "decoded",
    "heard",
    "kinds",
    "make_card",
    "make_match",
    "make_model",
    "make_script",
    "open_engine",
    "read_answer",
    "until",
]
