"""Measures of how people use Parley."""

from parley.features.usage.engagement.repository import read_engagement, read_turns
from parley.features.usage.measure import PERIODS, Measure, Value

MEASURES = (
    Measure(
        name="turns",
        title="Turns",
        needs="Questions that were asked, in sessions that still exist.",
        values=(
            Value("turns", "Turns", "count"),
            Value("people", "People", "count"),
            Value("sessions", "Sessions", "count"),
        ),
        by=(*PERIODS, "mode", "person"),
        where=("mode", "person"),
        read=read_turns,
    ),
    Measure(
        name="engagement",
        title="Engagement",
        needs="Sessions that still exist. Switched: chats in which more than one model was asked.",
        values=(
            Value("people", "People", "count"),
            Value("sessions", "Sessions", "count"),
            Value("turns", "Turns a session", "per"),
            Value("length", "Length of a session", "ms"),
            Value("voted", "Votes a battle", "per"),
            Value("switched", "Switched model", "share"),
        ),
        by=("day", "week"),
        where=("mode", "person"),
        read=read_engagement,
    ),
)
