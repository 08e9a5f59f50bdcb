import datetime
import ssl
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from app.outbound import NOT_PUBLIC, NotReached, Outbound, Resolve, is_public
from config.errors import UrlNotUsable
from tests.webhook_receiver import ENDLESS, Receiver, receiving

FORM = "it is no address of the form https://host/path"

NAMES_OF_LOOPBACK = [
    pytest.param("http://127.0.0.1/", id="dotted"),
    pytest.param("http://127.1/", id="short"),
    pytest.param("http://2130706433/", id="decimal"),
    pytest.param("http://0x7f000001/", id="hexadecimal"),
    pytest.param("http://0x7f.0.0.1/", id="a hexadecimal part"),
    pytest.param("http://017700000001/", id="octal"),
    pytest.param("http://0/", id="zero"),
    pytest.param("http://127。0。0。1/", id="ideographic full stops"),
    pytest.param("http://[::1]/", id="IPv6"),
    pytest.param("http://[0:0:0:0:0:0:0:1]/", id="IPv6 in full"),
    pytest.param("http://[::ffff:127.0.0.1]/", id="mapped"),
    pytest.param("http://[::ffff:7f00:1]/", id="mapped in hexadecimal"),
    pytest.param("http://[::127.0.0.1]/", id="compatible"),
    pytest.param("http://[2002:7f00:1::]/", id="6to4"),
    pytest.param("http://[64:ff9b::7f00:1]/", id="NAT64"),
]


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as receiver:
        yield receiver


def leads_to(*addresses: str) -> Resolve:
    async def resolve(host: str, port: int) -> Sequence[str]:
        return addresses

    return resolve


@pytest.mark.parametrize("url", NAMES_OF_LOOPBACK)
def test_address_of_this_machine_is_refused_however_it_is_written(url: str) -> None:
    with pytest.raises(UrlNotUsable, match=NOT_PUBLIC):
        Outbound().check(url)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        pytest.param("ftp://example.com/", FORM, id="another scheme"),
        pytest.param("file:///etc/passwd", FORM, id="a file"),
        pytest.param("//example.com/", FORM, id="no scheme"),
        pytest.param("https:///path", FORM, id="no host"),
        pytest.param("https://exa mple.com/", FORM, id="a space"),
        pytest.param("https://example.com\r\nHost: db/", FORM, id="a line break"),
        pytest.param("https://%31%32%37.0.0.1/", FORM, id="percent signs"),
        pytest.param("https://[fe80::1%25eth0]/", FORM, id="a zone"),
        pytest.param("https://0177.0.0.1/", FORM, id="an octal part"),
        pytest.param("https://[::1/", FORM, id="half a bracket"),
        pytest.param("https://user@example.com/", "it holds a user name or password", id="user"),
        pytest.param("https://:word@example.com/", "it holds a user name", id="password"),
        pytest.param("https://example.com\\@db/", "it holds a user name", id="backslash"),
        pytest.param("https://example.com:0/", "there is no such port", id="port 0"),
        pytest.param("https://example.com:65536/", "there is no such port", id="port too high"),
        pytest.param(f"https://{'a' * 64}.com/", "its host is not a name", id="long label"),
        pytest.param("https://a..com/", "its host is not a name", id="empty label"),
    ],
)
@pytest.mark.parametrize("allow_private", [False, True], ids=["public", "private too"])
async def test_what_is_no_plain_address_is_refused(
    url: str, reason: str, allow_private: bool
) -> None:
    outbound = Outbound(allow_private=allow_private)

    with pytest.raises(UrlNotUsable, match=reason):
        outbound.check(url)
    with pytest.raises(UrlNotUsable, match=reason):
        await outbound.post(url, b"", {})


@pytest.mark.parametrize(
    "url", ["https://example.com/hook", "http://8.8.8.8:8080", "https://[2606:4700::1111]/"]
)
def test_public_address_passes(url: str) -> None:
    Outbound().check(url)


@pytest.mark.parametrize(
    "address",
    [
        *("0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "172.16.0.1", "192.168.1.1"),
        *("169.254.169.254", "100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254"),
        *("192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "192.88.99.1"),
        *("224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255"),
        *("::", "::1", "fe80::1", "fe80::1%2", "fec0::1", "fc00::1", "ff02::1", "100::1"),
        *("::ffff:8.8.8.8", "::8.8.8.8", "2002:808:808::", "64:ff9b::808:808", "64:ff9b:1::1"),
        *("2001::1", "2001:db8::1", "3fff::1", "5f00::1"),
    ],
)
def test_what_is_not_the_public_network_is_known(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "93.184.216.34", "2606:4700::1111", "2a00::1"])
def test_the_public_network_is_known(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("url", NAMES_OF_LOOPBACK)
async def test_nothing_is_sent_to_this_machine(receiver: Receiver, url: str) -> None:
    with pytest.raises(UrlNotUsable, match=NOT_PUBLIC):
        await Outbound().post(url.removesuffix("/") + f":{receiver.port}/", b"", {})

    assert receiver.requests == []


@pytest.mark.parametrize(
    "addresses",
    [
        pytest.param(["127.0.0.1"], id="private"),
        pytest.param(["8.8.8.8", "127.0.0.1"], id="one of two is private"),
        pytest.param(["::ffff:127.0.0.1"], id="mapped"),
    ],
)
async def test_nothing_is_sent_where_the_name_leads_to_a_private_address(
    receiver: Receiver, addresses: list[str]
) -> None:
    url = f"http://hooks.example:{receiver.port}/"
    outbound = Outbound(resolve=leads_to(*addresses))
    outbound.check(url)

    with pytest.raises(UrlNotUsable, match=NOT_PUBLIC):
        await outbound.post(url, b"", {})

    assert receiver.requests == []


async def test_name_is_asked_for_once_and_sent_along(receiver: Receiver) -> None:
    asked = []

    async def resolve(host: str, port: int) -> Sequence[str]:
        asked.append((host, port))
        return ["127.0.0.1"]

    outbound = Outbound(allow_private=True, resolve=resolve)

    status = await outbound.post(f"http://Hooks.example:{receiver.port}/a?b=c", b"{}", {"x": "1"})

    (request,) = receiver.requests
    assert (status, asked) == (204, [("hooks.example", receiver.port)])
    assert (request.path, request.body, request.headers["x"]) == ("/a?b=c", b"{}", "1")
    assert request.headers["host"] == f"hooks.example:{receiver.port}"


async def test_next_address_is_tried_where_one_does_not_answer(receiver: Receiver) -> None:
    outbound = Outbound(allow_private=True, resolve=leads_to("127.0.0.9", "127.0.0.1"))

    assert await outbound.post(f"http://hooks.example:{receiver.port}/", b"", {}) == 204


async def test_redirect_is_not_followed(receiver: Receiver) -> None:
    receiver.answers = [302]

    assert await Outbound(allow_private=True).post(receiver.url, b"", {}) == 302
    assert len(receiver.requests) == 1


async def test_proxy_of_the_environment_is_not_asked(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It would resolve the name anew, and reach what it likes.
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")

    assert await Outbound(allow_private=True).post(receiver.url, b"", {}) == 204


async def test_endless_answer_is_left(receiver: Receiver) -> None:
    receiver.answers = [ENDLESS]

    assert await Outbound(allow_private=True).post(receiver.url, b"", {}) == 200


async def test_receiver_that_is_not_there_is_told(receiver: Receiver) -> None:
    outbound = Outbound(allow_private=True, resolve=leads_to("127.0.0.9"))

    with pytest.raises(NotReached, match="the connection failed"):
        await outbound.post(receiver.url, b"", {})


async def test_name_that_does_not_exist_is_told() -> None:
    with pytest.raises(NotReached, match="the connection failed"):
        await Outbound().post("https://does-not-exist.invalid/", b"", {})


async def test_certificate_must_be_that_of_the_name(tmp_path: Path) -> None:
    certificate = certificate_of("hooks.example", tmp_path)
    server_side = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    server_side.load_cert_chain(certificate)
    trusting = ssl.create_default_context(cafile=str(certificate))
    outbound = Outbound(allow_private=True, resolve=leads_to("127.0.0.1"), tls=trusting)

    async with receiving(server_side) as receiver:
        assert await outbound.post(f"https://hooks.example:{receiver.port}/", b"", {}) == 204
        with pytest.raises(NotReached, match="CERTIFICATE_VERIFY_FAILED"):
            await outbound.post(f"https://other.example:{receiver.port}/", b"", {})

    assert [one.headers["host"] for one in receiver.requests] == [f"hooks.example:{receiver.port}"]


def certificate_of(name: str, folder: Path) -> Path:
    """Write a certificate that signs itself, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = folder / "certificate.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    return path
