import binascii
from email.message import EmailMessage
from pathlib import Path

import pytest

from indexing.partition.mail.internet import CUT_OFF, MAX_PARTS, TOO_MANY_PARTS, open_eml
from indexing.types import NO_PAGE, Block, BlockKind, Page
from tests.files.tnef_writer import FILE, FILE_NAME, NEXT_FILE, tnef

FILES = Path(__file__).parents[3] / "files"


def texts(page: Page) -> list[str]:
    return [block.text for block in page.blocks]


def test_a_mail_is_read_with_its_heads_and_attachments() -> None:
    document = open_eml(FILES / "delivery.eml")
    (page,) = document.pages

    assert document.title == "Delivery on Thursday – gate 3"
    assert page.number == NO_PAGE
    assert page.blocks == (
        Block(BlockKind.HEADING, "Delivery on Thursday – gate 3"),
        Block(
            BlockKind.TEXT,
            "From: Jürgen Falk <falk@northline.example>\nTo: orders@harbour-light.example\n"
            "Date: Tue, 5 Mar 2024 09:12:00 +0100",
        ),
        Block(BlockKind.TEXT, "The forty lanterns arrive on Thursday, fünf Kisten in all."),
        Block(BlockKind.TEXT, "Attachments: packing-list.txt, ../../waybill.pdf"),
        Block(BlockKind.HEADING, "Attachment: packing-list.txt"),
        Block(BlockKind.TEXT, "Box 1 holds eight storm lanterns."),
    )


@pytest.mark.parametrize(
    ("content", "body"),
    [
        pytest.param(b"Content-Type: text/html\n\n<p>a<p>b", ["a", "b"], id="html alone"),
        pytest.param(b"\nGr\xfc\xdfe aus K\xf6ln", ["Grüße aus Köln"], id="bare bytes"),
        pytest.param(
            b'Content-Type: text/plain; charset="klingon"\n\nGr\xfc\xdfe', ["Grüße"], id="unknown"
        ),
        pytest.param(
            b"Content-Type: multipart/alternative; boundary=x\n\n--x\n\n \n--x\n"
            b"Content-Type: text/html\n\n<p>shown\n--x--",
            ["shown"],
            id="empty plain text",
        ),
        pytest.param(
            b"Content-Type: multipart/alternative; boundary=x\n\n--x\n\n \n--x\n"
            b"Content-Type: text/html\n\n<p>shown\n--x\nContent-Type: text/calendar\n\nx\n--x--",
            ["shown"],
            id="invitation",
        ),
        pytest.param(
            b"Content-Type: multipart/alternative; boundary=x\n\n--x\n\nNo HTML?\n--x\n"
            b"Content-Type: text/html\n\n<p>The whole of what is to be read\n--x--",
            ["The whole of what is to be read"],
            id="no plain text but a note",
        ),
        pytest.param(
            b'Content-Type: text/plain; format="flowed"\n\nIt \narrives.',
            ["It arrives."],
            id="flowed",
        ),
        pytest.param(
            b"Content-Type: multipart/mixed; boundary=x\n\n--x\n\nabove\n--x\n"
            b"Content-Type: message/rfc822\n\nSubject: Inner\n\nwords within\n--x--",
            ["above", "Inner", "words within", "Attachments: a mail"],
            id="a mail within",
        ),
        pytest.param(
            b"Content-Type: multipart/mixed; boundary=y\n\n--x\nContent-Type: text/html\n\n"
            b"<p>shown\n--x--",
            ["shown"],
            id="another line between the parts than is named",
        ),
        pytest.param(
            b"Content-Type: multipart/mixed; boundary=x\n\n--x\n\nabove\n--x\n"
            b"Content-Type: application/octet-stream; name=A.EML\n\n"
            b"Subject: Inner\n\nwords within\n--x--",
            ["above", "Inner", "words within", "Attachments: A.EML"],
            id="a mail within that is sent on as a file",
        ),
        pytest.param(
            b"Content-Type: multipart/alternative; boundary=x\n\n--x\n\n \n--x\n"
            b"Content-Type: text/enriched\n\nshown\n--x\nContent-Type: text/calendar\n\n--x--",
            ["shown"],
            id="empty plain text beside another",
        ),
        pytest.param(
            b"Content-Type: multipart/mixed; boundary=x\n\n--x\n\nabove\n--x\n"
            b"Content-Type: text/csv\n\na,b\n--x--",
            ["above", "a,b"],
            id="text of another kind behind",
        ),
        pytest.param(
            b"Content-Type: multipart/related; boundary=x\n\n--x\nContent-Type: text/html\n\nshown"
            b"\n--x\nContent-Type: text/css\n\np {color: red}\n--x--",
            ["shown"],
            id="style sheet",
        ),
    ],
)
def test_the_body_of_a_mail_is_read_once(content: bytes, body: list[str], tmp_path: Path) -> None:
    (tmp_path / "mail.eml").write_bytes(b"From: a@example.com\n" + content)

    (page,) = open_eml(tmp_path / "mail.eml").pages

    assert texts(page) == ["From: a@example.com", *body]


def test_what_is_attached_within_the_other_alternative_is_kept(tmp_path: Path) -> None:
    page = EmailMessage()
    page.set_content("<p>The price list.</p>", subtype="html")
    page.add_attachment("Deck lamps: 61", filename="prices.txt")
    mail = EmailMessage()
    mail["From"] = "a@example.com"
    mail.set_content("The price list.")
    mail.make_alternative()
    mail.attach(page)
    (tmp_path / "mail.eml").write_bytes(bytes(mail))

    (read,) = open_eml(tmp_path / "mail.eml").pages

    assert texts(read) == [
        "From: a@example.com",
        "The price list.",
        "Attachments: prices.txt",
        "Attachment: prices.txt",
        "Deck lamps: 61",
    ]


def test_what_is_shown_in_its_place_is_an_attachment_too(tmp_path: Path) -> None:
    page = EmailMessage()
    page.set_content("<p>The price list.</p>", subtype="html")
    page.add_attachment(b"%PDF", "application", "pdf", filename="list.pdf", disposition="inline")
    mail = EmailMessage()
    mail.set_content("The price list.")
    mail.make_alternative()
    mail.attach(page)
    (tmp_path / "mail.eml").write_bytes(bytes(mail))

    (read,) = open_eml(tmp_path / "mail.eml").pages

    assert texts(read) == ["The price list.", "Attachments: list.pdf"]


@pytest.mark.parametrize(
    "kind",
    [
        "application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m\n\nx",
        "multipart/encrypted; boundary=x\n\n--x\nContent-Type: image/x-any\n\nx\n--x--",
    ],
)
def test_a_mail_that_is_encrypted_is_read_in_part(kind: str, tmp_path: Path) -> None:
    (tmp_path / "mail.eml").write_text(f"Subject: Secret\nContent-Type: {kind}")

    heads, rest = open_eml(tmp_path / "mail.eml").pages

    assert heads.blocks[0].text == "Secret"
    assert "is encrypted" in rest.warning


@pytest.mark.parametrize(
    ("parts", "warnings"), [(MAX_PARTS - 1, []), (MAX_PARTS, [TOO_MANY_PARTS])]
)
def test_parts_without_end_are_told(parts: int, warnings: list[str], tmp_path: Path) -> None:
    mail = "Content-Type: multipart/mixed; boundary=x\n\n--x\n\nfirst\n" + "--x\n\n\n" * (parts - 1)
    (tmp_path / "mail.eml").write_text(f"{mail}--x--")

    read, *warned = open_eml(tmp_path / "mail.eml").pages

    assert texts(read) == ["first"]
    assert [page.warning for page in warned] == warnings


def test_a_mail_that_is_cut_off_says_so(tmp_path: Path) -> None:
    mail = "From: a@example.com\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\ncut off"
    (tmp_path / "mail.eml").write_text(mail)

    read, warned = open_eml(tmp_path / "mail.eml").pages

    assert texts(read) == ["From: a@example.com", "cut off"]
    assert warned.warning == CUT_OFF


def test_heads_are_read_however_they_are_written(tmp_path: Path) -> None:
    mail = "From: Jürgen\nSubject: =?utf-8?B?broken?= Grüße\nTo: =?x-unknown?Q?Ana?=\n\n"
    (tmp_path / "mail.eml").write_bytes(mail.encode("cp1252"))

    (page,) = open_eml(tmp_path / "mail.eml").pages

    assert page.blocks[-1].text == "From: Jürgen\nTo: Ana"
    assert "Grüße" in page.blocks[0].text


@pytest.mark.parametrize("encoding", ["cp1252", "utf-8"])
def test_names_of_attachments_are_read_however_they_are_written(
    encoding: str, tmp_path: Path
) -> None:
    mail = (
        "Subject: Papers\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"
        "Content-Type: application/pdf\n"
        'Content-Disposition: attachment; filename="Aufträge für März.pdf"\n\n--b--\n'
    )
    (tmp_path / "mail.eml").write_bytes(mail.encode(encoding))

    (page,) = open_eml(tmp_path / "mail.eml").pages

    assert texts(page) == ["Papers", "Attachments: Aufträge für März.pdf"]


@pytest.mark.parametrize(
    ("page", "title"),
    [
        pytest.param("<title>Release plan</title><h1>Plan</h1>", "Release plan", id="of the page"),
        pytest.param("<h1>Plan</h1>", "Exported from a wiki", id="of the head"),
    ],
)
def test_web_archive_is_read_as_its_page(tmp_path: Path, page: str, title: str) -> None:
    archive = EmailMessage()
    archive["Subject"] = "Exported from a wiki"
    archive["Date"] = "Tue, 3 Mar 2020 10:00:00 +0000"
    archive.set_content(f"<html>{page}<p>The café opens in May.</p>", subtype="html")
    archive.add_related(b"no picture", "image", "png")
    (tmp_path / "plan.doc").write_bytes(archive.as_bytes())

    document = open_eml(tmp_path / "plan.doc")

    assert document.title == title
    assert texts(*document.pages) == ["Plan", "The café opens in May."]


@pytest.mark.parametrize("head", ["From", "To"])
def test_mail_with_pictures_keeps_its_heads(tmp_path: Path, head: str) -> None:
    mail = EmailMessage()
    mail["Subject"], mail[head] = "Plan", "Ann <ann@example.com>"
    mail.set_content("<p>The café opens in May.</p>", subtype="html")
    mail.add_related(b"no picture", "image", "png")
    (tmp_path / "mail.eml").write_bytes(mail.as_bytes())

    (page,) = open_eml(tmp_path / "mail.eml").pages

    assert texts(page) == ["Plan", f"{head}: Ann <ann@example.com>", "The café opens in May."]


def test_browser_that_saved_a_page_is_no_sender(tmp_path: Path) -> None:
    archive = EmailMessage()
    archive["From"], archive["Subject"] = "<Saved by Blink>", "Plan"
    archive.set_content("<p>The café opens in May.</p>", subtype="html")
    archive.add_related(b"no picture", "image", "png")
    (tmp_path / "plan.mhtml").write_bytes(archive.as_bytes())

    (page,) = open_eml(tmp_path / "plan.mhtml").pages

    assert texts(page) == ["The café opens in May."]


def test_files_within_the_text_are_attachments(tmp_path: Path) -> None:
    lamps, noise = (binascii.b2a_uu(one).decode() for one in (b"61 deck lamps", bytes(45)))
    mail = EmailMessage()
    mail.set_content(
        f"The stock list.\n\nbegin 644 stock.txt\n{lamps}`\nend\n\n"
        f"begin 644 ../lamp.gif\n{noise}`\nend\nYours, Ann\n"
    )
    (tmp_path / "mail.eml").write_bytes(bytes(mail))

    (read,) = open_eml(tmp_path / "mail.eml").pages

    assert texts(read) == [
        "The stock list.",
        "Yours, Ann",
        "Attachments: stock.txt, ../lamp.gif",
        "Attachment: stock.txt",
        "61 deck lamps",
    ]


def test_an_attached_text_of_no_stated_kind_is_read(tmp_path: Path) -> None:
    mail = EmailMessage()
    mail.set_content("The price list.")
    lamps = "Fünf Decklampen".encode("utf-16")
    mail.add_attachment(lamps, "application", "octet-stream", filename="prices.txt")
    mail.add_attachment(b"\0\1", "application", "octet-stream", filename="noise.txt")
    (tmp_path / "mail.eml").write_bytes(bytes(mail))

    (read,) = open_eml(tmp_path / "mail.eml").pages

    assert texts(read) == [
        "The price list.",
        "Attachments: prices.txt, noise.txt",
        "Attachment: prices.txt",
        "Fünf Decklampen",
    ]


def test_mails_of_a_mailbox_are_read_in_their_order(tmp_path: Path) -> None:
    mailbox = b""
    for name in ("Fünf Lampen", "Größe"):
        mail = EmailMessage()
        mail["Subject"] = name
        mail.set_content(f"{name}: 61", cte="base64")
        mail.add_attachment(b"%PDF", "application", "pdf", filename="list.pdf")
        mailbox += b"From a@x Tue Mar  5 09:10:00 2013\n" + bytes(mail) + b"\n"
    deep = b"".join(
        b"Content-Type: multipart/mixed; boundary=%d\n\n--%d\n" % (n, n) for n in range(60)
    )
    mailbox += b"From a@x Tue Mar  5 09:10:00 2013\n" + deep
    (tmp_path / "mails.mbox").write_bytes(mailbox)

    read, warned = open_eml(tmp_path / "mails.mbox").pages

    assert texts(read) == [
        *("Fünf Lampen", "Fünf Lampen: 61", "Attachments: list.pdf"),
        *("Größe", "Größe: 61", "Attachments: list.pdf"),
    ]
    assert "nested too deeply" in warned.warning


@pytest.mark.parametrize("shape", ["mixed", "alternative"])
def test_what_outlook_has_packed_is_read(shape: str, tmp_path: Path) -> None:
    packed = tnef(*((NEXT_FILE, b""), (FILE_NAME, b"prices.txt"), (FILE, b"61")))
    mail = EmailMessage()
    mail.set_content("The prices.")
    mail.make_mixed() if shape == "mixed" else mail.make_alternative()
    mail.attach(_part(packed, "ms-tnef"))
    (tmp_path / "mail.eml").write_bytes(bytes(mail))

    (read,) = open_eml(tmp_path / "mail.eml").pages

    assert texts(read) == [
        *("The prices.", "Attachments: winmail.dat, prices.txt"),
        *("Attachment: prices.txt", "61"),
    ]


def _part(content: bytes, kind: str) -> EmailMessage:
    part = EmailMessage()
    part.set_content(content, "application", kind)
    return part


MEETING = """BEGIN:VCALENDAR
BEGIN:VEVENT
SUMMARY:{summary}
DTSTART:20240305T090000Z
LOCATION:Gate 3
DESCRIPTION:Bring the list of lamps.\\nAsk for Ann.
END:VEVENT
END:VCALENDAR
"""
WHEN = "Start: 2024-03-05 09:00 UTC\nLocation: Gate 3"


def test_an_invitation_is_read_once(tmp_path: Path) -> None:
    mail = EmailMessage()
    mail["Subject"] = "Delivery"
    mail.set_content("Bring the list\nof lamps.")
    mail.add_alternative("<p>Bring the list of lamps.</p>", subtype="html")
    meeting = MEETING.format(summary="Delivery").encode()
    mail.add_alternative(meeting, "text", "calendar", params={"method": "REQUEST"})
    mail.add_attachment(meeting, "application", "ics", filename="invite.ics")
    (tmp_path / "mail.eml").write_bytes(bytes(mail))

    (read,) = open_eml(tmp_path / "mail.eml").pages

    assert texts(read) == [
        *("Delivery", "Bring the list\nof lamps.", WHEN, "Ask for Ann."),
        "Attachments: invite.ics",
    ]


@pytest.mark.parametrize(
    ("kind", "attachments"),
    [
        pytest.param("text/calendar", [], id="alone"),
        pytest.param(
            "application/octet-stream; name=a.ics", ["Attachments: a.ics"], id="by its name"
        ),
    ],
)
def test_a_mail_may_be_a_calendar(kind: str, attachments: list[str], tmp_path: Path) -> None:
    calendar = MEETING.format(summary="First") + MEETING.format(summary="Second")
    (tmp_path / "mail.eml").write_text(f"Subject: Deliveries\nContent-Type: {kind}\n\n{calendar}")

    (read,) = open_eml(tmp_path / "mail.eml").pages

    description = "Bring the list of lamps.\nAsk for Ann."
    assert texts(read) == [
        *("Deliveries", "First", WHEN, description, "Second", WHEN, description),
        *attachments,
    ]


@pytest.mark.parametrize(
    ("kind", "content", "body"),
    [
        pytest.param(
            "message/delivery-status",
            "Reporting-MTA: dns; mx.example.com\n\nFinal-Recipient: rfc822; a@example.com\n"
            "Status: 5.1.1\n",
            [
                "Reporting-MTA: dns; mx.example.com",
                "Final-Recipient: rfc822; a@example.com\nStatus: 5.1.1",
            ],
            id="of a server",
        ),
        pytest.param(
            "message/disposition-notification",
            "Disposition: manual-action; displayed\n",
            ["Disposition: manual-action; displayed"],
            id="of a reader",
        ),
        pytest.param(
            "text/rfc822-headers",
            "Received: from a\nFrom: =?utf-8?Q?J=C3=BCrgen?=\nSubject: Lamps\n",
            ["Lamps", "From: Jürgen"],
            id="heads that are sent back",
        ),
        pytest.param(
            "message/global", "Subject: Größe\n\nThree.\n", ["Größe", "Three."], id="mail in UTF-8"
        ),
    ],
)
def test_a_report_is_read_with_what_it_is_about(
    kind: str, content: str, body: list[str], tmp_path: Path
) -> None:
    mail = (
        "Subject: Returned\nContent-Type: multipart/report; boundary=x\n\n"
        f"--x\n\nNot delivered.\n--x\nContent-Type: {kind}\n\n{content}\n--x--\n"
    )
    (tmp_path / "mail.eml").write_text(mail)

    (page,) = open_eml(tmp_path / "mail.eml").pages

    assert texts(page)[: 2 + len(body)] == ["Returned", "Not delivered.", *body]


def test_a_mail_with_text_that_pgp_has_encrypted_says_so(tmp_path: Path) -> None:
    mail = tmp_path / "sealed.eml"
    mail.write_bytes(b"Subject: Plan\n\nSee:\n-----BEGIN PGP MESSAGE-----\n\nhQEMA\n")

    page, sealed = open_eml(mail).pages

    assert texts(page) == ["Plan", "See:"]
    assert "encrypted" in sealed.warning
