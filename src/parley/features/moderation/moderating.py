"""Moderating: the rules in memory, applied to what is said; what they find is stored for review."""

import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from parley.features.moderation.judges import Finding, Judges
from parley.features.moderation.repository import ModerationRepository
from parley.features.moderation.schemas import LISTS
from parley.features.moderation.tables import ItemRow, RuleRow
from parley.kernel.caller import Role
from parley.kernel.errors import ParleyError
from parley.kernel.ids import ordered_id
from parley.kernel.messages import mend_surrogates, sha256_text
from parley.kernel.moderation import Moment, Utterance, prompt_held, reply_held
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction
from parley.text.listed import BadPattern, Listed

log = logging.getLogger(__name__)

SEALED_ITEM = "The words are of a sealed session, so they are not kept here."


class _Ready(NamedTuple):
    row: RuleRow
    listed: Listed | None


class Moderating:
    """The moderator of the gateway. Without a rule that is on it watches nothing."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        judges: Judges,
        role_of: Callable[[str], Awaitable[Role | None]],
    ) -> None:
        self._database = database
        self._clock = clock
        self._judges = judges
        self._role_of = role_of
        self._rules: dict[Moment, list[_Ready]] = {"prompt": [], "reply": []}
        self.checks_before_showing = False

    def set_rules(self, rows: Sequence[RuleRow]) -> None:
        """Apply these rules from now on: lists first, since they cost nothing, and of those what holds."""
        listed = {row.id: _listed(row) for row in rows if row.enabled}
        ready = [_Ready(row, listed[row.id]) for row in rows if row.enabled]
        ready.sort(key=lambda each: (each.row.kind not in LISTS, each.row.verdict != "hold"))
        moments: tuple[Moment, ...] = ("prompt", "reply")
        self._rules = {
            moment: [each for each in ready if each.row.moment in (moment, "both")] for moment in moments
        }
        self.checks_before_showing = any(each.row.before_showing for each in self._rules["reply"])

    def watches(self, moment: Moment) -> bool:
        """Return whether any rule applies at a moment."""
        return bool(self._rules[moment])

    async def check(self, utterance: Utterance) -> None:
        """Apply every rule until one holds what was said; store what they find. Raises Held."""
        if not utterance.texts:
            return
        for rule in self._rules[utterance.moment]:
            if not await self._is_for(rule.row, utterance):
                continue
            finding = await self._judges.find(rule.row, rule.listed, utterance)
            if finding is not None and await self._file(rule.row, finding, utterance):
                raise prompt_held() if utterance.moment == "prompt" else reply_held()

    async def _is_for(self, rule: RuleRow, utterance: Utterance) -> bool:
        if rule.audience == "workspace":
            return utterance.owner_id == rule.space_id
        if rule.audience == "not_administrators":
            return await self._role_of(utterance.author_id) is not Role.ADMINISTRATOR
        return True

    async def _file(self, rule: RuleRow, finding: Finding, utterance: Utterance) -> bool:
        """Store what a rule has found; return whether it is held: not if the same was released before."""
        verdict = rule.on_failure if finding.failed else rule.verdict
        item = self._item(rule, verdict, finding, utterance)

        def store(transaction: Transaction) -> str | None:
            repository = ModerationRepository(transaction)
            known = repository.state_of(item)
            if known is None and utterance.filed:
                repository.add(item)
            return known

        try:
            known = await self._database.write(store)
        except ParleyError as error:
            log.error("What the rule “%s” has found could not be stored: %s", rule.name, error)
            known = None
        return verdict == "hold" and known != "released"

    def _item(self, rule: RuleRow, verdict: str, finding: Finding, utterance: Utterance) -> ItemRow:
        answer, reasoning = (mend_surrogates(each).replace("\0", "\ufffd") for each in utterance.answer)
        status = "stopped" if utterance.stopped else "completed"
        restores = {"text": answer, "reasoning": reasoning, "sha256": sha256_text(answer), "status": status}
        can_restore = (
            verdict == "hold" and utterance.reply_id is not None and not (utterance.blind or utterance.sealed)
        )
        # Nothing of a sealed session's words may be kept, and their digest could be guessed.
        text, why = (SEALED_ITEM, "") if utterance.sealed else (finding.text, finding.why)
        digest = sha256_text(secrets.token_hex() if utterance.sealed else finding.text)
        return ItemRow(
            id=ordered_id(),
            rule_id=rule.id,
            rule=rule.name,
            moment=utterance.moment,
            verdict=verdict,
            state="open",
            owner_id=utterance.owner_id,
            author_id=utterance.author_id,
            purpose=utterance.purpose,
            turn_id=utterance.turn_id,
            reply_id=utterance.reply_id,
            model_id=utterance.model_id,
            text=mend_surrogates(text).replace("\0", "\ufffd"),
            text_sha256=digest,
            why=mend_surrogates(why),
            restores=restores if can_restore else None,
            created_at=datetime.fromtimestamp(self._clock.now(), UTC),
            decided_by=None,
            decided_at=None,
        )


def _listed(row: RuleRow) -> Listed | None:
    """Return the list of a rule; None without one, or if it can't be read any more."""
    if row.kind not in LISTS:
        return None
    try:
        return Listed(row.terms, patterns=row.kind == "patterns")
    except BadPattern as bad:
        log.error("The rule “%s” is not applied: line %d: %s.", row.name, bad.index + 1, bad.why)
        return None
