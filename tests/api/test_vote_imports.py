"""Tests of votes read from files: what each row becomes, and what is refused."""

import io
import math
from collections.abc import AsyncGenerator
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pytest
from pyarrow import parquet

from parley.features.vote_history.service import VotesService
from parley.settings import Settings
from tests.fakes.databases import ON_EVERY_KIND
from tests.fakes.running import RunningParley, a_running_parley
from tests.fakes.vote_lines import NDJSON, another_parley, bring, check, export, line, lines, rows_of


async def test_a_file_that_comes_twice_changes_nothing(parley: RunningParley) -> None:
    data = lines([line(number) for number in range(30)])
    first = await bring(parley, data)
    assert (first["imported"], first["duplicates"]) == (30, 0)
    second = await bring(parley, data + lines([line(30), line(30)]))
    assert (second["imported"], second["duplicates"]) == (1, 31)
    nameless = [{"model_a": "ada", "model_b": "bob", "winner": "tie"}] * 5
    assert (await bring(parley, lines(nameless)))["imported"] == 5
    assert (await bring(parley, lines(nameless)))["duplicates"] == 5
    await check(parley, 36)


@pytest.mark.parametrize("missing", ["tstamp", "question_id"])
@ON_EVERY_KIND
async def test_a_file_that_overlaps_with_one_before_doubles_nothing(
    missing: str, parley: RunningParley
) -> None:
    rows = [line(number) for number in range(8)]
    for row in rows:
        del row[missing]
    assert (await bring(parley, lines(rows[:5])))["imported"] == 5
    later = await bring(parley, lines([*rows[3:], *rows[:2]]))
    assert (later["imported"], later["duplicates"]) == (3, 4)
    await check(parley, 8)


def parquet_of(**columns: Any) -> bytes:
    given = {"model_a": ["ada"], "model_b": ["bob"], "winner": ["tie"], **columns}
    out = io.BytesIO()
    parquet.write_table(pa.table(given), out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        (pa.array([1_718_000_000_123_456_789], pa.timestamp("ns")), "2024-06-10 06:13:20.123456"),
        (pa.array([1_718_000_000], pa.timestamp("s", tz="Asia/Tokyo")), "2024-06-10 06:13:20"),
        (pa.array([date(2024, 6, 10)]), "2024-06-10 00:00:00"),
    ],
    ids=["nanoseconds", "zone", "date"],
)
async def test_times_of_parquet_are_taken_as_they_are(given: Any, stored: str, parley: RunningParley) -> None:
    data = parquet_of(timestamp=given)
    assert (await bring(parley, data, kind="application/vnd.apache.parquet"))["imported"] == 1
    ((moment,),) = await rows_of(parley, "select created_at from votes")
    assert str(moment).startswith(stored)


async def test_a_time_that_no_calendar_has_is_reported_with_its_column(parley: RunningParley) -> None:
    data = parquet_of(tstamp=pa.array([1 << 61], pa.timestamp("us")))
    problem = await bring(parley, data, 422, kind="application/vnd.apache.parquet")
    assert "“tstamp”" in problem["title"]


async def test_messages_of_parts_are_read_as_their_text(parley: RunningParley) -> None:
    said = [{"type": "text", "text": "Write a function that sorts a list in Python"}]
    talk = [{"role": "user", "content": said}, {"role": "assistant", "content": said}]
    await bring(parley, lines([line(1, conversation_a=talk, conversation_b=talk)]))
    plain = [{**message, "content": said[0]["text"]} for message in talk]
    await bring(parley, lines([line(2, conversation_a=plain, conversation_b=plain)]))
    of_parts, of_texts = await rows_of(
        parley, "select categories, prompt_sha256, style from votes order by seq"
    )
    assert of_parts == of_texts
    assert "coding" in str(of_parts[0])


async def test_a_file_of_thousands_of_categories_is_refused(parley: RunningParley) -> None:
    rows = [line(number, category=[f"c{number}-{it}" for it in range(40)]) for number in range(20)]
    problem = await bring(parley, lines(rows), 422)
    assert problem["title"] == "The file names more than 500 categories."
    assert await rows_of(parley, "select id from votes") == []


async def test_what_is_one_vote_within_a_file_is_one_in_two_files_too(
    parley: RunningParley, tmp_path: Path
) -> None:
    same_id = [line(1, tstamp=1_700_000_000 + hour * 3600) for hour in range(3)]
    assert (await bring(parley, lines([*same_id, same_id[0]])))["imported"] == 3
    assert (await bring(parley, lines(same_id)))["duplicates"] == 3
    whole = await export(parley)
    async with another_parley(tmp_path) as other:
        assert (await bring(other, lines(same_id[:1])))["imported"] == 1
        assert (await bring(other, lines(same_id[1:])))["imported"] == 2
        assert (await bring(other, whole))["duplicates"] == 3
    async with another_parley(tmp_path / "third") as third:
        assert (await bring(third, whole))["imported"] == 3


async def test_models_are_found_by_id_name_and_the_providers_name_and_others_are_kept_as_retired(
    parley: RunningParley,
) -> None:
    named = [line(1, model_a="Bob", model_b="GPT 4 (März)"), line(2, model_a="cleo", model_b="GPT 4 (März)")]
    report = await bring(parley, lines(named))
    assert {it["name"]: (it["model_id"], it["new"]) for it in report["models"]} == {
        "Bob": ("bob", False),
        "cleo": ("cleo", False),
        "GPT 4 (März)": ("gpt-4-m-rz", True),
    }
    card = parley.application[VotesService]._card("gpt-4-m-rz")
    assert (card.name, card.enabled) == ("GPT 4 (März)", False)


async def test_bad_rows_are_reported_and_nothing_goes_in_unless_the_good_ones_are_wished_for(
    parley: RunningParley,
) -> None:
    rows = [
        line(0),
        line(1, winner="both"),
        line(2, model_b="ada"),
        line(3, model_a=None),
        line(4, tstamp=-5.0),
        line(5, parley_counted=True, parley_propensity=7),
        line(6, model_b="a\u0007b"),
        line(7, conv_metadata={"sum_assistant_a_tokens": -1}),
        line(8, category=[{"x": 1}]),
        line(9, parley_counted=True, parley_categories="coding"),
        line(10, category="method"),
        line(11, conv_metadata={"sum_assistant_a_tokens": "12"}),
    ]
    data = lines(rows) + b'{"model_a": NaN}\n[1]\n{"model_a": "\xff"}\n'
    refused = await bring(parley, data, 422)
    assert refused["code"] == "bad_rows"
    places = [(row["line"], row["field"]) for row in refused["result"]["bad_rows"]]
    assert places == [
        *((2, "winner"), (3, "model_b"), (4, "model_a"), (5, "tstamp"), (6, "parley_propensity")),
        *((7, "model_b"), (8, "conv_metadata"), (9, "category"), (10, "parley_categories")),
        *((11, "category"), (12, "conv_metadata"), (13, None), (14, None), (15, None)),
    ]
    assert await rows_of(parley, "select count(*) from votes") == [(0,)]
    skipped = await bring(parley, data, skip_bad=True)
    assert (skipped["imported"], skipped["bad"]) == (1, 14)
    dry = await bring(parley, lines([line(50)]), dry_run=True)
    assert (dry["imported"], dry["dry_run"]) == (1, True)
    await check(parley, 1)


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("v.csv", b"model_a,model_b,winners\na,b,tie\n", "did you mean “winners”?"),
        ("v.csv", b"", "The file is empty"),
        ("v.csv", b"model_a,model_a,model_b,winner\n", "twice"),
        ("v.csv", b'model_a,model_b,winner\na,b,"tie\n' + b"x" * (17 << 20), "longer than 16 MiB"),
        ("v.jsonl", b"PK\x03\x04 whatever", "ZIP archive"),
        ("v.jsonl", b"\x1f\x8b\x08 whatever", "compressed with gzip"),
        ("v.parquet", b"PAR1 nothing", "as Parquet"),
        ("v.jsonl", b'{"a": 1}\n', "no column “model_a”"),
    ],
)
async def test_files_that_are_none_are_refused_with_words(
    name: str, data: bytes, words: str, parley: RunningParley
) -> None:
    refused = await bring(parley, data, 422, kind="application/octet-stream", name=name)
    assert words in f"{refused['code']} {refused['title']} {refused.get('detail')}"
    assert list((parley.application[Settings].data_dir / "imports").iterdir()) == []


@pytest.mark.databases("sqlite")
async def test_a_line_without_end_is_refused_with_bounded_memory(parley: RunningParley) -> None:
    import tracemalloc

    async def endless() -> AsyncGenerator[bytes]:
        yield lines([line(1)]) + b'{"model_a": "'
        for _ in range(200):
            yield b"x" * (1 << 20)
        yield b"\n" + lines([line(2)])

    tracemalloc.start()
    answer = await parley.client.post(
        "/api/votes/import", content=endless(), params={"skip_bad": True}, headers=NDJSON
    )
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    report = answer.json()
    assert (report["imported"], report["bad"]) == (2, 1)
    assert report["bad_rows"] == [{"line": 2, "field": None, "why": "it is longer than 16 MiB"}]
    assert peak < 100 << 20


async def test_lmarenas_own_columns_are_understood(parley: RunningParley) -> None:
    row = {
        "id": "abc",
        "model_a": "ada",
        "model_b": "bob",
        "winner": "both_bad",
        "timestamp": "2025-06-01T10:00:00",
        "language": "German",
        "is_code": True,
        "turn": 2,
        "category_tag": {
            "math_v0.1": {"math": True},
            "criteria_v0.1": dict.fromkeys("abcdef", True),
            "if_v0.1": {"if": False, "score": 1},
        },
        "conv_metadata": {
            "sum_assistant_a_tokens": 10,
            "header_count_a": {"h1": 1, "h2": 2},
            "sum_assistant_b_tokens": 5,
            "bold_count_b": {"**": 3},
        },
    }
    await bring(parley, lines([row]))
    assert await rows_of(parley, "select choice, origin from votes") == [("both_bad", "import")]
    (vote,) = [msgspec.json.decode(it) for it in (await export(parley)).splitlines()]
    assert vote["question_id"] == "abc"
    assert vote["category"] == ["coding", "hard-prompts", "language-de", "maths", "multi-turn"]
    assert vote["conv_metadata"]["header_count_a"] == 3
    assert vote["conv_metadata"]["bold_count_b"] == 3
    assert math.isclose(vote["tstamp"], 1748772000.0)


async def test_the_upload_must_be_a_file(parley: RunningParley) -> None:
    refused = await bring(parley, b"{}", 415, kind="application/json")
    assert refused["code"] == "file_required"
    unknown = await bring(parley, b"{}", 422, kind="application/octet-stream")
    assert unknown["field"] == "format"
    wrong = await parley.get("/api/votes/export", 422, params={"format": "xml"})
    assert wrong["field"] == "format"


@pytest.mark.databases("sqlite")
async def test_a_model_that_only_a_file_knew_may_join_the_catalog_and_has_its_votes(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, models=("ada", "bob")) as parley:
        await bring(parley, lines([line(1)]))
        assert not parley.application[VotesService]._card("old-model").enabled
    async with a_running_parley(tmp_path, models=("ada", "old-model")) as parley:
        card = parley.application[VotesService]._card("old-model")
        assert (card.name, card.enabled) == ("Old-model", True)
        assert len((await export(parley)).splitlines()) == 1
