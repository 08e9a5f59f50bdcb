"""A server that speaks S3, on loopback: moto's, in a process of its own."""

import atexit
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from uuid import uuid4
from xml.etree import ElementTree

import httpx
import pytest

from tests.postgres_over_tcp import free_port

ACCESS_KEY = "test-key"
SECRET_KEY = "test-secret"  # Of no account anywhere.
REGION = "eu-central-1"

_XML = {"s3": "http://s3.amazonaws.com/doc/2006-03-01/"}


@dataclass
class S3Server:
    """A server with a bucket; it does not check signatures, and knows no expiry."""

    address: str
    process: subprocess.Popen[bytes]
    bucket: str = "first"

    @property
    def url(self) -> str:
        """What `KE_BLOB_URL` is set to."""
        return f"s3://{self.bucket}/some/prefix"

    @property
    def environment(self) -> dict[str, str]:
        """What the user of a bucket puts into the environment."""
        return {
            "AWS_ENDPOINT_URL": self.address,
            "AWS_ALLOW_HTTP": "true",
            "AWS_ACCESS_KEY_ID": ACCESS_KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET_KEY,
            "AWS_REGION": REGION,
        }

    def with_new_bucket(self) -> "S3Server":
        """Return the server with an empty bucket."""
        fresh = replace(self, bucket=f"bucket-{uuid4().hex}")
        fresh.make_bucket()
        return fresh

    def make_bucket(self) -> None:
        place = f"<LocationConstraint>{REGION}</LocationConstraint>"
        body = f"<CreateBucketConfiguration>{place}</CreateBucketConfiguration>"
        httpx.put(f"{self.address}/{self.bucket}", content=body).raise_for_status()

    def keys(self) -> list[str]:
        """Return the keys of all objects in the bucket."""
        return self._texts("", "s3:Contents/s3:Key")

    def unfinished(self) -> list[str]:
        """Return the keys of all uploads in parts that were neither ended nor given up."""
        return self._texts("?uploads", "s3:Upload/s3:Key")

    def _texts(self, query: str, path: str) -> list[str]:
        answer = httpx.get(f"{self.address}/{self.bucket}{query}").raise_for_status()
        found = ElementTree.fromstring(answer.content).findall(path, _XML)
        return [one.text or "" for one in found]


@contextmanager
def s3_server() -> Iterator[S3Server]:
    """Yield the server with an empty bucket, and put its address and keys into the environment."""
    server = _running().with_new_bucket()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in server.environment.items():
            patch.setenv(name, value)
        yield server


@cache
def _running() -> S3Server:
    """Start the server once for all tests of this process: it takes as long as many of them."""
    port = free_port()
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    atexit.register(_end, process)
    server = S3Server(f"http://127.0.0.1:{port}", process)
    _wait_for(server)
    return server


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


def _wait_for(server: S3Server) -> None:
    while True:
        assert server.process.poll() is None
        try:
            server.make_bucket()
        except httpx.TransportError:
            time.sleep(0.05)
        else:
            return
