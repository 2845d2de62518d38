"""The open streams of each login, so that they end with it."""

from parley.engine.feed import Feed


class OpenStreams:
    """Knows the feeds that logins read."""

    def __init__(self) -> None:
        self._feeds: dict[str, set[Feed]] = {}

    def add(self, login_id: str, feed: Feed) -> None:
        """Note that a login reads a feed."""
        self._feeds.setdefault(login_id, set()).add(feed)

    def remove(self, login_id: str, feed: Feed) -> None:
        """Note that it no longer does."""
        feeds = self._feeds.get(login_id)
        if feeds is not None:
            feeds.discard(feed)
            if not feeds:
                del self._feeds[login_id]

    def end(self, login_id: str) -> None:
        """End every feed of a login."""
        for feed in tuple(self._feeds.get(login_id, ())):
            feed.end()
