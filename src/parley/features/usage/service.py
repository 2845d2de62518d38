"""Use cases of usage: questions to measures, and the dashboards that a caller may see."""

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime

import msgspec

from parley.features.usage.dashboards import INSTALLATION, PERSONAL, WORKSPACE
from parley.features.usage.folding import Folding
from parley.features.usage.measure import DAY_S, HOUR_S, PERIODS, Cell, Line, Measure, Question
from parley.features.usage.names.repository import names_of
from parley.features.usage.schemas import Analytics, Dashboard, MeasureView, Scale, UsageTable, ValueView
from parley.kernel.caller import Caller, Scope
from parley.kernel.errors import Forbidden, Invalid
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction
from parley.text.plain_words import did_you_mean

RANGE_S = 30 * DAY_S
LONGEST_S = 5 * 366 * DAY_S
MOST_ROWS = 20_000
MOST_GROUPS = 3
PAYERS: Mapping[Scale, Mapping[str, str]] = {
    "me": {"installation": "The installation's key", "person": "Your key", "workspace": "A workspace's key"},
    "workspace": {
        "installation": "The installation's key",
        "person": "Members' own keys",
        "workspace": "The workspace's key",
    },
    "installation": {
        "installation": "The installation's key",
        "person": "People's own keys",
        "workspace": "Workspaces' keys",
    },
}
"""Whose key paid, as those read it whose usage it is."""

NAMED = ("person", "workspace", "key")


class UsageRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A question as a request states it: times are ISO 8601, `where` is `model:gpt-5,mode:chat`."""

    measure: str
    by: str = ""
    start: str = ""
    end: str = ""
    where: str = ""
    of: Scale = "me"


class UsageService:
    """Answers questions about usage."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        folding: Folding,
        measures: Iterable[Measure],
        escape: Callable[[object], object],
        *,
        is_shared: bool = False,
    ) -> None:
        """`escape` makes a value a cell of CSV that no spreadsheet runs. `is_shared`: people have keys of their own."""
        self._is_shared = is_shared
        self._database = database
        self._clock = clock
        self._folding = folding
        self._measures = {measure.name: measure for measure in measures}
        self._escape = escape

    def analytics(self, caller: Caller) -> Analytics:
        """Return the dashboards that the caller may see, and every measure."""
        shown = [INSTALLATION] if Scope.MANAGE in caller.scopes else []
        shown += [WORKSPACE] if caller.member_id else []
        return Analytics(
            dashboards=[self._fitting(each) for each in (*shown, PERSONAL)],
            measures=[
                MeasureView(
                    name=measure.name,
                    title=measure.title,
                    needs=measure.needs,
                    values=_values(measure),
                    by=list(measure.by),
                    where=list(measure.where),
                )
                for measure in self._measures.values()
            ],
        )

    async def read(self, caller: Caller, request: UsageRequest) -> UsageTable:
        """Return a measure's figures. Raises Invalid, Forbidden."""
        measure = self._measure(request.measure)
        question = self._question(caller, measure, request)
        await self._folding.freshen()
        lines, total, names = await self._database.read(lambda db: _read(db, measure, question))
        if "payer" in question.by:
            names = {**names, **PAYERS[request.of]}
        if len(lines) > MOST_ROWS:
            raise Invalid(
                "by",
                f"by: that is {len(lines)} rows, and at most {MOST_ROWS} are answered at once.",
                "Ask for a shorter range, or for fewer groups.",
            )
        folded = self._folding.folded_at
        return UsageTable(
            measure=measure.name,
            title=measure.title,
            needs=measure.needs,
            by=list(question.by),
            values=_values(measure),
            rows=[_row(question, line) for line in lines],
            total=None if total is None else list(total),
            names=names,
            start=_iso(question.start),
            end=_iso(question.end),
            updated_at=_iso(int(folded)) if folded else None,
        )

    def check(self, request: UsageRequest) -> Sequence[str]:
        """Return the columns of a measure that can be asked so. Raises Invalid for what it doesn't have."""
        measure = self._measure(request.measure)
        _groups(measure, request.by)
        _where(measure, request.where)
        return [value.name for value in measure.values]

    def csv(self, table: UsageTable) -> str:
        """Return a table as CSV: the keys, and the values with their units."""
        text = io.StringIO()
        writer = csv.writer(text)
        heads = [f"{value.name}_{_SUFFIX[value.unit]}".rstrip("_") for value in table.values]
        writer.writerow([*table.by, *(head.replace("_micros_micros", "_micros") for head in heads)])
        for row in table.rows:
            writer.writerow([self._escape(cell) for cell in row])
        return text.getvalue()

    def _fitting(self, dashboard: Dashboard) -> Dashboard:
        """Return a dashboard without the card about own keys, where nobody has any."""
        if self._is_shared:
            return dashboard
        cards = [card for card in dashboard.cards if "payer" not in card.by]
        return msgspec.structs.replace(dashboard, cards=cards)

    def _measure(self, name: str) -> Measure:
        measure = self._measures.get(name)
        if measure is None:
            raise _invalid("measure", f"there is no measure “{name[:80]}”", name, self._measures)
        return measure

    def _question(self, caller: Caller, measure: Measure, request: UsageRequest) -> Question:
        by = _groups(measure, request.by)
        where = _where(measure, request.where)
        start, end = self._range(request, hourly="hour" in by)
        return _limited(caller, request.of, Question(start=start, end=end, by=by, where=where))

    def _range(self, request: UsageRequest, *, hourly: bool) -> tuple[int, int]:
        """Return the range in seconds: the last 30 days without one. A range of days has whole days."""
        now = int(self._clock.now())
        end = _seconds("to", request.end, now + 1)
        start = _seconds("from", request.start, end - RANGE_S)
        step = HOUR_S if hourly or end - start <= 2 * DAY_S else DAY_S
        start, end = start // step * step, -(-end // step) * step
        if not 0 < end - start <= LONGEST_S:
            raise Invalid("to", "to: must be after “from”, and at most five years.", "Choose another range.")
        return start, end


_SUFFIX = {"count": "", "tokens": "tokens", "micros": "micros", "ms": "ms", "share": "share", "per": ""}


def _read(
    transaction: Transaction, measure: Measure, question: Question
) -> tuple[Sequence[Line], Line | None, dict[str, str]]:
    lines = measure.read(transaction, question)
    whole = msgspec.structs.replace(question, by=())
    total = next(iter(measure.read(transaction, whole) if question.by else lines), None)
    wanted = {str(line[place]) for place, name in enumerate(question.by) if name in NAMED for line in lines}
    return lines, total, names_of(transaction, wanted) if wanted else {}


def _limited(caller: Caller, of: Scale, question: Question) -> Question:
    """Return the question limited to what the caller may see. Raises Forbidden."""
    if of == "installation":
        if Scope.MANAGE not in caller.scopes:
            raise Forbidden(
                "Only administrators see everybody's usage.",
                "Nothing was read. Your own is under “Your month”.",
            )
        return question
    if of == "workspace":
        if not caller.member_id:
            raise Forbidden(
                "You are in your own space, not in a workspace.", "Nothing was read. Switch to the workspace."
            )
        return msgspec.structs.replace(question, space_id=caller.space_id)
    return msgspec.structs.replace(question, owner_id=caller.author_id)


def _groups(measure: Measure, text: str) -> tuple[str, ...]:
    by = tuple(part.strip() for part in text.split(",") if part.strip())
    for name in by:
        if name not in measure.by:
            raise _invalid("by", f"{measure.name} can't be grouped by “{name[:80]}”", name, measure.by)
    if len(by) > MOST_GROUPS or len(set(by)) < len(by):
        raise Invalid("by", f"by: takes up to {MOST_GROUPS} different groups.", "Leave some out.")
    return by


def _where(measure: Measure, text: str) -> Mapping[str, tuple[str, ...]]:
    conditions: dict[str, tuple[str, ...]] = {}
    for part in (part for part in text.split(",") if part.strip()):
        name, _, value = part.strip().partition(":")
        if name not in measure.where:
            raise _invalid("where", f"{measure.name} can't be filtered by “{name[:80]}”", name, measure.where)
        conditions[name] = (*conditions.get(name, ()), value)
    return conditions


def _invalid(field: str, problem: str, name: str, known: Iterable[str]) -> Invalid:
    names = list(known)
    return Invalid(
        field,
        f"{field}: {problem}{did_you_mean(name, names)}.",
        f"It can be: {', '.join(names)}." if names else "Leave it out.",
    )


def _seconds(field: str, text: str, default: int) -> int:
    if not text:
        return default
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise Invalid(
            field, f"{field}: “{text[:80]}” is not a time.", "Write it like 2026-11-28 or 2026-11-28T10:00Z."
        ) from None
    try:
        return int((time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp())
    except (ValueError, OverflowError):
        raise Invalid(field, f"{field}: “{text[:80]}” is out of range.", "Choose another time.") from None


def _values(measure: Measure) -> list[ValueView]:
    return [ValueView(value.name, value.title, value.unit) for value in measure.values]


def _row(question: Question, line: Line) -> list[Cell]:
    """Return a line with its periods as ISO 8601."""
    return [
        _iso(int(cell or 0)) if place < len(question.by) and question.by[place] in PERIODS else cell
        for place, cell in enumerate(line)
    ]


def _iso(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()
