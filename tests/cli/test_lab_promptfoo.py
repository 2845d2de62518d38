"""`parley lab run promptfooconfig.yaml`: works at once, says what is not taken, and exits as the checks say."""

from pathlib import Path

import msgspec

from tests.fakes.commands import Run
from tests.fakes.upstream import ScriptedUpstream

CONFIG = """\
description: Capitals
prompts: [file://prompt.txt]
providers: [openai:gpt-4o]
tests: cases/rows.csv
"""
ROWS = "country,__expected\nFrance,icontains:paris\nItaly,similar: Rome\n"


def write(folder: Path, config: str = CONFIG) -> str:
    (folder / "cases").mkdir(exist_ok=True)
    (folder / "cases" / "rows.csv").write_text(ROWS)
    (folder / "prompt.txt").write_text("Capital of {{country}}?")
    (folder / "promptfooconfig.yaml").write_text(config)
    return "promptfooconfig.yaml"


def test_a_config_runs_at_once_and_its_exit_status_is_that_of_its_checks(
    command: Run, tmp_path: Path, upstream: ScriptedUpstream
) -> None:
    upstream.reply("It is Paris.", model="ada", times=2)
    upstream.reply("I don't know.", model="bob", times=2)
    config = write(tmp_path)
    done = command("lab", "run", config, "--models", "ada")
    assert "cases/rows.csv:3: not taken: similar: has no counterpart" in done.stderr
    assert "The config's models (openai:gpt-4o) are not used" in done.stderr
    assert "Contains: 1 of 1 passed" in done.stdout
    again = command("lab", "run", config, "--models", "ada,bob", "--json", status=1)
    assert "2 calls, 2 recorded." in again.stderr
    counts = msgspec.json.decode(again.stdout)["check_counts"]
    assert [(it["passed"], it["failed"]) for it in counts] == [(1, 1)]
    failed = command("lab", "run", config, "--models", "ada,bob", "--min-score", "0")
    assert "Row 1, v1 bob failed: Contains. France" in failed.stdout


def test_what_cannot_run_exits_with_two(command: Run, tmp_path: Path) -> None:
    config = write(tmp_path, "prompts: [")
    assert "Line 1" in command("lab", "run", config, "--models", "ada", status=2).stderr
    assert "no file" in command("lab", "run", "none.yaml", "--models", "ada", status=2).stderr
    assert "--data" in command("lab", "run", "Capitals", "--models", "ada", status=2).stderr
    write(tmp_path)
    assert "nobody" in command("lab", "run", config, "--models", "nobody", status=2).stderr


def test_a_config_reads_no_file_outside_its_folder(command: Run, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("A secret.")
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "promptfooconfig.yaml").write_text('prompts: ["file://../secret.txt", "Hi"]')
    done = command("lab", "run", "inner/promptfooconfig.yaml", "--models", "ada", "--quote")
    assert (
        "inner/promptfooconfig.yaml:1: not taken: prompt: the file “../secret.txt” is missing" in done.stderr
    )


def test_a_prompt_is_exported_and_no_file_is_replaced(
    command: Run, tmp_path: Path, upstream: ScriptedUpstream
) -> None:
    upstream.reply("Paris.", model="ada", times=2)
    command("lab", "run", write(tmp_path), "--models", "ada")
    command("lab", "export", "Capitals", "out.yaml", "--data", "Capitals")
    assert "type: icontains" in (tmp_path / "out.yaml").read_text()
    again = command("lab", "export", "Capitals", "out.yaml", "--data", "Capitals", status=2)
    assert "exists already" in again.stderr
    assert "no data set" in command("lab", "export", "Capitals", "b.yaml", "--data", "x", status=2).stderr
