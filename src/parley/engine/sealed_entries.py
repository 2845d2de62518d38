"""Sealed entries: what the log of a sealed turn gets in place of its texts."""

import msgspec

from parley.kernel.ports import EventLogged, LogEntry, ReplyEnded, ReplyOpened, ReplyText, TurnEnded
from parley.kernel.sealing import Seal


def sealed_entry(seal: Seal, entry: LogEntry) -> LogEntry:
    """Return an entry of a sealed turn with its texts sealed for the rows that they come to."""
    replaced = msgspec.structs.replace
    match entry:
        case ReplyOpened():
            here = f"replies.messages:{entry.reply_id}:{entry.attempt}"
            return replaced(entry, messages_sha256=seal.mask(entry.messages_sha256, here))
        case ReplyText():
            here = f"{entry.reply_id}:{entry.attempt}"
            return replaced(
                entry,
                text=seal.text(entry.text, f"replies.text:{here}"),
                reasoning=seal.text(entry.reasoning, f"replies.reasoning:{here}"),
            )
        case ReplyEnded():
            here = f"{entry.reply_id}:{entry.attempt}"
            return replaced(
                entry,
                text=seal.text(entry.text, f"replies.text:{here}"),
                reasoning=seal.text(entry.reasoning, f"replies.reasoning:{here}"),
                error=seal.problem(entry.error, f"replies.error:{here}"),
            )
        case EventLogged():
            here = f"turn_events.data:{entry.turn_id}:{entry.seq}"
            return replaced(entry, data=msgspec.json.encode(seal.document(msgspec.Raw(entry.data), here)))
        case TurnEnded():
            return replaced(entry, error=seal.problem(entry.error, f"turns.error:{entry.turn_id}"))
        case _:
            return entry
