"""Passwords in the addresses of settings are in nothing that a command prints, whether or not it can use them."""

import logging
from pathlib import Path

import pytest

from tests.fakes.canaries import found_in
from tests.fakes.commands import runner

SECRETS = [f"pw-{number:02d}-{number * 7919 + 10**9:x}-of-a-setting" for number in range(8)]
ADDRESSES = {
    "PARLEY_DATABASE_URL": "postgresql://parley:{}@127.0.0.1:1/parley",
    "PARLEY_CACHE_URL": "redis://:{}@127.0.0.1:1/0",
    "PARLEY_PROXY": "http://user:{}@127.0.0.1:1",
    "PARLEY_FILES_URL": "s3://user:{}@bucket/folder",
    "PARLEY_SECRET_KEY": "{}",
    "PARLEY_METRICS_KEY": "{}",
    "PARLEY_TOOL_SERVERS": '[{{"name": "notes", "url": "http://user:{}@127.0.0.1:1/mcp", "headers": 1}}]',
    "PARLEY_SIGN_IN_WITH": '[{{"id": "Acme", "name": "Acme", "client_id": "us", "client_secret": "{}"}}]',
}
COMMANDS = (
    ["doctor"],
    ["doctor", "--json"],
    ["sessions"],
    ["users"],
    ["backup", "out.zip"],
    ["serve", "--port", "x"],
)


@pytest.mark.parametrize("variable", ADDRESSES)
def test_no_command_prints_a_password_of_the_settings(
    variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    secret = SECRETS[[*ADDRESSES].index(variable)]
    run = runner(tmp_path, monkeypatch)
    said: list[str] = []
    with caplog.at_level(logging.DEBUG):
        for address in (ADDRESSES[variable], ADDRESSES[variable].replace("://", ":/").replace("}}", "}}x")):
            monkeypatch.setenv(variable, address.format(secret))
            for command in COMMANDS:
                done = run(*command, status=None)
                said += [done.stdout, done.stderr]
    printed = "\n".join([*said, caplog.text])
    assert len(printed) > 200
    assert found_in(printed.encode(), [secret]) == []
