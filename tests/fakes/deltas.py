"""Assembles the texts of a stream from its deltas."""

from collections.abc import Sequence
from typing import Any


def texts(events: Sequence[dict[str, Any]], channel: str = "text") -> dict[str, str]:
    """Return the text of each seat from the deltas; offsets must be contiguous."""
    seats: dict[str, str] = {}
    said: dict[str, str] = {}
    attempts: dict[str, int] = {}
    for event in events:
        if event["kind"] == "turn.snapshot":
            for reply in event["turn"]["replies"]:
                seats[reply["id"]] = reply["seat"]
                said[reply["id"]] = reply[channel]
                attempts[reply["id"]] = reply["attempt"]
        elif event["kind"] == "reply.started":
            seats[event["reply_id"]] = event["seat"]
            if event["attempt"] > attempts.get(event["reply_id"], 0):
                said[event["reply_id"]] = ""
                attempts[event["reply_id"]] = event["attempt"]
        elif event["kind"] == "reply.delta" and event["channel"] == channel:
            assert event["offset"] == len(said[event["reply_id"]]), "a delta does not fit"
            said[event["reply_id"]] += event["text"]
            assert event["end"] == len(said[event["reply_id"]])
    return {seats[reply_id]: text for reply_id, text in said.items()}
