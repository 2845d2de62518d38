"""Tests of a leaderboard that starts from published results: every table, recount and check has the same ones."""

from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import text

from parley.features.standings.prior_file import Published, match, read_published
from parley.features.standings.prior_schemas import PriorSettings, mapped_models
from parley.features.standings.recount import confirm_elo
from parley.features.standings.runtime import StandingsRuntime
from parley.features.standings.verification import verify_standings
from parley.features.vote_files.formats import format_of
from parley.features.vote_files.model_names import ModelNames
from parley.kernel.caller import inside
from parley.kernel.errors import Invalid, NotFound
from parley.ratings.bradley_terry import fit
from parley.ratings.public_prior import PublishedPair, public_prior
from parley.storage.audit_check import check_audit
from parley.storage.database import Database
from tests.fakes.ballot_box import BallotBox, standings_of, stats_of
from tests.features.standings.test_worker import settle

OWNER = inside("owner")
COUNTS = (
    "model_a,model_b,wins_a,wins_b,ties\nada,bob,90,10,0\nDora,bob,10,80,10\ncleo,zed,50,5,\nada,zed,7,7,7\n"
)
ROWS = [PublishedPair("ada", "bob", 90, 10, 0), PublishedPair("bob", "dora", 80, 10, 10)]


def written(folder: Path, content: str, name: str = "results.csv") -> Path:
    path = folder / name
    path.write_text(content)
    return path


async def start(standings: StandingsRuntime, path: Path, weight: float, **models: str) -> None:
    asked = PriorSettings(weight=weight, source="the public arena", models=models)
    await standings.prior.set(OWNER, path, format_of(path.name), path.name, asked)


@pytest.fixture
async def standings(database: Database) -> StandingsRuntime:
    await BallotBox(uncounted=0.1).cast(database, 300)
    made = standings_of(database)
    await settle(made)
    await confirm_elo(database)
    return made


async def test_tables_recounts_and_checks_have_the_same_prior(
    standings: StandingsRuntime, database: Database, tmp_path: Path
) -> None:
    before = await stats_of(database)
    await start(standings, written(tmp_path, COUNTS), 60, Dora="dora")
    await settle(standings)
    after = await stats_of(database)
    changed = {key for key in before if before[key] != after[key]}
    assert changed == {("overall", "bradley-terry", model) for model in ("ada", "bob", "cleo", "dora")}
    pairs = (await standings.tables.pair_counts()).pairs("overall")
    due = fit(pairs, public=public_prior(ROWS, 60))
    points = {model: 1000 + 400 / np.log(10) * it for model, it in zip(pairs.models, due.theta, strict=True)}
    for line in standings.tables.snapshot.table("overall", "bradley-terry").lines:
        assert line.rating == pytest.approx(points[line.model], abs=1e-3)
    assert (await verify_standings(database)).wrong is None
    assert (await check_audit(database)).broken is None
    assert (await standings.rebuild(OWNER)).corrected == 0
    assert await stats_of(database) == after
    fresh = standings_of(database)
    await settle(fresh)
    assert await stats_of(database) == after
    uncounted = await fresh.tables.fitted(("overall", "bradley-terry", True))
    assert uncounted is not None
    assert uncounted.fit is not None
    assert uncounted.fit.public is not None
    effects = (await fresh.health.read()).top
    assert effects is not None
    board = {
        line.model: line.rating for line in fresh.tables.snapshot.table("overall", "bradley-terry").lines
    }
    assert effects.lead == pytest.approx(board[effects.top] - board[effects.second], abs=1e-3)
    await standings.prior.remove(OWNER)
    await settle(standings)
    assert await stats_of(database) == before
    report = await verify_standings(database)
    assert (report.ok, report.unseen) == (True, []), report.wrong
    assert (await check_audit(database)).broken is None
    with pytest.raises(NotFound, match="no published results"):
        await standings.prior.remove(OWNER)


async def test_what_is_shown_of_it(standings: StandingsRuntime, tmp_path: Path) -> None:
    assert (await standings.prior.read()).prior is None
    await start(standings, written(tmp_path, COUNTS), 60, Dora="dora")
    await settle(standings)
    shown = (await standings.prior.read(examine=True)).prior
    assert shown is not None
    votes = standings.tables.snapshot.votes("overall")
    assert (shown.source, shown.weight, shown.in_use, shown.own_votes) == ("the public arena", 60, 60, votes)
    assert (shown.published, shown.usable, shown.unmatched_names) == (276, 200, 1)
    assert [(it.name, it.votes) for it in shown.unmatched] == [("zed", 76)]
    assert {it.name: it.model_id for it in shown.matched}["Dora"] == "dora"
    assert shown.forecast is not None
    assert shown.forecast == (await standings.prior.read()).prior.forecast  # type: ignore[union-attr]


async def test_only_results_between_models_with_own_votes_are_in_use(
    database: Database, tmp_path: Path
) -> None:
    await BallotBox(models=("ada", "bob"), uncounted=0).cast(database, 20)
    standings = standings_of(database)
    await settle(standings)
    with pytest.raises(Invalid) as none:
        await start(standings, written(tmp_path, "model_a,model_b,wins_a,wins_b\nzed,eve,3,4\n"), 2)
    assert none.value.problem.code == "no_published_results"
    await start(standings, written(tmp_path, COUNTS), 50)
    await settle(standings)
    await BallotBox(models=("bob", "cleo"), uncounted=0, seed=2).cast(database, 20)
    await settle(standings)
    assert standings.tables.snapshot.table("overall", "bradley-terry").groups == 1


TAMPERED = (
    "UPDATE public_priors SET weight = weight + 1",
    "UPDATE public_priors SET content = replace(content, '90.0', '91.0')",
    "DELETE FROM public_priors",
    "UPDATE public_priors SET source = 'elsewhere'",
)


@pytest.mark.parametrize("statement", TAMPERED)
async def test_a_prior_that_nobody_set_is_found(
    standings: StandingsRuntime, database: Database, tmp_path: Path, statement: str
) -> None:
    await start(standings, written(tmp_path, COUNTS), 60, Dora="dora")
    await settle(standings)
    assert (await verify_standings(database)).ok

    if "replace(" in statement and database.url.get_backend_name() != "sqlite":
        statement = "UPDATE public_priors SET content = replace(content::text, '90.0', '91.0')::jsonb"
    await database.administer(lambda connection: connection.execute(text(statement)))
    assert "Set them again." in str((await verify_standings(database)).wrong)


BAD = {
    "model_a,model_b,wins_a,wins_b,ties\nada,bob,90,ten,0\n": "results.csv:2: wins_b is not a number of votes.",
    "model_a,model_b,wins_a,wins_b\nada,bob,90,1\nada,bob,-1,2\n": "results.csv:3: wins_a is not a number of votes.",
    "model_a,model_b,wins_a,wins_b\nada,,90,1\n": "results.csv:2: model_b is missing.",
    "model_a,model_b,wins_a,wins_b\nada,ada,90,1\n": "results.csv:2: model_b is the same model as model_a.",
    "model_a,model_b,winner\nada,bob,tie\nada,bob,nobody\n": "results.csv:3: winner is not model_a, model_b, tie or",
    "model_a,model_b,winner\nada,bob\n": "results.csv:2: it has 2 fields where the header has 3.",
    "model_a,model_b\nada,bob\n": "has no column “winner”, and no columns “wins_a” and “wins_b”",
    "model_a,model_b,wins_a\nada,bob,3\n": "wins_b",
    "model_a,wins_a,wins_b\nada,3,1\n": "model_b",
    "model_a,model_b,wins_a,wins_b\nada,bob,nan,1\n": "results.csv:2: wins_a is not a number of votes.",
}


@pytest.mark.parametrize("content", BAD)
def test_a_malformed_file_is_refused_with_line_and_column(tmp_path: Path, content: str) -> None:
    path = written(tmp_path, content)
    with pytest.raises(Invalid) as refused:
        read_published(path, "csv", path.name)
    assert BAD[content] in refused.value.problem.title


def test_votes_and_counts_of_the_same_results_are_the_same(tmp_path: Path) -> None:
    votes = written(
        tmp_path,
        "".join(
            f'{{"model_a": "{a}", "model_b": "{b}", "winner": "{winner}"}}\n'
            for a, b, winner in (
                ("ada", "bob", "model_a"),
                ("bob", "ada", "model_a"),
                ("bob", "ada", "tie"),
                ("ada", "bob", "tie (bothbad)"),
                ("bob", "ada", "model_b"),
            )
        ),
        "votes.jsonl",
    )
    counts = written(
        tmp_path, '{"model_a": "ada", "model_b": "bob", "wins_a": 2, "wins_b": 1, "ties": 2}\n', "c.jsonl"
    )
    found = [read_published(path, "jsonl", path.name).pairs for path in (votes, counts)]
    assert found[0] == found[1] == {("ada", "bob"): [2.0, 1.0, 2.0]}


def test_names_are_matched_exactly_or_as_the_operator_says() -> None:
    known = ModelNames({"ada-1": ("Ada",), "bob": ("Bob",)})
    published = Published({("Ada", "BOB"): [3.0, 1.0, 0.0], ("BOB", "ada-1"): [1.0, 1.0, 2.0]})
    with pytest.raises(Invalid, match="no results between two"):
        match(published, known, {}, "the file")
    found = match(published, known, mapped_models(["BOB=Bob"]), "the file")
    assert found.rows == (("ada-1", "bob", 4.0, 2.0, 2.0),)
    assert (found.published, found.unmatched) == (8.0, ())
    for models, why in (
        ({"Bop": "bob"}, "does not name “Bop”"),
        ({"BOB": "bobby"}, "there is no model “bobby”"),
    ):
        with pytest.raises(Invalid, match=why):
            match(published, known, models, "the file")
    for bad in ("BOB", "=bob", "BOB="):
        with pytest.raises(Invalid, match="is not NAME=MODEL"):
            mapped_models([bad])
    with pytest.raises(Invalid, match="occurs twice"):
        mapped_models(["a=b", "a=c"])
