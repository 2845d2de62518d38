"""Measures of what consortia and teams came to."""

from parley.features.usage.measure import Measure, Value
from parley.features.usage.outcomes.repository import read_consortia, read_teams

MEASURES = (
    Measure(
        name="consortium",
        title="Consortia",
        needs="Completed turns of consortia, by what their notes say.",
        values=(
            Value("turns", "Turns", "count"),
            Value("rounds", "Rounds a turn", "per"),
            Value("agreement", "Agreement", "share"),
            Value("confidence", "Confidence", "share"),
            Value("settled", "Settled early", "share"),
            Value("price", "Cost beside its best model alone", "per"),
        ),
        by=("day", "week"),
        where=(),
        read=read_consortia,
    ),
    Measure(
        name="team",
        title="Teams",
        needs="Completed turns of teams, by what their notes say.",
        values=(
            Value("turns", "Turns", "count"),
            Value("rounds", "Rounds a turn", "per"),
            Value("cost_micros", "Cost a turn", "micros"),
            Value("moderator", "Ended by the moderator", "share"),
            Value("capped", "Ended by a cap", "share"),
        ),
        by=("day", "week"),
        where=(),
        read=read_teams,
    ),
)
