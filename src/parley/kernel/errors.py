"""The exception tree; every leaf has a stable code and texts that a person can act on.

ParleyError
├── NotFound                 it does not exist, or belongs to someone else
├── Unknown                  it is not known who asks
├── Forbidden                the caller may not do this
│   └── Held                 a rule holds it for review (`kernel.moderation`)
├── Invalid                  the input is wrong; names the field
│   ├── TooLarge             it is larger than allowed
│   └── Unsupported          it is of a kind that cannot be used
├── Conflict                 its current state does not allow this
├── Unavailable              not possible now, and what to do about it
│   └── TooMany              too many attempts in a short time
├── OverBudget               the budget does not allow this call
│   └── UsedUp               an allowance has too little left until it resets
└── UpstreamError            a model's server failed
    ├── Unreachable          no connection: name, address, TLS
    │   └── BrokenOff        the connection was made, then broke or went silent
    ├── Unsent               nothing was sent, for a reason on this computer
    ├── Rejected             the server refused this request; a retry is useless
    ├── Overloaded           429, 5xx: a retry later or elsewhere may help
    └── Garbled              what arrived is not an answer in the dialect
"""

from typing import ClassVar

import msgspec


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An error as a viewer sees it: RFC 9457 with a stable snake_case `code`."""

    code: str
    title: str
    detail: str | None = None


class ParleyError(Exception):
    """Every error that Parley raises on purpose. `title` says what happened, `detail` what to do."""

    code: ClassVar[str] = "internal_error"
    result: object | None = None
    """The existing thing or the details, where that helps."""

    def __init__(self, title: str, detail: str | None = None, *, code: str | None = None) -> None:
        super().__init__(title)
        self.title = title
        self.detail = detail
        self.leaf_code = code or type(self).code

    @property
    def problem(self) -> Problem:
        """The error as plain data."""
        return Problem(code=self.leaf_code, title=self.title, detail=self.detail)


class NotFound(ParleyError):
    """Does not exist, or belongs to someone else: both look the same."""

    code = "not_found"


class Unknown(ParleyError):
    """It is not known who asks: nobody is signed in, or the login has ended."""

    code = "sign_in_required"


class Forbidden(ParleyError):
    """The caller may not do this."""

    code = "forbidden"


class Invalid(ParleyError):
    """Input that breaks a rule; `field` names it as the sender wrote it."""

    code = "invalid_input"

    def __init__(self, field: str, title: str, detail: str | None = None, *, code: str | None = None) -> None:
        super().__init__(title, detail, code=code)
        self.field = field


class TooLarge(Invalid):
    """Input that is larger than allowed."""

    code = "body_too_large"


class Unsupported(Invalid):
    """Input of a kind that cannot be used."""

    code = "attachment_unsupported"


class Conflict(ParleyError):
    """The current state does not allow this; `result` may carry what exists already."""

    code = "conflict"

    def __init__(
        self, title: str, detail: str | None = None, *, code: str, result: object | None = None
    ) -> None:
        super().__init__(title, detail, code=code)
        self.result = result


class Unavailable(ParleyError):
    """Not possible now; `retry_after_s` is set if waiting helps."""

    code = "unavailable"

    def __init__(
        self, title: str, detail: str | None = None, *, code: str, retry_after_s: int | None = None
    ) -> None:
        super().__init__(title, detail, code=code)
        self.retry_after_s = retry_after_s


class TooMany(Unavailable):
    """Too many attempts in a short time."""


class OverBudget(ParleyError):
    """The budget does not allow this call; nothing was sent."""

    code = "over_budget"


class UsedUp(OverBudget):
    """An allowance has too little left; it resets in `retry_after_s`."""

    code = "allowance_used_up"

    def __init__(self, title: str, detail: str | None = None, *, retry_after_s: int) -> None:
        super().__init__(title, detail)
        self.retry_after_s = retry_after_s


class UpstreamError(ParleyError):
    """A model's server failed. `retry`: another attempt, before the first byte, can help."""

    code = "upstream_error"
    retry: ClassVar[bool] = False

    def __init__(
        self,
        title: str,
        detail: str | None = None,
        *,
        code: str | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(title, detail, code=code)
        self.retry_after_s = retry_after_s


class Unreachable(UpstreamError):
    """No connection could be made, so no model of this provider can be reached.

    `cause` says why in a few words: "connection refused".
    """

    code = "upstream_unreachable"
    retry = True

    def __init__(
        self,
        title: str,
        detail: str | None = None,
        *,
        code: str | None = None,
        retry_after_s: float | None = None,
        cause: str | None = None,
    ) -> None:
        super().__init__(title, detail, code=code, retry_after_s=retry_after_s)
        self.cause = cause

    def name(self, place: str) -> None:
        """Name in the title what could not be reached, if the cause is known."""
        if self.cause is not None:
            self.title = f"Can't reach {place}: {self.cause}."
            self.args = (self.title,)


class BrokenOff(Unreachable):
    """The connection was made, then broke or went silent: that may concern this one model."""

    code = "upstream_interrupted"


class Unsent(UpstreamError):
    """Nothing was sent, for a reason on this computer: the provider is not at fault."""

    code = "too_many_open_files"
    retry = True


class Rejected(UpstreamError):
    """The server refused this request; a retry is useless."""

    code = "upstream_rejected"


class Overloaded(UpstreamError):
    """The server is busy or failing; a retry or another provider may help."""

    code = "upstream_overloaded"
    retry = True


class Garbled(UpstreamError):
    """The server sent something that is not an answer in its dialect."""

    code = "upstream_garbled"
