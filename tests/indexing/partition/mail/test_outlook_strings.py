import struct

import pytest
from oxmsg import Message
from oxmsg.storage import Storage, Stream

from indexing.partition.mail.outlook_strings import with_unicode_strings

SUBJECT, BODY, NAME = 0x0037, 0x1000, 0x3001
CODE_PAGE, CODE_PAGE_OF_BODY = 0x3FFD, 0x3FDE

RUSSIAN = ("Договор аренды", "Уважаемый Николай, высылаю договор № 47.")
GERMAN = ("Größe", "Der Preis: 30 € – “netto”")


def storage(
    path: str, strings: dict[int, bytes], numbers: dict[int, int], *within: Storage
) -> Storage:
    """Return a storage of properties, whose strings have eight bits."""
    header = bytes(8 if path else 32)
    entries = [struct.pack("<HHIII", 0x1E, key, 6, len(text), 0) for key, text in strings.items()]
    entries += [struct.pack("<HHIII", 3, key, 6, number, 0) for key, number in numbers.items()]
    streams = {f"__substg1.0_{key:04X}001E": text for key, text in strings.items()}
    streams["__properties_version1.0"] = header + b"".join(entries)
    files = [Stream(f"{path}/{name}", content) for name, content in streams.items()]
    return Storage(path, tuple(files), within)


@pytest.mark.parametrize(
    ("said", "encoding", "code_pages"),
    [
        pytest.param(RUSSIAN, "cp1251", {}, id="Russian, not stated"),
        pytest.param(RUSSIAN, "cp1251", {CODE_PAGE: 1251}, id="Russian"),
        pytest.param(RUSSIAN, "cp1251", {CODE_PAGE_OF_BODY: 1251}, id="stated of the body"),
        pytest.param(RUSSIAN, "cp1251", {CODE_PAGE: 65001}, id="Russian, stated as UTF-8"),
        pytest.param(RUSSIAN, "cp1251", {CODE_PAGE: 7}, id="no code page"),
        pytest.param(GERMAN, "cp1252", {}, id="German, not stated"),
        pytest.param(GERMAN, "utf-8", {}, id="UTF-8, not stated"),
        pytest.param(GERMAN, "utf-8", {CODE_PAGE: 1252}, id="UTF-8, stated as Western"),
        pytest.param(("合同", "您好。"), "gbk", {CODE_PAGE_OF_BODY: 936}, id="Chinese"),
    ],
)
def test_strings_of_eight_bits_are_decoded_together(
    said: tuple[str, str], encoding: str, code_pages: dict[int, int]
) -> None:
    subject, body = (one.encode(encoding) for one in said)

    mail = Message(
        with_unicode_strings(storage("", {SUBJECT: subject, BODY: body}, code_pages), 32)
    )

    assert (mail.subject, mail.body) == said


def test_a_body_may_have_a_code_page_of_its_own() -> None:
    subject, body = RUSSIAN[0].encode("cp1251"), RUSSIAN[1].encode("koi8-r", "replace")
    code_pages = {CODE_PAGE: 1251, CODE_PAGE_OF_BODY: 20866}

    mail = Message(
        with_unicode_strings(storage("", {SUBJECT: subject, BODY: body}, code_pages), 32)
    )

    assert (mail.subject, (mail.body or "")[:17]) == (RUSSIAN[0], RUSSIAN[1][:17])


def test_names_of_recipients_are_decoded_as_the_mail_is() -> None:
    recipient = storage("__recip_version1.0_#00000000", {NAME: "Иван".encode("cp1251")}, {})

    mail = Message(
        with_unicode_strings(
            storage("", {BODY: RUSSIAN[1].encode("cp1251")}, {}, recipient), header_size=32
        )
    )

    assert [one.name for one in mail.recipients] == ["Иван"]
