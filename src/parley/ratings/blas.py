"""One BLAS thread around a solver: with more, a busy machine makes a table of 10 ms take 100 ms."""

from contextlib import AbstractContextManager
from functools import cache
from importlib import import_module
from typing import Literal, Protocol, cast


class _Limiter(Protocol):
    def limit(self, *, limits: int, user_api: Literal["blas"]) -> AbstractContextManager[object]: ...


def one_thread() -> AbstractContextManager[object]:
    """Return a context in which every BLAS that is loaded works with one thread."""
    return _limiter().limit(limits=1, user_api="blas")


@cache
def _limiter() -> _Limiter:
    """Look the libraries up once: it takes milliseconds. SciPy's must have been loaded by then."""
    import_module("scipy.linalg.lapack")
    return cast("_Limiter", import_module("threadpoolctl").ThreadpoolController())
