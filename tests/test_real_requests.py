"""Tests of the tests' own fence."""

import socket

import pytest


def test_a_test_cannot_reach_another_computer() -> None:
    with socket.socket() as endpoint, pytest.raises(RuntimeError, match=r"tried to reach 1\.1\.1\.1"):
        endpoint.connect(("1.1.1.1", 80))


def test_a_test_can_reach_its_own_server() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
        pass
