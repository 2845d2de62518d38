"""The consortium's strategies and ways to judge, as scripts."""

from typing import Any

import pytest

from parley.kernel.errors import Rejected
from parley.kernel.messages import Message
from parley.kernel.seats import Seat
from parley.modes.consortium.brief import ConsortiumBrief
from parley.modes.consortium.mode import Consortium
from parley.modes.consortium.notes import MeanRank, MemberBallot
from parley.modes.consortium.strategies import leaving, mean_ranks
from parley.testing import CannedEngine, kinds, make_script, open_engine
from tests.fakes.consortium_talk import SEATS, arbiter, member, notes
from tests.fakes.virtual_loop import on_virtual_time

MODE = Consortium()
FIVE = {"arbiter": "judge", **{letter: f"model-{letter}" for letter in "abcde"}}


async def play(engine: CannedEngine, brief: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    return await engine.play(MODE, make_script(MODE, more.pop("seats", SEATS), brief=brief, **more))


# ── judging ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("method", ["rank", "pick-one"])
@on_virtual_time
async def test_the_best_answer_stands_as_it_is(method: str) -> None:
    async with open_engine() as engine:
        for model, text in (("ada", "Answer of a."), ("bob", "Answer of b."), ("cid", "Answer of c.")):
            engine.connector.says(model, member(text, 0.85))
        order = [2, 3, 1] if method == "rank" else [2]
        ranks = "".join(f'<rank position="{at}">{place}</rank>' for at, place in enumerate(order, 1))
        engine.connector.says("judge", f"<analysis>Clear.</analysis><ranking>{ranks}</ranking>")
        events = await play(engine, {"judging_method": method})
        (verdict,) = notes(events, "verdict")
        chosen = verdict["shown"][1]
    assert kinds(events)[-1] == "turn.completed"
    assert verdict["synthesis"] == f"Answer of {chosen}."
    assert verdict["ranking"] == [verdict["shown"][place - 1] for place in order]
    assert verdict["confidence"] == 0.85, "the chosen answer's own: the arbiter gave none"
    assert (verdict["needs_iteration"], verdict["settled"]) == (False, True)
    assert (verdict["synthesis_start"], verdict["synthesis_end"]) == (0, 0), "it stands in another reply"
    (ranking,) = notes(events, "ranking")
    assert ranking["ballots"] == [{"judge": "arbiter", "order": verdict["ranking"]}]
    (result,) = notes(events, "result")
    assert result["worth"]["best_single"]["seat"] == chosen


@on_virtual_time
async def test_a_ranking_that_ranks_nobody_is_shown_as_it_came() -> None:
    async with open_engine() as engine:
        engine.connector.says("judge", "<ranking><rank position='1'>nobody</rank></ranking>")
        engine.connector.says("judge", arbiter("My own words."))
        events = await play(engine, {"judging_method": "rank", "max_iterations": 2, "minimum_iterations": 2})
    first, second = notes(events, "verdict")
    assert (first["parsed"], first["settled"], first["ranking"]) == (False, False, [])
    assert first["synthesis"].startswith("<ranking>")
    assert (second["synthesis"], second["parsed"]) == ("My own words.", True)
    assert "no ranking" in second["warning"]


@on_virtual_time
async def test_a_mere_ranking_where_a_synthesis_was_asked_for_picks_the_best() -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", member("The one.", 0.9))
        engine.connector.says("judge", "<ranking>1</ranking><needs_iteration>false</needs_iteration>")
        events = await play(engine, {}, seats={"arbiter": "judge", "a": "ada"})
    (verdict,) = notes(events, "verdict")
    assert (verdict["synthesis"], verdict["settled"]) == ("The one.", True)
    assert "only ranked" in verdict["warning"]


# ── strategies ───────────────────────────────────────────────────────────────────────────────────


@on_virtual_time
async def test_voting_keeps_the_largest_group() -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", member("Sure! The capital of France is Paris."))
        engine.connector.says("bob", member("Bananas grow in warm countries near the equator."))
        engine.connector.says("cid", member("The capital of France is Paris."))
        engine.connector.says("judge", arbiter("Paris."))
        events = await play(engine, {"strategy": "voting"})
        (asked,) = engine.connector.heard("judge")
    assert sorted(notes(events, "verdict")[0]["shown"]) == ["a", "c"]
    assert "Bananas" not in asked
    (left_out,) = notes(events, "left_out")
    assert (left_out["seat"], left_out["problem"]["code"]) == ("b", "reply_outvoted")
    assert [note["seat"] for note in notes(events, "answer")] == ["a", "b", "c"], (
        "its answer is shown all the same"
    )


@pytest.mark.parametrize(("threshold", "shown"), [(0.5, ["a", "b"]), (0.99, ["a", "b", "c"])])
@on_virtual_time
async def test_how_similar_votes_must_be_is_a_setting(threshold: float, shown: list[str]) -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", member("The capital of France is Paris."))
        engine.connector.says("bob", member("Paris is the capital of France today."))
        engine.connector.says("cid", member("Bananas grow in warm countries near the equator."))
        engine.connector.says("judge", arbiter("x"))
        events = await play(engine, {"strategy": "voting", "similarity_threshold": threshold})
    assert sorted(notes(events, "verdict")[0]["shown"]) == shown


@on_virtual_time
async def test_voting_keeps_all_where_no_two_agree() -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", member("Paris."))
        engine.connector.says("bob", member("Bananas grow in warm countries."))
        engine.connector.says("cid", member("Write it in Rust, with tests."))
        engine.connector.says("judge", arbiter("x"))
        events = await play(engine, {"strategy": "voting"})
    assert sorted(notes(events, "verdict")[0]["shown"]) == ["a", "b", "c"]


@on_virtual_time
async def test_elimination_drops_the_lowest_ranked_and_two_stay() -> None:
    async with open_engine() as engine:
        for seat, model in FIVE.items():
            engine.connector.says(model, member(f"From {seat}."))
        engine.connector.answers["judge"].clear()
        engine.connector.says("judge", arbiter("one", 0.1, ranking=[5, 4, 3, 2, 1]))
        engine.connector.says("judge", arbiter("two", 0.1, ranking=[1, 2, 3]))
        engine.connector.says("judge", arbiter("three", 0.1, ranking=[1, 2]))
        brief = {"strategy": "elimination", "elimination_count": 2, "max_iterations": 4}
        events = await play(engine, brief, seats=FIVE)
        assert "<ranking>" in engine.connector.heard("judge")[0]
    verdicts, rankings = notes(events, "verdict"), notes(events, "ranking")
    assert rankings[0]["eliminated"] == [verdicts[0]["shown"][1], verdicts[0]["shown"][0]]
    assert [len(verdict["shown"]) for verdict in verdicts] == [5, 3, 2, 2]
    assert rankings[1]["eliminated"] == [verdicts[1]["shown"][2]], "two stay, whatever the number"
    assert [ranking["eliminated"] for ranking in rankings[2:]] == [[], []]
    assert [place["mean_rank"] for place in rankings[0]["mean_ranks"]] == [1.0, 2.0, 3.0, 4.0, 5.0]
    asked = {model: engine.connector.asked(model) for seat, model in FIVE.items() if seat != "arbiter"}
    assert sorted(asked.values()) == [1, 1, 2, 4, 4]


@on_virtual_time
async def test_elimination_waits_and_goes_by_confidence_where_nobody_ranks() -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", member("One.", 0.9))
        engine.connector.says("bob", member("Two.", 0.4))
        engine.connector.says("cid", member("Three.", 0.7))
        engine.connector.says("judge", arbiter("x", 0.1))
        events = await play(engine, {"strategy": "elimination", "elimination_delay": 2})
    rankings = notes(events, "ranking")
    assert [ranking["eliminated"] for ranking in rankings] == [[], ["b"], []]
    assert rankings[0]["ballots"] == []
    assert [place["seat"] for place in rankings[0]["mean_ranks"]] == ["a", "c", "b"]


@on_virtual_time
async def test_nobody_leaves_where_nothing_is_known() -> None:
    async with open_engine() as engine:
        for model in ("ada", "bob", "cid"):
            engine.connector.says(model, "Just words.")
        engine.connector.says("judge", arbiter("x", 0.1))
        events = await play(engine, {"strategy": "elimination"})
    assert [len(verdict["shown"]) for verdict in notes(events, "verdict")] == [3, 3, 3]


@pytest.mark.parametrize(
    ("members", "brief", "gone"),
    [
        (5, {"elimination_count": 1}, 1),
        (5, {"elimination_count": 9}, 3),
        (2, {"elimination_count": 1}, 0),
        (1, {}, 0),
        (10, {"elimination_fraction": 0.3}, 3),
        (4, {"elimination_fraction": 0.1}, 1),
        (4, {"elimination_fraction": 0.9}, 2),
    ],
)
def test_how_many_leave(members: int, brief: dict[str, Any], gone: int) -> None:
    order = [f"seat-{number}" for number in range(members)]
    left = leaving(order, ConsortiumBrief.model_validate(brief))
    assert left == tuple(order[members - gone :])


@on_virtual_time
async def test_each_member_has_its_role() -> None:
    async with open_engine() as engine:
        brief = {"strategy": "role", "roles": {"b": "You are <a lawyer>."}, "system_prompt": "Be brief."}
        engine.connector.says("judge", arbiter("x"))
        await play(engine, brief, seats={**SEATS, "d": "dan"})
        rules = {model: engine.connector.heard(model)[0] for model in ("ada", "bob", "cid", "dan")}
    assert "<role>Generator: " in rules["ada"]
    assert "<role>You are &lt;a lawyer&gt;.</role>" in rules["bob"]
    assert "<role>Fact checker: " in rules["cid"]
    assert "<role>Generator: " in rules["dan"], "parts come round again"
    assert all("<user_instructions>Be brief.</user_instructions>" in each for each in rules.values())


@on_virtual_time
async def test_a_council_ranks_the_others_answers_and_never_its_own() -> None:
    async with open_engine() as engine:
        for seat, model in FIVE.items():
            engine.connector.says(model, member(f"From {seat}."))
            engine.connector.says(model, "<ranking>4 > 2 > 1 > 3</ranking>")
        engine.connector.says("model-e", "<ranking>4 > 2 > 1 > 3</ranking>")
        engine.connector.answers["model-d"].pop()
        engine.connector.says("model-d", Rejected("no"))
        engine.connector.answers["judge"].clear()
        engine.connector.says("judge", arbiter("The end."))
        events = await play(engine, {"strategy": "council"}, seats=FIVE)
        asked = {
            request.model: request.messages[0].content
            for request in engine.connector.requests
            if "<rank_prompt>" in request.messages[0].content
        }
        (to_arbiter,) = engine.connector.heard("judge")
    assert set(asked) == {f"model-{letter}" for letter in "abcde"}
    for letter in "abcde":
        text = asked[f"model-{letter}"]
        assert f"From {letter}." not in text, "nobody ranks its own"
        assert text.count("<model_response>") == 4
        assert "model-" not in text
    (ranking,) = notes(events, "ranking")
    assert sorted(ballot["judge"] for ballot in ranking["ballots"]) == ["a", "b", "c", "e"]
    for ballot in ranking["ballots"]:
        assert ballot["judge"] not in ballot["order"]
        assert len(ballot["order"]) == 4
    means = [each["mean_rank"] for each in ranking["mean_ranks"]]
    assert means == sorted(means)
    assert to_arbiter.count("<mean_rank>") == 5
    assert notes(events, "result")[0]["worth"]["best_single"]["seat"] == ranking["mean_ranks"][0]["seat"]


@on_virtual_time
async def test_a_council_judges_a_later_question_in_its_conversation() -> None:
    before = (Message("user", "Which city?"), Message("assistant", "Paris."))
    async with open_engine() as engine:
        for name in ("ada", "bob", "cid"):
            engine.connector.says(name, member(f"So says {name}."))
            engine.connector.says(name, "<ranking>1 > 2</ranking>")
        engine.connector.says("judge", arbiter("Large."))
        await play(engine, {"strategy": "council"}, prompt="How large is it?", history={"a": before})
        heard = engine.connector.heard("ada")
    assert heard[:2] == ["user: Which city?", "assistant: Paris."]
    assert heard[2].startswith("user: <rank_prompt>")
    assert "So says ada." not in "".join(heard), "its own answer of this turn is not shown"


@on_virtual_time
async def test_a_council_whose_ballots_all_fail_is_reported() -> None:
    async with open_engine() as engine:
        for name, ballot in {
            "ada": "They are all good.",
            "bob": "<ranking>7</ranking>",
            "cid": Rejected("no"),
        }.items():
            engine.connector.says(name, member(f"So says {name}."))
            engine.connector.says(name, ballot)
        engine.connector.says("judge", arbiter("Together."))
        events = await play(engine, {"strategy": "council"})
    (verdict,) = notes(events, "verdict")
    assert verdict["warning"] == "No member's ranking could be read, so the arbiter saw no ranks."
    assert verdict["settled"]
    assert notes(events, "ranking")[0]["ballots"] == []


@on_virtual_time
async def test_two_answers_need_no_council() -> None:
    async with open_engine() as engine:
        engine.connector.says("judge", arbiter("x"))
        events = await play(
            engine, {"strategy": "council"}, seats={"arbiter": "judge", "a": "ada", "b": "bob"}
        )
    assert notes(events, "ranking") == []
    assert engine.connector.asked("ada") == 1


def test_mean_ranks_share_the_places_that_a_judge_leaves_open() -> None:
    ballots = [MemberBallot(judge="a", order=("c", "b", "d")), MemberBallot(judge="b", order=("d",))]
    assert mean_ranks(ballots, "abcd") == (
        MeanRank(seat="c", mean_rank=1.75),
        MeanRank(seat="b", mean_rank=2.0),
        MeanRank(seat="d", mean_rank=2.0),
        MeanRank(seat="a", mean_rank=2.5),
    )
    assert mean_ranks([], "ab") == ()


# ── outline ──────────────────────────────────────────────────────────────────────────────────────


def seats_of(members: int) -> list[Seat]:
    letters = "abcdefghij"[:members]
    return [
        Seat("0", "arbiter", "arbiter", "judge"),
        *(Seat(each, each, "member", "ada") for each in letters),
    ]


@pytest.mark.parametrize(
    ("members", "brief", "least", "most"),
    [
        (3, {}, 4, 12),
        (3, {"minimum_iterations": 2}, 8, 12),
        (1, {"max_iterations": 1}, 2, 2),
        (4, {"strategy": "council"}, 9, 27),
        (2, {"strategy": "council"}, 3, 9),
        (5, {"strategy": "elimination", "elimination_count": 2}, 6, 5 + 3 + 2 + 3),
        (5, {"strategy": "elimination", "elimination_delay": 2}, 6, 5 + 5 + 4 + 3),
    ],
)
def test_the_outline_counts_calls_before_they_are_made(
    members: int, brief: dict[str, Any], least: int, most: int
) -> None:
    calls = MODE.outline(ConsortiumBrief.model_validate(brief), seats_of(members)).calls
    assert (sum(each.least for each in calls), sum(each.most for each in calls)) == (least, most)
    assert all(each.least <= each.most and each.hears_least <= each.hears_most for each in calls)
