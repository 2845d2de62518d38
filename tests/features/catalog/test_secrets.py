"""Tests of sealed keys: they open where they were given and nowhere else, and no crash loses them."""

import base64
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from parley.features.catalog.secrets import KEY_FILE, NEXT_FILE, KeyLost, Secrets
from parley.kernel.errors import Conflict

KEY = "sk-only-for-one-place"
HERE = "https://models.example/v1"


def a_secret(letter: str) -> str:
    return base64.b64encode(letter.encode() * 32).decode()


def test_a_key_opens_where_it_was_given_also_after_a_restart(tmp_path: Path) -> None:
    sealed = Secrets(tmp_path).seal(KEY, "near", HERE)
    assert KEY.encode() not in sealed
    assert Secrets(tmp_path).open(sealed, "near", HERE) == KEY
    assert Secrets(tmp_path).open(sealed, "near", "https://MODELS.example:443/other/path") == KEY


@pytest.mark.parametrize(
    ("provider_id", "base_url"),
    [
        ("far", HERE),
        ("near", "http://models.example/v1"),
        ("near", "https://models.example:8443/v1"),
        ("near", "https://models.example.evil.example/v1"),
        ("near", None),
    ],
)
def test_a_moved_key_does_not_open(tmp_path: Path, provider_id: str, base_url: str | None) -> None:
    secrets = Secrets(tmp_path)
    sealed = secrets.seal(KEY, "near", HERE)
    with pytest.raises(KeyLost, match=f"saved key of “{provider_id}” can't be read"):
        secrets.open(sealed, provider_id, base_url)


def test_a_changed_ciphertext_does_not_open(tmp_path: Path) -> None:
    secrets = Secrets(tmp_path)
    sealed = secrets.seal(KEY, "near", HERE)
    for at in range(len(sealed)):
        with pytest.raises(KeyLost):
            secrets.open(sealed[:at] + bytes([sealed[at] ^ 1]) + sealed[at + 1 :], "near", HERE)
    with pytest.raises(KeyLost):
        secrets.open(b"", "near", HERE)


def test_the_same_key_is_sealed_differently_each_time(tmp_path: Path) -> None:
    secrets = Secrets(tmp_path)
    assert len({secrets.seal(KEY, "near", HERE) for _ in range(50)}) == 50


def test_the_secret_is_made_with_the_first_key_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    secrets = Secrets(tmp_path)
    assert list(tmp_path.iterdir()) == []
    secrets.seal(KEY, "near", HERE)
    assert [file.name for file in tmp_path.iterdir()] == [KEY_FILE]
    assert stat.S_IMODE((tmp_path / KEY_FILE).stat().st_mode) == 0o600
    secrets.begin_rotation()
    assert stat.S_IMODE((tmp_path / NEXT_FILE).stat().st_mode) == 0o600
    secrets.end_rotation()
    assert stat.S_IMODE((tmp_path / KEY_FILE).stat().st_mode) == 0o600


def test_starts_at_the_same_time_agree_on_one_secret(tmp_path: Path) -> None:
    several = [Secrets(tmp_path) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        sealed = list(pool.map(lambda secrets: secrets.seal(KEY, "near", HERE), several))
    assert [Secrets(tmp_path).open(each, "near", HERE) for each in sealed] == [KEY] * 8
    assert [file.name for file in tmp_path.iterdir()] == [KEY_FILE]


def test_a_lost_secret_is_reported_and_no_new_one_is_made_by_reading(tmp_path: Path) -> None:
    sealed = Secrets(tmp_path).seal(KEY, "near", HERE)
    (tmp_path / KEY_FILE).unlink()
    with pytest.raises(KeyLost, match=r"secret\.key is missing") as raised:
        Secrets(tmp_path).open(sealed, "near", HERE)
    assert "Enter the key again" in (raised.value.detail or "")
    assert not (tmp_path / KEY_FILE).exists()
    Secrets(tmp_path).seal(KEY, "other", HERE)
    with pytest.raises(KeyLost, match="secret has changed"):
        Secrets(tmp_path).open(sealed, "near", HERE)


@pytest.mark.parametrize(
    "text", ["", "short", "ä" * 32, a_secret("a")[:-4], a_secret("a") + "AAAA", "$" * 44]
)
def test_a_secret_that_is_none_is_refused_with_its_place(tmp_path: Path, text: str) -> None:
    with pytest.raises(KeyLost, match="PARLEY_SECRET_KEY must hold 32 bytes"):
        Secrets(tmp_path, text)
    (tmp_path / KEY_FILE).write_text(text, "utf-8")
    with pytest.raises(KeyLost, match=r"secret\.key"):
        Secrets(tmp_path).seal(KEY, "near", HERE)
    assert (tmp_path / KEY_FILE).read_text("utf-8") == text


def test_a_given_secret_is_used_and_no_file_is_made(tmp_path: Path) -> None:
    sealed = Secrets(tmp_path, a_secret("a")).seal(KEY, "near", HERE)
    assert list(tmp_path.iterdir()) == []
    assert Secrets(tmp_path, f" {a_secret('a').rstrip('=')}\n").open(sealed, "near", HERE) == KEY
    with pytest.raises(KeyLost):
        Secrets(tmp_path, a_secret("b")).open(sealed, "near", HERE)


def test_of_several_given_secrets_the_first_seals_and_all_open(tmp_path: Path) -> None:
    before, now = a_secret("a"), a_secret("b")
    old = Secrets(tmp_path, before).seal(KEY, "near", HERE)
    both = Secrets(tmp_path, f"{now},{before}")
    assert both.open(old, "near", HERE) == KEY
    assert Secrets(tmp_path, now).open(both.seal(KEY, "near", HERE), "near", HERE) == KEY


def test_a_given_secret_takes_over_from_the_file(tmp_path: Path) -> None:
    old = Secrets(tmp_path).seal(KEY, "near", HERE)
    given = Secrets(tmp_path, a_secret("a"))
    assert given.open(old, "near", HERE) == KEY
    (tmp_path / KEY_FILE).unlink()
    with pytest.raises(KeyLost):
        given.open(old, "near", HERE)


def test_a_secret_that_only_the_setting_holds_is_not_replaced(tmp_path: Path) -> None:
    with pytest.raises(Conflict, match="set by PARLEY_SECRET_KEY"):
        Secrets(tmp_path, a_secret("a")).begin_rotation()
    Secrets(tmp_path, f"{a_secret('b')},{a_secret('a')}").begin_rotation()
    assert list(tmp_path.iterdir()) == []


def test_a_rotation_that_crashes_at_any_step_leaves_every_key_readable(tmp_path: Path) -> None:
    first = Secrets(tmp_path)
    old = [first.seal(f"{KEY}-{number}", "near", HERE) for number in range(2)]
    first.begin_rotation()
    crashed = Secrets(tmp_path)
    assert [crashed.open(each, "near", HERE) for each in old] == [f"{KEY}-0", f"{KEY}-1"]
    # The new secret has sealed one of them, and it stopped again.
    half = crashed.seal(crashed.open(old[0], "near", HERE), "near", HERE)
    again = Secrets(tmp_path)
    assert [again.open(each, "near", HERE) for each in (half, old[1])] == [f"{KEY}-0", f"{KEY}-1"]
    again.begin_rotation()
    whole = [half, again.seal(again.open(old[1], "near", HERE), "near", HERE)]
    again.end_rotation()
    after = Secrets(tmp_path)
    assert [after.open(each, "near", HERE) for each in whole] == [f"{KEY}-0", f"{KEY}-1"]
    for each in old:
        with pytest.raises(KeyLost):
            after.open(each, "near", HERE)
    assert [file.name for file in tmp_path.iterdir()] == [KEY_FILE]


def test_a_secret_that_others_can_read_is_refused_with_the_command_that_repairs_it(tmp_path: Path) -> None:
    kept = Secrets(tmp_path)
    sealed = kept.seal("k", "near", None)
    (tmp_path / KEY_FILE).chmod(0o640)
    with pytest.raises(KeyLost, match="other users of this computer can read") as caught:
        kept.open(sealed, "near", None)
    assert f"chmod 600 {tmp_path / KEY_FILE}" in (caught.value.detail or "")
    (tmp_path / KEY_FILE).chmod(0o600)
    assert kept.open(sealed, "near", None) == "k"


def test_secrets_that_a_killed_rotation_was_writing_are_deleted(tmp_path: Path) -> None:
    kept = Secrets(tmp_path)
    sealed = kept.seal("k", "near", None)
    for name in ("secret.key.0123abcd", "secret.key.next.89abcdef"):
        (tmp_path / name).write_text("x")
    (tmp_path / "secret.key.backup").write_text("of the person")
    assert not kept.has_begun_rotation()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["secret.key", "secret.key.backup"]
    kept.begin_rotation()
    assert kept.has_begun_rotation()
    assert kept.open(sealed, "near", None) == "k"
