"""The demo's parts in a consortium: a member that gives way to reasons, an arbiter that counts and compares."""

from parley.connectors.demo.consortium.part import play_part

__all__ = ["play_part"]
