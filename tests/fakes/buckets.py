"""An S3 server on this computer, by moto."""

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Any

import httpx2  # noqa: TID251 - speaks to loopback only
import obstore
import pytest
from obstore.store import S3Store


class Buckets:
    """The server. It has the bucket “pictures”; `make` makes others."""

    def __init__(self, address: str) -> None:
        self._address = address

    def make(self, bucket: str) -> None:
        """Make a bucket."""
        httpx2.put(f"{self._address}/{bucket}", timeout=60).raise_for_status()

    def put(self, bucket: str, key: str, content: bytes) -> None:
        """Store an object, as anybody with access could."""
        obstore.put(self._store(bucket), key, content)

    def read(self, bucket: str, key: str) -> bytes | None:
        """Return an object, None if there is none."""
        try:
            return bytes(obstore.get(self._store(bucket), key).bytes())
        except FileNotFoundError:
            return None

    def keys(self, bucket: str, prefix: str) -> list[str]:
        """Return the keys of a folder's objects."""
        pages: Iterable[Any] = obstore.list(self._store(bucket), prefix=f"{prefix}/")
        return sorted(each["path"] for page in pages for each in page)

    def _store(self, bucket: str) -> S3Store:
        return S3Store(bucket, client_options={"allow_http": True})


@contextmanager
def an_s3_server() -> Generator[Buckets]:
    """Run a server, and point the AWS_ variables at it."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
            patch.setenv("AWS_ACCESS_KEY_ID", "tests")
            patch.setenv("AWS_SECRET_ACCESS_KEY", "tests")
            patch.setenv("AWS_REGION", "us-east-1")
            buckets = Buckets(f"http://{host}:{port}")
            buckets.make("pictures")
            yield buckets
    finally:
        server.stop()
