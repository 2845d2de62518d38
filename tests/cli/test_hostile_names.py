"""Names, texts and errors of others cannot command the terminal, whatever command prints them."""

import contextlib
import http.server
import io
import logging
import re
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest
import typer

from parley.api.logs import VisibleFormatter, log_config
from parley.cli import main
from parley.cli.app import app
from parley.cli.measuring_record import MeasuredReply, key_of
from parley.text.controls import in_one_line, visible, visible_json

EVIL = "evil\x1b]0;owned\x07\x1b[31m\x9b31m\u202etxt\x08\x7f[link=http://x]y[/link]"
FILE_EVIL = "f\x1b[2Jile\u202e"
COMMANDING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")

COMMANDS: dict[str, Sequence[Sequence[str]]] = {
    "serve": [["serve", "--host", EVIL], ["serve", "--config", FILE_EVIL]],
    "models list": [
        *(["models"], ["models", "--json"], ["models", "--example"], ["models", "--models", FILE_EVIL]),
        ["models", "list"],
    ],
    "models add": [["models", "add", "near", EVIL, "--name", EVIL], ["models", "add", EVIL, EVIL]],
    "models default": [["models", "default"], ["models", "default", EVIL], ["models", "default", "one"]],
    "models remove": [["models", "remove", EVIL], ["models", "remove", "one"]],
    "providers add": [
        ["providers", "add", EVIL],
        ["providers", "add", "http://127.0.0.1:1/v1", "--name", EVIL, "--region", EVIL, "-m", EVIL],
        ["providers", "add", f"http://{EVIL}/v1"],
    ],
    "providers list": [["providers"], ["providers", "list", "--json"]],
    "providers test": [["providers", "test", "near"], ["providers", "test", EVIL]],
    "providers remove": [["providers", "remove", EVIL], ["providers", "remove", "near"]],
    "call": [["call", FILE_EVIL], ["call", EVIL]],
    "keys list": [["keys"], ["keys", "list", "--json"]],
    "keys create": [["keys", "create", "--name", EVIL], ["keys", "create", "--name", "x", "--model", EVIL]],
    "keys revoke": [["keys", "revoke", EVIL]],
    "keys rotate": [["keys", "rotate"], ["keys", "rotate", "--json"]],
    "ask": [
        ["ask", EVIL, EVIL],
        ["ask", "one", EVIL],
        ["ask", "one", "x", "--file", EVIL],
        ["ask", "one", EVIL, "--json"],
    ],
    "compare": [
        ["compare", "-m", "one", "-m", EVIL, EVIL],
        ["compare", "-m", "one", "-m", "two", EVIL],
        ["compare", "-m", "one", "-m", "two", EVIL, "--json"],
    ],
    "battle": [["battle", EVIL], ["battle", EVIL, "--vote", EVIL]],
    "votes cast": [["votes", "cast", EVIL, "left"], ["votes", "cast", "one", EVIL]],
    "standings prior set": [
        ["standings", "prior", "set", FILE_EVIL + ".csv", "--weight", "1"],
        ["standings", "prior", "set", FILE_EVIL + ".csv", "--weight", "1", "--map", f"{EVIL}=one"],
    ],
    "standings prior show": [["standings", "prior", "show"], ["standings", "prior", "show", "--json"]],
    "standings prior remove": [["standings", "prior", "remove"]],
    "rate": [["rate", FILE_EVIL + ".csv"], ["rate", FILE_EVIL + ".csv", "--json"], ["rate", FILE_EVIL]],
    "doctor": [["doctor"], ["doctor", "--json"]],
    "database copy": [
        ["database", "copy", "--to", EVIL],
        ["database", "copy", "--to", f"postgresql://{EVIL}"],
    ],
    "export": [
        ["export", FILE_EVIL + ".jsonl"],
        ["export", EVIL],
        ["export", FILE_EVIL + ".db", "--anonymised"],
    ],
    "backup": [["backup", FILE_EVIL + ".zip"], ["backup", EVIL, "--data-dir", FILE_EVIL]],
    "restore": [["restore", FILE_EVIL + ".zip"], ["restore", FILE_EVIL, "--data-dir", FILE_EVIL]],
    "lab list": [["lab", "list"], ["lab", "list", "--json"]],
    "lab export": [["lab", "export", EVIL, f"{FILE_EVIL}.out.yaml", "--data", EVIL]],
    "lab run": [
        ["lab", "run", EVIL, "--data", EVIL, "--models", EVIL],
        ["lab", "run", f"{FILE_EVIL}.foo.yaml", "--models", EVIL],
    ],
    "lab improve": [
        ["lab", "improve", EVIL, "--data", EVIL, "--model", EVIL],
        ["lab", "improve", FILE_EVIL, "--data", FILE_EVIL, "--model", "ada", "--json"],
    ],
    "lab show": [["lab", "show", EVIL], ["lab", "show", EVIL, "--json"]],
    "limits list": [["limits"], ["limits", "list", "--json"]],
    "limits add": [["limits", "add", "--cap", EVIL], ["limits", "add", "--cap", "1", "--for", EVIL]],
    "limits change": [["limits", "change", EVIL, "--cap", "1"]],
    "limits raise": [["limits", "raise", EVIL, "--by", "1"], ["limits", "raise", EVIL, "--by", EVIL]],
    "limits rate": [["limits", "rate", EVIL], ["limits", "rate", "person"]],
    "limits remove": [["limits", "remove", EVIL]],
    "mcp": [["mcp", "--url", EVIL], ["mcp", "--url", f"http://{EVIL}"]],
    "trust": [["trust", FILE_EVIL], ["trust", "."], ["trust", "--list"], ["trust", "--json"]],
    "audit verify": [["audit", "verify"], ["audit", "verify", "--json"]],
    "consortium save": [
        ["consortium", "save", EVIL, "-m", "one:2", "--arbiter", "two"],
        ["consortium", "save", "x", "-m", EVIL, "--arbiter", EVIL],
    ],
    "consortium list": [["consortium", "list"], ["consortium", "list", "--json"]],
    "consortium show": [["consortium", "show", EVIL]],
    "consortium remove": [["consortium", "remove", EVIL]],
    "consortium run": [["consortium", "run", EVIL, EVIL]],
    "consortium import": [["consortium", "import", EVIL, "--store", "store"]],
    "consortium export": [["consortium", "export", EVIL, "--store", "store"]],
    "team save": [
        ["team", "save", EVIL, "-m", "one=Critic", "-m", "two"],
        ["team", "save", "x", "-m", f"one={EVIL}", "-m", EVIL],
        ["team", "save", "x", "-m", "one", "-m", "two", "--like", EVIL],
    ],
    "team list": [["team", "list"], ["team", "list", "--json"]],
    "team show": [["team", "show", EVIL], ["team", "show", "y" + EVIL]],
    "team remove": [["team", "remove", EVIL]],
    "team run": [["team", "run", EVIL, EVIL], ["team", "run", EVIL, EVIL, "--json"]],
    "deliberation run": [
        ["deliberation", "run", FILE_EVIL + ".questions.jsonl", "-m", "one", "--against", "two", "--yes"],
        ["deliberation", "run", FILE_EVIL + ".questions.jsonl", "-m", EVIL],
        ["deliberation", "run", FILE_EVIL + ".jsonl", "-m", "one"],
    ],
    "judge run": [
        ["judge", "run", "one", "--votes", FILE_EVIL + ".texts.jsonl", "--yes"],
        ["judge", "run", EVIL, "--votes", FILE_EVIL + ".texts.jsonl"],
        ["judge", "run", "one", "--votes", FILE_EVIL + ".jsonl"],
    ],
    "judge report": [
        ["judge", "report", "one", "--votes", FILE_EVIL + ".texts.jsonl", "--out", "verdicts.jsonl"],
        [
            "judge",
            "report",
            "one",
            "--votes",
            FILE_EVIL + ".texts.jsonl",
            "--out",
            "verdicts.jsonl",
            "--json",
        ],
    ],
    "sessions import": [
        ["sessions", "import", FILE_EVIL + ".sessions.json"],
        ["sessions", "import", FILE_EVIL + ".sessions.json", "--json"],
        ["sessions", "import", FILE_EVIL + ".csv"],
        ["sessions", "import", FILE_EVIL],
    ],
    "sessions list": [["sessions"], ["sessions", "list", "--tag", EVIL], ["sessions", "list", "--json"]],
    "sessions show": [["sessions", "show"], ["sessions", "show", EVIL], ["sessions", "show", "--json"]],
    "sessions search": [["sessions", "search", "evil"], ["sessions", "search", EVIL]],
    "sessions export": [["sessions", "export", FILE_EVIL + ".md"], ["sessions", "export", FILE_EVIL, EVIL]],
    "votes imports": [["votes", "imports"]],
    "votes remove-import": [["votes", "remove-import", EVIL]],
    "votes import": [
        ["votes", "import", FILE_EVIL + ".csv", "--skip-bad", "--yes"],
        ["votes", "import", FILE_EVIL + ".csv"],
        ["votes", "import", FILE_EVIL + ".jsonl", "--json"],
    ],
    "votes export": [["votes", "export", FILE_EVIL + "2.csv"], ["votes", "export", FILE_EVIL]],
    "standings list": [["standings"], ["standings", "list", "--category", EVIL]],
    "standings show": [["standings", "show", "--min-votes", "0"], ["standings", "show", "--category", "own"]],
    "standings rebuild": [["standings", "rebuild"]],
    "standings exclude": [["standings", "exclude", EVIL]],
    "standings reinstate": [["standings", "reinstate", EVIL]],
    "standings health": [["standings", "health"], ["standings", "health", "--json"]],
    "users list": [["users"], ["users", "list", "--json"]],
    "users create-admin": [
        ["users", "create-admin", "--email", EVIL, "--name", EVIL, "--password", "four wordy long words"]
    ],
    "users invite": [["users", "invite", "--note", EVIL], ["users", "invite", "--role", EVIL]],
    "users reset-password": [["users", "reset-password", EVIL]],
    "users disable": [["users", "disable", EVIL]],
    "users enable": [["users", "enable", EVIL]],
    "share": [["share", "--email", EVIL, "--name", EVIL, "--password", "four wordy long words"]],
    "standings voters": [["standings", "voters"], ["standings", "voters", "--json"]],
}
"""Every command, with what makes it print what others chose."""

ORDER = (
    "votes import",
    "sessions import",
    "standings rebuild",
    "consortium save",
    "consortium export",
    "consortium list",
    "team save",
    "team list",
    "team show",
    "team run",
)
"""What comes first, so that the others have something to tell."""


class Provider(http.server.BaseHTTPRequestHandler):
    """Answers with an error in a hostile voice."""

    def do_GET(self) -> None:
        body = msgspec.json.encode({"error": {"message": EVIL}})
        self.send_response(400)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET  # noqa: N815 - the library's name

    def log_message(self, *_: object) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        pass


@pytest.fixture
def provider() -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Provider) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()
        thread.join()


@pytest.fixture
def hostile_names(tmp_path: Path, provider: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which everything that can have a name has a hostile one."""
    monkeypatch.chdir(tmp_path)
    listed = {
        "providers": [{"id": "near", "connector": "openai", "base_url": provider, "api_key": "k"}],
        "models": [
            {
                "id": name,
                "name": f"{name} {EVIL}",
                "organization": EVIL,
                "license": EVIL,
                "routes": [{"provider": "near", "model": EVIL}],
            }
            for name in ("one", "two")
        ],
    }
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "models.yaml").write_bytes(msgspec.json.encode(listed))
    votes = [f"one,two,{winner}" for winner in ("model_a", "model_b", EVIL)]
    votes += [f"{EVIL},two,tie", f'"{EVIL}\nx",one,tie', f"one,two {EVIL},tie"]
    (tmp_path / f"{FILE_EVIL}.csv").write_text("model_a,model_b,winner\n" + "\n".join(votes) + "\n")
    talks = [
        {"title": EVIL, "messages": [{"role": "user", "content": EVIL}], "tags": [EVIL[:30]]},
        {"title": EVIL, "messages": EVIL},
    ]
    (tmp_path / f"{FILE_EVIL}.sessions.json").write_bytes(msgspec.json.encode(talks))
    (tmp_path / f"{FILE_EVIL}.jsonl").write_bytes(msgspec.json.encode({EVIL: EVIL}) + b"\n")
    config = {"description": EVIL, "prompts": [EVIL], EVIL: 1, "providers": [EVIL]}
    (tmp_path / f"{FILE_EVIL}.foo.yaml").write_bytes(msgspec.json.encode(config))
    asked = {"question": EVIL, "answer": EVIL}
    (tmp_path / f"{FILE_EVIL}.questions.jsonl").write_bytes(msgspec.json.encode(asked))
    write_verdicts(tmp_path)
    monkeypatch.setenv("PARLEY_DATA_DIR", str(tmp_path / FILE_EVIL))
    monkeypatch.setenv("PARLEY_MODELS", "config/models.yaml")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "configuration"))
    own = [{"id": "own", "title": EVIL, "any": ["court"]}]
    monkeypatch.setenv("PARLEY_CATEGORIES", msgspec.json.encode(own).decode())
    return tmp_path


def write_verdicts(folder: Path) -> None:
    """Write votes with texts, and what a judge said of them."""
    said: list[bytes] = []
    rows: list[bytes] = []
    for number in range(24):
        answers = [f"{EVIL} {number} {letter}" for letter in "ab"]
        winner = "model_a" if number < 12 else None
        row = {"model_a": EVIL, "model_b": f"two {EVIL}", "winner": winner, "category": [EVIL]}
        texts = {"prompt": f"{EVIL} {number}", "response_a": answers[0], "response_b": answers[1]}
        rows.append(msgspec.json.encode(row | texts))
        key = msgspec.json.encode([texts["prompt"], *answers]).decode()
        said += [
            msgspec.json.encode(
                MeasuredReply(question=key_of(key), model="one", shown=shown, text=f"{EVIL} Better: 1")
            )
            for shown in (("a", "b"), ("b", "a"))
        ]
    (folder / f"{FILE_EVIL}.texts.jsonl").write_bytes(b"\n".join(rows) + b"\n")
    (folder / "verdicts.jsonl").write_bytes(b"\n".join(said) + b"\n")


def printed(
    arguments: Sequence[str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> str:
    monkeypatch.setattr("sys.argv", ["parley", *arguments])
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO()))
    with contextlib.suppress(SystemExit):
        main()
    output = capfd.readouterr()
    return output.out + output.err


def test_every_command_is_tried() -> None:
    def leaves(command: object, path: tuple[str, ...] = ()) -> Iterator[str]:
        inner = getattr(command, "commands", None)
        if inner is None:
            yield " ".join(path)
        for name, each in (inner or {}).items():
            yield from leaves(each, (*path, name))

    assert set(leaves(typer.main.get_command(app))) == set(COMMANDS)


@pytest.mark.slow
@pytest.mark.usefixtures("hostile_names")
def test_no_command_prints_what_a_terminal_obeys(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("logging.lastResort", logging.StreamHandler())
    seen = ""
    for name in [*ORDER, *(it for it in COMMANDS if it not in ORDER)]:
        for arguments in COMMANDS[name]:
            output = printed(arguments, monkeypatch, capfd)
            assert output, f"{arguments} printed nothing"
            found = COMMANDING.search(output)
            assert found is None, f"{arguments} printed {found.group()!r} in {output!r}"
            seen += output
    assert r"evil\x1b]0;owned\x07\x1b[31m\x9b31m\u202etxt" in seen.replace("\n", "")
    assert "[link=http://x]y[/link]" in seen.replace("\n", ""), "a name is no mark-up"


def test_logs_cannot_command_the_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(VisibleFormatter())
    try:
        raise ValueError(EVIL)
    except ValueError as error:
        raised = (ValueError, error, error.__traceback__)
    handler.handle(logging.LogRecord("parley", logging.ERROR, "", 0, "%s broke", (EVIL,), raised))
    output = capfd.readouterr().err
    assert "ValueError" in output
    assert COMMANDING.search(output) is None
    assert {it["()"] for it in log_config()["formatters"].values()} == {VisibleFormatter}


def test_controls_are_shown_and_nothing_else_is_changed() -> None:
    assert visible("a\x1b[0m\tb\r\nc\x85") == "a\\x1b[0m\tb\nc\\x85"
    assert in_one_line("a\nb\tc\u202e") == "a\\x0ab\\x09c\\u202e"
    plain = "Ä 模型 🧑‍🔬 e\u0301 ‚quoted‘"
    assert visible(plain) == in_one_line(plain) == plain
    document = {"name": EVIL}
    assert msgspec.json.decode(visible_json(msgspec.json.encode(document).decode())) == document
