"""Requests to addresses that users have given: they reach nothing but the public network.

Whoever may name an address could otherwise make the service ask its own neighbours: databases,
the metadata of the cloud, itself. So the name is resolved here, each of its addresses is checked,
and the connection goes to one that was checked, whatever the name resolves to a moment later.
"""

import asyncio
import ipaddress
import re
import socket
import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property

import httpx

from config.errors import UrlNotUsable

TIMEOUT_SECONDS = 15.0
"""For all of a request: resolving the name, connecting, sending and the answer."""

MAX_ANSWER_BYTES = 16 * 1024
"""As much of an answer is read, so that the receiver can finish it; nothing of it is kept."""

NOT_PUBLIC = "it leads to an address that is not public"

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""From a name (or an address, in any form) and a port to the addresses behind it."""

_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"[a-z0-9_.:-]+", re.ASCII)

_GLOBAL_UNICAST = ipaddress.ip_network("2000::/3")

# What Python takes for public and is not, or does not say where it leads: protocol assignments
# (Oracle's metadata is among them), relays to IPv4 (6to4, Teredo), documentation, and the address
# at which Azure answers its own machines. Other forms that hold an IPv4 address (mapped, NAT64)
# are no global unicast.
_SPECIAL = [
    ipaddress.ip_network(network)
    for network in (
        "192.0.0.0/24",
        "192.88.99.0/24",
        "168.63.129.16/32",
        "2001::/23",
        "2002::/16",
        "3fff::/20",
    )
]


class NotReached(Exception):
    """The receiver did not answer; the message says why."""


class Outbound:
    """Sends requests to the addresses of users."""

    def __init__(
        self,
        *,
        allow_private: bool = False,
        resolve: Resolve | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.allow_private = allow_private
        self._resolve = resolve or self._ask_the_system
        self._given_tls = tls

    def check(self, url: str) -> None:
        """Check what can be seen of an address without asking anybody.

        Raises:
            UrlNotUsable: its form is wrong, or it names an address that is not public.
        """
        host, port = _host_and_port(_parse(url))
        try:
            # The parser that the connection will go by: it knows all ways to write an address.
            numeric = socket.getaddrinfo(host, port, flags=socket.AI_NUMERICHOST)
        except socket.gaierror:
            return  # A name: where it leads is looked up when something is sent there.
        except UnicodeError as error:
            raise UrlNotUsable("its host is not a name") from error
        self._check_addresses([str(one[4][0]) for one in numeric])

    async def post(self, url: str, content: bytes, headers: Mapping[str, str]) -> int:
        """Send a body and return the status of the answer; redirects are not followed.

        Raises:
            UrlNotUsable: the address cannot be used, or leads to where it must not.
            NotReached: there was no answer.
        """
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                return await self._post(_parse(url), content, headers)
        except TimeoutError as error:
            raise NotReached(f"no answer within {TIMEOUT_SECONDS:g} s") from error
        except (httpx.HTTPError, OSError) as error:
            raise NotReached(f"the connection failed: {str(error) or repr(error)}") from error
        except UnicodeError as error:
            raise UrlNotUsable("its host is not a name") from error

    async def _post(self, url: httpx.URL, content: bytes, headers: Mapping[str, str]) -> int:
        host, port = _host_and_port(url)
        addresses = await self._resolve(host, port)
        self._check_addresses(addresses)
        # A client for one request: a connection that is kept would be used again for another name
        # at the same address, whose certificate nobody has checked. No proxies of the environment:
        # they would resolve the name anew.
        async with httpx.AsyncClient(
            verify=self._tls, trust_env=False, follow_redirects=False, timeout=None
        ) as client:
            for address in addresses[:-1]:
                try:
                    return await _send(client, url, address, content, headers)
                except httpx.ConnectError:
                    continue  # One of several addresses: the next may answer.
            return await _send(client, url, addresses[-1], content, headers)

    def _check_addresses(self, addresses: Sequence[str]) -> None:
        if not self.allow_private and not all(is_public(address) for address in addresses):
            raise UrlNotUsable(NOT_PUBLIC)

    async def _ask_the_system(self, host: str, port: int) -> list[str]:
        found = await asyncio.get_running_loop().run_in_executor(
            self._resolvers, lambda: socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        )
        return [str(one[4][0]) for one in found]

    @cached_property
    def _resolvers(self) -> ThreadPoolExecutor:
        # Threads of their own: a name server that keeps silent must hold up nothing else.
        return ThreadPoolExecutor(4, "resolve")

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        return self._given_tls or httpx.create_ssl_context()


def is_public(address: str) -> bool:
    """Tell whether an IP address is one of the public network, and holds no other in it."""
    parsed = ipaddress.ip_address(address)
    if parsed.version == 6 and parsed not in _GLOBAL_UNICAST:
        return False
    is_special = any(parsed in network for network in _SPECIAL)
    return parsed.is_global and not parsed.is_multicast and not is_special


async def _send(
    client: httpx.AsyncClient,
    url: httpx.URL,
    address: str,
    content: bytes,
    headers: Mapping[str, str],
) -> int:
    """Send to this address, under the name that the URL has."""
    async with client.stream(
        "POST",
        url.copy_with(host=address),
        content=content,
        headers={**headers, "Host": url.netloc.decode("ascii")},
        extensions={"sni_hostname": url.raw_host.decode("ascii")},
    ) as response:
        size = 0
        # As it comes: what was packed small is not unpacked.
        async for chunk in response.aiter_raw(MAX_ANSWER_BYTES):
            size += len(chunk)
            if size >= MAX_ANSWER_BYTES:
                break
        return response.status_code


def _parse(url: str) -> httpx.URL:
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise UrlNotUsable("it is no address of the form https://host/path") from error
    if parsed.scheme not in _PORTS or not _HOST.fullmatch(parsed.raw_host.decode("ascii")):
        raise UrlNotUsable("it is no address of the form https://host/path")
    if parsed.userinfo:
        raise UrlNotUsable("it holds a user name or password")
    if parsed.port is not None and not 1 <= parsed.port <= 65535:
        raise UrlNotUsable("there is no such port")
    return parsed


def _host_and_port(url: httpx.URL) -> tuple[str, int]:
    return url.raw_host.decode("ascii"), url.port or _PORTS[url.scheme]
