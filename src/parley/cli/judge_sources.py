"""Sources of a judge in a running Parley: comparisons that people voted on, and those that wait for a vote."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from parley.cli.judge_comparisons import Comparison, ComparisonSet, comparison_of, read_comparisons
from parley.features.vote_files.lmarena import Texts

if TYPE_CHECKING:
    from parley.cli.client import ApiClient

COMPARE = "compare"
"""The mode whose models are shown before a vote: a blind turn without one is never read."""

PAGE = "200"


async def read_server(client: "ApiClient", *, unvoted: bool) -> ComparisonSet:
    """Return the comparisons of an installation: all that were voted on, and the caller's own that were not."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "votes.jsonl"
        await client.download("/api/votes/export", file, format="jsonl", texts="true")
        comparisons = (
            read_comparisons(file, name="The export of votes")
            if file.stat().st_size
            else ComparisonSet((), {})
        )
    if not unvoted:
        return comparisons
    left_out = Counter(comparisons.left_out)
    more: list[Comparison] = []
    for session_id in await _sessions(client):
        for each in _waiting(await client.get(f"/api/sessions/{session_id}")):
            if isinstance(each, str):
                left_out[each] += 1
            else:
                more.append(each)
    return ComparisonSet((*comparisons.comparisons, *more), dict(left_out))


async def _sessions(client: "ApiClient") -> list[str]:
    """Return the ids of all sessions in which models were compared, the archive included."""
    ids: list[str] = []
    for archived in ("false", "true"):
        query = {"mode": COMPARE, "limit": PAGE, "archived": archived}
        while True:
            page = await client.get("/api/sessions", **query)
            ids += [card["id"] for card in page["sessions"]]
            if page["next_cursor"] is None:
                break
            query["cursor"] = page["next_cursor"]
    return ids


def _waiting(session: dict[str, Any]) -> Iterator[Comparison | str]:
    """Yield the turns of a session in which two models can be compared and nobody has voted, or why they are none."""
    for record in session["matches"]:
        match = record["match"]
        if match["mode"] != COMPARE or match["blind"] or len(match["seats"]) != 2:
            continue
        voted = {vote["turn_id"] for vote in match["votes"]}
        texts = Texts((), (), ())
        for turn in record["turns"]:
            if turn["input"]["type"] != "prompt" or turn["input"].get("attachments"):
                break
            replies = {reply["seat"]: reply for reply in turn["replies"] if reply["status"] == "completed"}
            if len(replies) != 2:
                break
            left, right = (replies[seat["name"]]["text"] for seat in match["seats"])
            texts = Texts((*texts.prompts, turn["input"]["text"]), (*texts.left, left), (*texts.right, right))
            if voted.isdisjoint({turn["id"], None}):
                first, second = (seat["model"]["id"] for seat in match["seats"])
                yield comparison_of(texts, left_model=first, right_model=second)
