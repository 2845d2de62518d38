"""The one exception tree; every leaf has a stable code, and texts that a person can act on.

ParleyError
├── NotFound                 what was asked for is not there, or is somebody else's
├── Invalid                  the input is wrong; names the field
├── Conflict                 the thing is in a state that does not allow this
├── Unavailable              not now, and what to do about it
└── UpstreamError            a model's server failed
    ├── Unreachable          no connection: name, address, TLS
    │   └── BrokenOff        a connection was made, and the answer did not come or broke off
    ├── Unsent               nothing was sent, for a cause of our own: it tells nothing about the provider
    ├── Rejected             the server refused this request; asking again is useless
    ├── Overloaded           429, 5xx: asking again later or elsewhere may help
    └── Garbled              what came is not an answer in the dialect
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
    """What was asked for does not exist, or belongs to somebody else: both look the same."""

    code = "not_found"


class Invalid(ParleyError):
    """Input that breaks a rule; `field` names it as the sender wrote it."""

    code = "invalid_input"

    def __init__(self, field: str, title: str, detail: str | None = None, *, code: str | None = None) -> None:
        super().__init__(title, detail, code=code)
        self.field = field


class Conflict(ParleyError):
    """The thing is in a state that does not allow this; `result` may carry what stands already."""

    code = "conflict"

    def __init__(
        self, title: str, detail: str | None = None, *, code: str, result: object | None = None
    ) -> None:
        super().__init__(title, detail, code=code)
        self.result = result


class Unavailable(ParleyError):
    """Cannot be done now; `retry_after_s` is set where waiting helps."""

    code = "unavailable"

    def __init__(
        self, title: str, detail: str | None = None, *, code: str, retry_after_s: int | None = None
    ) -> None:
        super().__init__(title, detail, code=code)
        self.retry_after_s = retry_after_s


class UpstreamError(ParleyError):
    """A model's server failed. `retry` tells whether asking again, before the first byte, can help."""

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
    """No connection could be made, so that nothing at this provider can be reached."""

    code = "upstream_unreachable"
    retry = True


class BrokenOff(Unreachable):
    """A connection was made, and it broke or went silent: that may be this one model's fault."""

    code = "upstream_interrupted"


class Unsent(UpstreamError):
    """Nothing was sent, for a cause of our own: it tells nothing about the provider."""

    code = "too_many_open_files"
    retry = True


class Rejected(UpstreamError):
    """The server refused this request; asking the same again is useless."""

    code = "upstream_rejected"


class Overloaded(UpstreamError):
    """The server is busy or failing; another try or another provider may help."""

    code = "upstream_overloaded"
    retry = True


class Garbled(UpstreamError):
    """The server sent something that is not an answer in its dialect."""

    code = "upstream_garbled"
