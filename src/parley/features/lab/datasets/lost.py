"""The data set of all that a model lost by a person's votes."""

from datetime import UTC, datetime

from parley.features.lab.datasets.repository import DatasetsRepository
from parley.features.lab.datasets.row_files import ReadRow
from parley.features.lab.datasets.schemas import DatasetDetail
from parley.features.lab.datasets.service import detail_of
from parley.features.lab.datasets.storing import add_dataset, append_rows, seal
from parley.features.lab.tables import DatasetRow
from parley.kernel.caller import Caller
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction

SPLITS_IN_TURN = ("holdout", "train", "holdout", "validation")


class LostBattles:
    """Collects lost battles as rows."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def collect(self, caller: Caller, model_id: str, variable: str) -> DatasetDetail:
        """Return the data set of what a model lost by the caller's votes; new votes are added to it.

        Each question is in it once, under `variable`, with the preferred answer, the reason, or both. Every second row
        is held out, and a row stays in its split. Raises Conflict if there are too many.
        """
        name, now = f"Lost by {model_id}"[:80], datetime.fromtimestamp(self._clock.now(), UTC)

        def store(transaction: Transaction) -> DatasetDetail:
            repository = DatasetsRepository(transaction)
            dataset = repository.named(caller.person_id, name)
            if dataset is None:
                dataset = add_dataset(repository, caller, name, now, "Nothing was asked.")
            if rows := _new_rows(repository, dataset, model_id, variable):
                dataset.number, dataset.updated_at = dataset.number + 1, now
                append_rows(repository, dataset, rows, "votes")
                seal(repository, dataset)
            return detail_of(repository, dataset)

        return await self._database.write(store)


def _new_rows(
    repository: DatasetsRepository, dataset: DatasetRow, model_id: str, variable: str
) -> list[ReadRow]:
    present = repository.rows(dataset.id, dataset.number)
    questions = {row.fields.get(variable) for row in present}
    rows: list[ReadRow] = []
    for each in repository.lost(dataset.owner_id, model_id):
        if each.question not in questions and (each.preferred or each.reason):
            questions.add(each.question)
            reason = {"reason": each.reason} if each.reason else {}
            split = SPLITS_IN_TURN[(len(present) + len(rows)) % len(SPLITS_IN_TURN)]
            rows.append(({variable: each.question, **reason}, each.preferred, split))
    return rows
