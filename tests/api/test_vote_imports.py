"""Tests of votes read from files: what each row becomes, and what is refused."""

import io
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
from tests.fakes.running import RunningParley, a_running_parley
from tests.fakes.vote_lines import NDJSON, bring, check, line, lines, rows_of


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
    data = parquet_of(tstamp=pa.array([1 << 62], pa.timestamp("us")))
    problem = await bring(parley, data, 422, kind="application/vnd.apache.parquet")
    assert "tstamp is not a time" in problem["detail"]


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
    dry = await bring(parley, lines([line(50)]), preview=True)
    assert (dry["imported"], dry["preview"]) == (1, True)
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
        "/api/imports", content=endless(), params={"skip_bad": True}, headers=NDJSON
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
    ((source, categories, style, at),) = await rows_of(
        parley, "select source, categories, style, created_at from imported_votes"
    )
    assert source == "abc"
    for category in ("coding", "hard-prompts", "language-de", "maths", "multi-turn"):
        assert category in str(categories)
    assert msgspec.json.decode(style) if isinstance(style, str) else style == [10, 3, 0, 0, 5, 0, 0, 3]
    assert str(at).startswith("2025-06-01 10:00:00")


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
        assert await rows_of(parley, "select left_model_id, right_model_id from imported_votes")


async def test_the_same_file_again_says_so_and_adds_nothing(parley: RunningParley) -> None:
    data = lines([line(number) for number in range(30)])
    assert (await bring(parley, data))["imported"] == 30
    again = await parley.client.post("/api/imports", content=data, headers=NDJSON)
    assert (again.status_code, again.json()["code"]) == (409, "already_imported")
    await check(parley, 30)


async def test_a_row_that_is_twice_in_a_file_counts_once(parley: RunningParley) -> None:
    report = await bring(parley, lines([line(0), line(1), line(0)]))
    assert (report["imported"], report["duplicates"]) == (2, 1)


async def test_a_preview_says_what_is_in_a_file_and_stores_nothing(parley: RunningParley) -> None:
    data = lines([line(0), {**line(1), "winner": "nobody", "mood": "fine"}])
    report = await bring(parley, data, preview=True)
    assert (report["imported"], report["bad_rows"][0]["line"], report["ignored"]) == (1, 2, ["mood"])
    assert len(report["first_rows"]) == 1
    assert (await parley.client.get("/api/imports")).json() == {"items": []}


async def test_an_import_can_be_removed_with_all_its_votes(parley: RunningParley) -> None:
    one = await bring(parley, lines([line(number) for number in range(20)]))
    await bring(parley, lines([line(number) for number in range(20, 25)]))
    await check(parley, 25)
    removed = await parley.client.delete(f"/api/imports/{one['import_id']}")
    assert removed.json()["votes"] == 20
    await check(parley, 5)
    items = (await parley.client.get("/api/imports")).json()["items"]
    assert [item["votes"] for item in items] == [5]
    assert (await parley.client.delete(f"/api/imports/{one['import_id']}")).status_code == 404


async def test_a_conversation_in_pythons_text_that_is_cut_short_is_a_bad_row(parley: RunningParley) -> None:
    text = "[{'role': 'user', 'content': 'hi'} ..."
    row = {**line(0), "conversation_a": text, "conversation_b": text}
    report = await bring(parley, lines([row]), preview=True)
    assert report["bad_rows"][0]["field"] == "conversation_a"
