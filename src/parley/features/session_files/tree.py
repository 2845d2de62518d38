"""Messages that name the one before them: the branch that was shown last."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from parley.features.session_files.conversation import Unreadable, moment
from parley.features.session_files.fields import Table, identifier

ORIGIN = datetime(1970, 1, 1, tzinfo=UTC)


def branch(nodes: Mapping[str, Table], last: str, link: str) -> list[Table]:
    """Return the nodes that lead to `last`, oldest first; `link` is the field with the id of the one before.

    Raises Unreadable if they form a loop.
    """
    result: list[Table] = []
    seen: set[str] = set()
    at = last
    while at in nodes:
        if at in seen:
            raise Unreadable("its messages form a loop")
        seen.add(at)
        result.append(nodes[at])
        at = identifier(nodes[at].get(link))
    return result[::-1]


def newest_leaf(nodes: Mapping[str, Table], link: str, time: Callable[[Table], object]) -> str:
    """Return the id of the newest node that nobody followed, by its time, else by its place; empty without nodes."""
    followed = {identifier(node.get(link)) for node in nodes.values()}
    leaves = [name for name in nodes if name not in followed] or list(nodes)
    return max(reversed(leaves), key=lambda name: moment(time(nodes[name])) or ORIGIN, default="")


def branch_of_list(
    messages: list[Table], name: str, link: str, time: Callable[[Table], object], last: str = ""
) -> list[Table]:
    """Return the branch that ends at `last`, else at the newest leaf; all messages if none names another.

    `name` and `link` are the fields with a message's id and that of the one before. Raises Unreadable.
    """
    nodes = {node_id: each for each in messages if (node_id := identifier(each.get(name)))}
    if not any(identifier(each.get(link)) in nodes for each in messages):
        return messages
    return branch(nodes, last if last in nodes else newest_leaf(nodes, link, time), link)
