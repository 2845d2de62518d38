"""Whatever models write, every turn of a consortium ends properly."""

import string
from typing import Any

import msgspec
from hypothesis import example, given, settings
from hypothesis import strategies as st

from parley.modes.consortium.brief import ConsortiumBrief
from parley.modes.consortium.mode import Consortium
from parley.modes.consortium.replies import read_arbiter, read_member, read_order
from parley.testing import BREAK, CannedEngine, kinds, make_script, open_engine
from parley.text.lenient_xml import read_elements
from tests.fakes.consortium_talk import arbiter, member, notes
from tests.fakes.virtual_loop import run

MODE = Consortium()
TAGS = [
    *(
        "thought_process",
        "thinking",
        "answer",
        "updated_response",
        "confidence",
        "synthesis_output",
        "synthesis",
    ),
    *("analysis", "dissent", "refinement_areas", "area", "needs_iteration", "ranking", "rank", "response_id"),
]
MEMBER_TAGS = TAGS[: TAGS.index("synthesis_output")]
PIECES = st.one_of(
    st.sampled_from([f"<{tag}>" for tag in TAGS]),
    st.sampled_from([f"</{tag}>" for tag in TAGS]),
    st.sampled_from(
        ["<RANK position='2'>", "< / Answer >", "<![CDATA[", "]]>", "```json\n", "\n```", "<ans", "&lt;", "&"]
    ),
    st.sampled_from(
        ["0.8", "85%", "9/10", "true", "false", "1", "Member 2", "- one\n", '{"synthesis": "x"', "}"]
    ),
    st.text(max_size=12),
    st.text(alphabet=string.printable, max_size=30),
)
MIXED = st.lists(PIECES, max_size=24).map("".join)
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from([*TAGS, "id"]) | st.text(max_size=5), inner, max_size=5)
    ),
    max_leaves=12,
).map(lambda value: msgspec.json.encode(value).decode("utf-8", "replace"))
REPLY = st.one_of(
    MIXED,
    JSON,
    st.builds(member, MIXED, MIXED),
    st.builds(arbiter, MIXED, MIXED, more=st.sampled_from([True, False, "maybe", ""])),
    st.builds(lambda text, end: text[:end], st.just(arbiter("The end.", 0.9)), st.integers(0, 400)),
)
BRIEF = st.fixed_dictionaries(
    {},
    optional={
        "judging_method": st.sampled_from(["default", "rank", "pick-one"]),
        "strategy": st.sampled_from(["default", "voting", "elimination", "role", "council"]),
        "confidence_threshold": st.sampled_from([0, 0.5, "80%", 90, 1]),
        "max_iterations": st.integers(1, 3),
        "elimination_delay": st.integers(0, 2),
        "reveal_names": st.booleans(),
        "manual_context": st.booleans(),
    },
)


@given(text=REPLY, shown=st.integers(0, 5))
@settings(max_examples=400)
@example(text="<answer>a&lt;b</answer><confidence>.5</confidence>", shown=1)
@example(text="<answer>" * 3, shown=1)
@example(text="<thinking></thinking>", shown=0)
@example(text='{"confidence": NaN}', shown=2)
@example(text='{"thought_process":null,"answer":""}', shown=0)
@example(text='{"ranking": [' + "[" * 5000, shown=2)
def test_any_text_can_be_read(text: str, shown: int) -> None:
    mine = read_member(text)
    if mine.end:
        assert text[mine.start : mine.end] == mine.answer
    else:
        assert mine.start == 0
    # A field or an element that is there and empty is an empty answer; a text without either is one itself.
    assert mine.answer or mine.parsed or not text.strip() or read_elements(text, MEMBER_TAGS)
    theirs = read_arbiter(text, shown)
    if theirs.end:
        assert text[theirs.start : theirs.end] == theirs.synthesis
    assert theirs.parsed or theirs.synthesis == text.strip()
    for confidence in (mine.confidence, theirs.confidence):
        assert confidence is None or 0 <= confidence <= 1
    for order in (theirs.ranking, read_order(text, shown)):
        assert len(set(order)) == len(order)
        assert set(order) <= set(range(shown))
    msgspec.json.encode((mine, theirs))


@given(
    brief=BRIEF,
    replies=st.lists(REPLY, min_size=4, max_size=8),
    breaks=st.sets(st.integers(0, 7), max_size=2),
)
@settings(max_examples=60)
def test_whatever_models_write_the_turn_ends_properly(
    brief: dict[str, Any], replies: list[str], breaks: set[int]
) -> None:
    async def perform(engine: CannedEngine) -> list[dict[str, Any]]:
        for number, text in enumerate(replies):
            said = (text, BREAK) if number in breaks else (text,)
            engine.connector.says(
                ("ada", "bob", "cid", "judge")[number % 4], *(part for part in said if part)
            )
        seats = {"arbiter": "judge", "a": "ada", "b": "bob", "c": "cid"}
        return await engine.play(MODE, make_script(MODE, seats, brief=brief))

    async def whole() -> list[dict[str, Any]]:
        async with open_engine() as engine:
            return await perform(engine)

    events = run(whole())
    last = events[-1]
    if last["kind"] == "turn.failed":
        assert last["error"]["code"] in ("mode_without_members", "mode_without_arbiter")
        return
    assert kinds(events)[-1] == "turn.completed"
    (result,) = notes(events, "result")
    verdicts = notes(events, "verdict")
    assert result["settled"] == verdicts[-1]["settled"]
    settled = ConsortiumBrief.model_validate(brief)
    assert len(verdicts) <= settled.max_iterations
    for verdict in verdicts:
        if verdict["settled"]:
            assert verdict["confidence"] >= settled.confidence_threshold
            assert verdict["parsed"]
            assert verdict is verdicts[-1]
