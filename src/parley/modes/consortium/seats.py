"""The seats of a consortium: an arbiter, and members whose names the person gives."""

from parley.kernel.seats import Group, Seating

ARBITER = "arbiter"
MEMBER = "member"
MOST_MEMBERS = 10
SEATING = Seating(groups=(Group(ARBITER), Group(MEMBER, 1, MOST_MEMBERS)))
