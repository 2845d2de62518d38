"""Use cases of judges' passports: save what was measured, and say it in a sentence."""

from collections.abc import Mapping
from datetime import UTC, datetime

from parley.features.lab.judges.repository import JudgesRepository
from parley.features.lab.judges.schemas import Figure, JudgePassport, SavePassport
from parley.features.lab.tables import JudgeRow
from parley.kernel.caller import Caller
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction


class Judges:
    """Keeps one passport for each model that judges."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def list(self, caller: Caller) -> list[JudgePassport]:
        """Return the caller's passports by model."""
        rows = await self._database.read(
            lambda transaction: JudgesRepository(transaction).all(caller.person_id)
        )
        return [_view(row) for row in rows]

    async def save(self, caller: Caller, model_id: str, figures: SavePassport) -> JudgePassport:
        """Save a passport in place of an earlier one."""
        now = datetime.fromtimestamp(self._clock.now(), UTC)
        row = JudgeRow(caller.person_id, model_id, figures.model_dump(), now)
        await self._database.write(lambda transaction: JudgesRepository(transaction).put(row))
        return _view(row)

    async def count(self, caller: Caller) -> int:
        """Return how many passports the caller has."""
        return await self._database.read(
            lambda transaction: JudgesRepository(transaction).count(caller.person_id)
        )

    async def erase(self, caller: Caller) -> int:
        """Delete the caller's passports; return how many."""
        return await self._database.write(
            lambda transaction: JudgesRepository(transaction).remove_all(caller.person_id)
        )


def passports_of(transaction: Transaction, owner_id: str) -> Mapping[str, str]:
    """Return the sentences of an owner's passports, by model."""
    return {row.model_id: _sentence(row) for row in JudgesRepository(transaction).all(owner_id)}


def without_passport(model_id: str) -> str:
    """Return what is said of a judge that was not measured."""
    return f"No passport yet. Measure it against your votes: parley judge run {model_id}"


def _view(row: JudgeRow) -> JudgePassport:
    return JudgePassport(
        model=row.model_id,
        sentence=_sentence(row),
        votes=int(row.figures["votes"]),
        measured_at=row.measured_at.isoformat(),
    )


def _sentence(row: JudgeRow) -> str:
    figures = SavePassport.model_validate(row.figures)
    return f"{_agreement(figures)} {_position(figures)}"


def _agreement(figures: SavePassport) -> str:
    votes = f"{figures.votes:,} vote{'' if figures.votes == 1 else 's'}"
    if figures.agreement is None:
        return f"No verdict on {votes} could be read."
    return f"Agrees with people in {_percent(figures.agreement)} of {votes}."


def _position(figures: SavePassport) -> str:
    lean, flipped = figures.lean, figures.flipped
    if lean is None or lean.low is None or lean.high is None or flipped is None:
        return "Its position bias is not known."
    changed = f"{_percent(flipped)} of its verdicts change with the order"
    if lean.low <= 0 <= lean.high:
        return f"{changed}; no position bias is seen."
    place = "first" if lean.value > 0 else "second"
    return f"{changed}; it prefers the {place} place, whatever stands there ({_percent(lean, '+')})."


def _percent(figure: Figure, sign: str = "") -> str:
    if figure.low is None or figure.high is None:
        return f"{figure.value:{sign}.0%} (no interval)"
    return f"{figure.value:{sign}.0%} (95% {figure.low:{sign}.0%} to {figure.high:{sign}.0%})"
