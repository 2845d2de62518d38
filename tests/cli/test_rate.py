"""Tests of `parley rate`: files in, tables and documents out, and what it says of bad rows."""

import contextlib
import math
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pyarrow as pa
import pytest
from pyarrow import parquet

from tests.fakes.commands import Done, carry_out

HEADER = "model_a,model_b,winner"


def run(*arguments: str, folder: Path) -> Done:
    with contextlib.chdir(folder):
        return carry_out("rate", *arguments)


def document(*arguments: str, folder: Path) -> dict:
    done = run(*arguments, "--json", folder=folder)
    assert done.status == 0, done.stderr
    return msgspec.json.decode(done.stdout)


def duel(wins: int = 7, losses: int = 3) -> list[dict]:
    votes = [{"model_a": "one", "model_b": "two", "winner": "model_a"}] * wins
    return votes + [{"model_a": "one", "model_b": "two", "winner": "model_b"}] * losses


def write(path: Path, rows: list[dict]) -> str:
    if path.suffix == ".parquet":
        parquet.write_table(pa.Table.from_pylist(rows), path)
    elif path.suffix == ".jsonl":
        path.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    else:
        lines = [",".join(rows[0]), *(",".join(str(value) for value in row.values()) for row in rows)]
        path.write_text("\n".join(lines), encoding="utf-8")
    return path.name


@pytest.mark.parametrize("name", ["votes.csv", "votes.jsonl", "votes.parquet"])
def test_every_kind_of_file_gives_the_same_table(name: str, tmp_path: Path) -> None:
    found = document(write(tmp_path / name, duel()), folder=tmp_path)
    first, second = found["standings"]
    half = 200 / math.log(10) * math.log(7 / 3)
    assert first["rating"] == pytest.approx(1000 + half, abs=1e-4)
    assert second["rating"] == pytest.approx(1000 - half, abs=1e-4)
    names = {
        "model",
        "rating",
        "ci_lower",
        "ci_upper",
        "rank_ub",
        "rank",
        "votes",
        "wins",
        "losses",
        "ties",
        "both_bad",
    }
    assert names | {"win_rate", "provisional"} <= first.keys()
    assert (first["wins"], first["losses"], first["win_rate"], first["provisional"]) == (7, 3, 0.7, False)
    assert (found["votes"], found["rows"], found["bad_rows"]) == (10, 10, [])


def test_the_table_is_explained(tmp_path: Path) -> None:
    done = run(write(tmp_path / "votes.csv", duel()), folder=tmp_path)
    assert done.status == 0
    assert "one" in done.stdout
    assert "1073.6" in done.stdout
    assert "956.1 to 1191.1" in done.stdout
    assert "10 votes, 2 models." in done.stdout


def test_bad_rows_are_reported_with_their_lines_and_strict_refuses_them(tmp_path: Path) -> None:
    lines = [
        HEADER,
        "a,b,model_a",
        "a,a,tie",
        "a,b,model_b",
        "a,,tie",
        "a,b,dance",
        "a,b",
        "",
        "a,b,tie (bothbad)",
    ]
    (tmp_path / "votes.csv").write_text("\n".join(lines))
    done = run("votes.csv", folder=tmp_path)
    assert done.status == 0
    assert "Skipped 4 of 7 rows that are not votes:" in done.stderr
    assert "1 × a model against itself (line 3)" in done.stderr
    assert "1 × model_b is missing (line 5)" in done.stderr
    assert "1 × winner is not model_a, model_b, tie or tie (bothbad) (line 6)" in done.stderr
    assert "1 × it has 2 fields where the header has 3 (line 7)" in done.stderr
    assert document("votes.csv", folder=tmp_path)["votes"] == 3
    refused = run("votes.csv", "--strict", folder=tmp_path)
    assert refused.status == 2
    assert refused.stderr.startswith("error: 4 of 7 rows are not votes.")
    assert refused.stdout == ""


def test_lines_that_are_no_json_are_reported(tmp_path: Path) -> None:
    good = '{"model_a": "a", "model_b": "b", "winner": "tie", "judge": 7}'
    (tmp_path / "votes.jsonl").write_text(f"{good}\n{{nonsense\n[1]\n\n{good}\n" + '{"model_a": 3}\n')
    done = run("votes.jsonl", folder=tmp_path)
    assert "2 × it is not a JSON object (lines 2, 3)" in done.stderr
    assert "1 × model_a is missing (line 6)" in done.stderr
    (tmp_path / "notes.jsonl").write_text("\nmodel_a,model_b,winner\na,b,tie\n")
    refused = run("notes.jsonl", folder=tmp_path)
    assert refused.status == 2
    assert "notes.jsonl:2: it is not a JSON object, nor is any other line." in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nowhere.csv",), "nowhere.csv cannot be read: No such file or directory."),
        (("votes.doc",), "votes.doc is not a supported file type"),
        (("empty.csv",), "empty.csv has no column “model_a”"),
        (("header.csv",), "header.csv has no votes."),
        (("near.csv",), "has no column “winner” (did you mean “winners”?)."),
        (("votes.csv", "--anchor", "one"), "--anchor one is not MODEL=VALUE."),
        (("votes.csv", "--anchor", "one=nan"), "--anchor one=nan is not MODEL=VALUE."),
        (
            ("votes.csv", "--anchor", "oen=1"),
            "The anchor “oen” is not among the models (did you mean “one”?).",
        ),
        (("votes.csv", "--category", "code"), "votes.csv has no category “code”."),
        (("votes.csv", "--k", "16"), "--k and --initial need --method elo."),
        (("votes.csv", "--method", "elo", "--style-control"), "Elo has no intervals and no style control."),
        (
            ("votes.csv", "--style-control"),
            "Style control needs the columns conversation_a and conversation_b",
        ),
        (
            ("votes.csv", "--interval", "clustered"),
            "Clustered intervals need a column that says who voted: judge.",
        ),
        (("votes.csv", "--method", "elo", "--k", "nan"), "Elo's K must be a number above 0, not nan."),
        ((".",), ". is not a supported file type"),
        (("broken.parquet",), "Can't read broken.parquet as Parquet."),
    ],
)
def test_mistakes_are_reported_without_a_stack_trace(
    arguments: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    write(tmp_path / "votes.csv", duel())
    (tmp_path / "votes.txt").write_text("x")
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "header.csv").write_text(HEADER)
    (tmp_path / "near.csv").write_text("model_a,model_b,winners\na,b,tie\n")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 nothing")
    done = run(*arguments, folder=tmp_path)
    assert done.status == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_an_anchor_is_pinned_and_its_name_may_hold_an_equals_sign(tmp_path: Path) -> None:
    rows = [{**row, "model_a": "one=1"} for row in duel()]
    found = document(write(tmp_path / "votes.csv", rows), "--anchor", "one=1=1200", folder=tmp_path)
    assert found["standings"][0]["rating"] == 1200.0


def test_elo_takes_votes_in_the_order_of_time(tmp_path: Path) -> None:
    rows = [{**row, "tstamp": -place} for place, row in enumerate(duel(1, 1))]
    name = write(tmp_path / "votes.csv", rows)
    first, second = document(name, "--method", "elo", "--k", "10", "--initial", "100", folder=tmp_path)[
        "standings"
    ]
    after_loss = 10 / (1 + 10 ** (-10 / 400))
    assert first["model"] == "one"
    assert first["rating"] == pytest.approx(95 + after_loss, abs=1e-4)
    assert second["ci_lower"] is None
    finished = run(write(tmp_path / "plain.csv", duel(1, 1)), "--method", "elo", folder=tmp_path)
    assert "so Elo uses the order of the file." in finished.stderr


def test_times_without_a_zone_are_in_one_order_wherever_the_file_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In Berlin the first of these moments was skipped: clocks went from 02:00 to 03:00."""
    times = ("2026-03-29T02:30:00", "2026-03-29 03:10:00")
    rows = [{**row, "tstamp": time} for row, time in zip(duel(1, 1), times, strict=True)]
    name = write(tmp_path / "votes.csv", rows)
    tables = []
    for zone in ("UTC", "CET-1CEST,M3.5.0,M10.5.0/3"):
        monkeypatch.setenv("TZ", zone)
        tables.append(document(name, "--method", "elo", folder=tmp_path)["standings"])
    assert tables[0] == tables[1]
    assert tables[0][0]["model"] == "two"


def test_a_category_is_a_part_of_the_votes(tmp_path: Path) -> None:
    rows = [{**row, "category": "math" if place < 8 else "code"} for place, row in enumerate(duel())]
    name = write(tmp_path / "votes.csv", rows)
    assert document(name, "--category", "math", folder=tmp_path)["votes"] == 8
    listed = [
        {**row, "category": ["math", "hard"] if place < 4 else ["code"]} for place, row in enumerate(duel())
    ]
    assert document(write(tmp_path / "l.jsonl", listed), "--category", "hard", folder=tmp_path)["votes"] == 4
    near = run(name, "--category", "maths", folder=tmp_path)
    assert "(did you mean “math”?)" in near.stderr
    assert "Categories: code, math." in near.stderr


@pytest.mark.parametrize("name", ["votes.jsonl", "votes.parquet"])
def test_style_is_read_from_conversations(name: str, tmp_path: Path) -> None:
    long, short = "# Much\n\n- and **bold**\n" * 6, "Little."
    rows = []
    for place in range(60):
        left, right = (long, short) if place % 2 else (short, long)
        talk = [
            [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": text}]
            for text in (left, right)
        ]
        won = (place % 2 == 1) == (place % 5 != 0)
        rows.append(
            {
                "model_a": "one" if place % 3 else "two",
                "model_b": "two" if place % 3 else "one",
                "winner": "model_a" if won else "model_b",
                "conversation_a": talk[0],
                "conversation_b": talk[1]
                if place % 7
                else [{"role": "assistant", "content": f"{right} {place}"}],
            }
        )
    done = run(write(tmp_path / name, rows), "--style-control", folder=tmp_path)
    assert done.status == 2
    assert "do not show what each feature does" in done.stderr, "lists and headers always go together here"
    for place, row in enumerate(rows):
        row["conv_metadata"] = {
            "sum_assistant_a_tokens": 50 + place * 7 % 31,
            "sum_assistant_b_tokens": 50 + place * 5 % 29,
            **{
                f"{kind}_count_{side}": {"x": (place * step + 5 * shift) % 17}
                for shift, side in enumerate("ab")
                for step, kind in ((7, "header"), (11, "list"), (13, "bold"))
            },
        }
    found = document(write(tmp_path / name, rows), "--style-control", folder=tmp_path)
    assert [effect["feature"] for effect in found["style"]] == ["tokens", "headers", "lists", "bold"]


def test_judges_make_clustered_intervals(tmp_path: Path) -> None:
    rows = [{**row, "judge": f"user{place % 4}"} for place, row in enumerate(duel(14, 6))]
    name = write(tmp_path / "votes.csv", rows)
    plain = document(name, folder=tmp_path)["standings"][0]
    clustered = document(name, "--interval", "clustered", folder=tmp_path)["standings"][0]
    anytime = document(name, "--interval", "anytime", folder=tmp_path)["standings"][0]
    assert plain["rating"] == clustered["rating"] == anytime["rating"]
    assert clustered["ci_upper"] != plain["ci_upper"]
    assert anytime["ci_upper"] > plain["ci_upper"]


def test_groups_and_provisional_models_are_reported(tmp_path: Path) -> None:
    rows = [
        *duel(),
        {"model_a": "x", "model_b": "y", "winner": "tie"},
        {"model_a": "king", "model_b": "one", "winner": "model_a"},
    ]
    done = run(write(tmp_path / "votes.csv", rows), folder=tmp_path)
    assert "provisional, group 2, not comparable" in done.stdout
    assert "No votes connect the 2 groups of models" in done.stdout
    few = document("votes.csv", "--min-votes", "5", folder=tmp_path)
    assert [line["model"] for line in few["standings"]] == ["one", "two"]
    assert few["models"] == 5


def test_the_table_says_how_its_intervals_differ_from_the_leaderboards(tmp_path: Path) -> None:
    name = write(tmp_path / "votes.csv", duel())
    plain = run(name, folder=tmp_path).stdout
    assert "for one look at this file" in plain
    assert "--interval anytime" in plain
    watched = run(name, "--interval", "anytime", folder=tmp_path).stdout
    assert "as on the leaderboard" in watched
    assert "interval" not in run(name, "--method", "elo", folder=tmp_path).stdout


def test_a_byte_order_mark_quotes_and_other_columns_do_no_harm(tmp_path: Path) -> None:
    lines = [
        "\ufeffid,model_a,model_b,winner,note",
        '1,"a, b",c,tie,"two\nlines"',
        '2,c,"a, b",model_a,',
        "3,c,c,tie,",
    ]
    text = "\r\n".join(lines)
    (tmp_path / "votes.csv").write_bytes(text.encode())
    done = run("votes.csv", folder=tmp_path)
    assert "a, b" in done.stdout
    assert "(line 5)" in done.stderr


@pytest.mark.parametrize("kind", ["number", "text", "moment", "none", "day"])
def test_parquet_by_columns_says_what_rows_say(kind: str, tmp_path: Path) -> None:
    rows = []
    for place in range(40):
        moment = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=place * 17 % 40)
        times = {
            "number": moment.timestamp(),
            "text": moment.isoformat(),
            "moment": moment,
            "none": None,
            "day": moment.date(),
        }
        models = {"model_a": f"m{place % 3}", "model_b": f"m{(place + 1) % 3} "}
        winner = ("model_a", "model_b", "tie", "dance")[place % 4]
        rows.append(
            {**models, "winner": winner, "judge": f"u{place % 5}", "tstamp": times[kind], "category": "x"}
        )
    rows[7]["model_b"] = rows[7]["model_a"]
    rows[8]["model_a"] = None
    name = write(tmp_path / "votes.parquet", rows)
    for arguments in (("--method", "elo"), ("--interval", "clustered")):
        by_columns = document(name, *arguments, folder=tmp_path)
        by_rows = document(name, *arguments, "--category", "x", folder=tmp_path)
        assert by_columns["bad_rows"] == by_rows["bad_rows"]
        assert by_columns["standings"] == by_rows["standings"]
        assert by_columns["rows"] == 40
    reasons = {bad["reason"]: bad["lines"] for bad in by_columns["bad_rows"]}
    assert reasons["model_a is missing"] == [9]
