"""The measure of where questions went that were left to Auto."""

from parley.features.usage.measure import Measure, Value
from parley.features.usage.routing.repository import read_routing

MEASURES = (
    Measure(
        name="routing",
        title="Auto",
        needs="Questions that were left to Auto, in sessions that still exist. Tool work: tools or data are needed.",
        values=(
            Value("questions", "Questions", "count"),
            Value("tool_work", "Tool work", "share"),
            Value("arena", "Blind battles", "share"),
            Value("other", "Other chats", "share"),
        ),
        by=("day", "week"),
        where=(),
        read=read_routing,
    ),
)
