"""The overview of an installation."""

import msgspec


class Overview(msgspec.Struct, frozen=True, kw_only=True):
    """The installation at this moment.

    Turns of this process run, or wait for a model that is busy. `people` have an account that is not disabled; guests
    do not count. `database_bytes` is the size of the database, `disk_free_bytes` what is left on the disk of the data
    folder, null where the system does not tell. `unwell` is the number of providers whose latest call
    failed; names could tell who sits in a battle.
    """

    turns_running: int
    turns_waiting: int
    people: int
    database_bytes: int
    disk_free_bytes: int | None
    unwell: int
