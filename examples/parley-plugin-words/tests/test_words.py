"""The four parts of the plug-in, each by itself."""

from parley.features.lab.checks.contract import CheckedAnswer
from parley.kernel.connector import Finish, Made
from parley.kernel.pictures import DrawRequest, PictureSettings
from parley.kernel.toolbox import ToolScene
from parley_plugin_words.jargon import has_no_jargon
from parley_plugin_words.swatch import draw_swatch
from parley_plugin_words.tool import WordTools

SCENE = ToolScene(owner_id="o", asker_id="o", session_id="s", turn_id="t", question="?")


async def test_the_check_finds_jargon() -> None:
    verdict = await has_no_jargon(CheckedAnswer(text="We leverage synergies."), {"words": ["Leverage"]})
    assert (verdict.passed, verdict.reason) == (False, "“Leverage” is jargon.")


async def test_the_tool_counts() -> None:
    assert (await WordTools().run(SCENE, "words_count", {"text": "one two  three"})).text == "3"


async def test_the_image_model_draws_the_same_from_the_same() -> None:
    request = DrawRequest(
        model="swatch", prompt="sea", settings=PictureSettings(count=2), job="1", seat_seed=7
    )
    one, two, end = [chunk async for chunk in draw_swatch(request)]
    assert isinstance(one, Made)
    assert isinstance(two, Made)
    assert one.data != two.data
    assert end == Finish("stop")
    assert [chunk async for chunk in draw_swatch(request)] == [one, two, end]
