"""The report of an import while it grows."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from parley.features.session_files.reading import Entry, ReadConversation
from parley.features.session_files.schemas import ImportedSessions, ImportNote, SkippedConversation
from parley.features.session_files.worker import Ending

REPORTED = 100
"""The unreadable conversations, and the notes, that a report names."""


@dataclass
class Report:
    """Counts what came of a file's conversations."""

    imported: int = 0
    read: int = 0
    unread: int = 0
    places: int = 0
    skipped: list[SkippedConversation] = field(default_factory=list[SkippedConversation])
    notes: list[ImportNote] = field(default_factory=list[ImportNote])

    def count(self, batch: Sequence[Entry]) -> None:
        """Add what was read."""
        for entry in batch:
            self.places = entry.place
            if isinstance(entry, ReadConversation):
                self.read += 1
                title = entry.conversation.title[:200]
                self.notes += [ImportNote(entry.place, title, note) for note in entry.notes]
            else:
                self.unread += 1
                self.skipped.append(SkippedConversation(entry.place, entry.title, entry.reason))
        del self.skipped[REPORTED:], self.notes[REPORTED:]

    def stopped(self, ending: Ending) -> None:
        """Add what could not be read at all, however many conversations are named."""
        self.unread += 1
        reason = f"the rest could not be read: {ending.title.rstrip('.')}"
        self.skipped[REPORTED - 1 :] = [SkippedConversation(self.places + 1, "", reason)]

    def result(self) -> ImportedSessions:
        """Return the report."""
        return ImportedSessions(
            imported=self.imported,
            already_here=self.read - self.imported,
            unreadable=self.unread,
            skipped=tuple(self.skipped),
            notes=tuple(self.notes),
        )
