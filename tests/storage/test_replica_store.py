"""Replicas in PostgreSQL: who owns a turn, who is dead, and what is left out of the log."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack

import pytest

from parley.kernel.ports import EventLogged
from parley.kernel.replicas import TurnOrder, TurnsLost
from parley.storage import server_lock
from parley.storage.database import Database
from parley.storage.replica_store import SqlReplicaStore, own_turn, running_turns
from parley.storage.server_lock import lock_database
from parley.storage.tables.conversations import TurnRow
from parley.storage.turn_log import SqlTurnLog
from tests.fakes.databases import an_empty_database, with_driver
from tests.fakes.rows import a_match, a_session, a_turn, a_user
from tests.fakes.time import StillClock

pytestmark = pytest.mark.databases("postgresql")
