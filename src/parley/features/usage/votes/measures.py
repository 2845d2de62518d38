"""Measures of votes."""

from parley.features.usage.measure import Measure, Value
from parley.features.usage.votes.repository import read_win_rates

MEASURES = (
    Measure(
        name="win_rate",
        title="Win rate",
        needs="Blind votes that count, cast here. A tie counts half. Not filtered by mode or provider.",
        values=(
            Value("rate", "Win rate", "share"),
            Value("wins", "Won", "count"),
            Value("ties", "Tied", "count"),
            Value("losses", "Lost", "count"),
            Value("votes", "Votes", "count"),
        ),
        by=("model",),
        where=("model",),
        read=read_win_rates,
    ),
)
