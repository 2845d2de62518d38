"""Tests of how model servers are reached: by the settings, checked at the start."""

from pathlib import Path

import pytest

from parley.features.catalog.connections import outgoing_of
from parley.settings import Settings, SettingsError
from parley.wire.proxies import Proxies, Proxy


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def test_variables_of_the_environment_count_only_where_they_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://ann:p@proxy.test:3128")
    monkeypatch.setenv("no_proxy", "inside.test")
    assert outgoing_of(Settings()).proxies == Proxies()
    read = outgoing_of(Settings(proxy="environment")).proxies
    assert read == Proxies(None, Proxy("proxy.test", 3128, "Basic YW5uOnA="), ("inside.test",))


def test_a_proxy_of_the_settings_is_for_everything_but_what_they_except() -> None:
    proxy = Proxy("proxy.test", 8080)
    settings = Settings(proxy="http://proxy.test:8080", no_proxy=("inside.test",))
    assert outgoing_of(settings).proxies == Proxies(proxy, proxy, ("inside.test",))


def test_a_wrong_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "socks5://ann:hidden@proxy.test")
    with pytest.raises(SettingsError, match="HTTPS_PROXY must be the address of an HTTP proxy") as caught:
        outgoing_of(Settings(proxy="environment"))
    assert "hidden" not in str(caught.value)


@pytest.mark.parametrize("written", [None, "no certificate"])
def test_certificates_that_cannot_be_read_stop_the_start(tmp_path: Path, written: str | None) -> None:
    path = tmp_path / "ours.pem"
    if written:
        path.write_text(written, "utf-8")
    with pytest.raises(SettingsError, match=r"Can't use the certificates in .*ours\.pem: "):
        outgoing_of(Settings(ca_file=path))
