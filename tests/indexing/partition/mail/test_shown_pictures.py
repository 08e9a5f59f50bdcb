"""What is recognised in the pictures that mails show in their text."""

import io
from email.message import EmailMessage
from functools import partial
from pathlib import Path

import pytest

from indexing.partition.mail.internet import open_eml
from indexing.partition.mail.outlook import open_msg
from indexing.partition.mail.shown_pictures import ShownPictures
from indexing.types import Page
from tests.files.drawn import draw_lines
from tests.files.make_further_formats import outlook_properties
from tests.files.ole2_writer import ole2_file
from tests.indexing.partition.mail.test_outlook import binary_property

FOUND = "Storm lantern LN-100"
PAGE = '<p>Before</p><img src="cid:a%40b"><p>Behind</p>'


def png() -> bytes:
    content = io.BytesIO()
    draw_lines([[FOUND]], (400, 120), 28).convert("1").save(content, "PNG")
    return content.getvalue()


def mail_with(page: str) -> EmailMessage:
    mail = EmailMessage()
    mail["Subject"], mail["From"], mail["To"] = "Lamps", "a@example.com", "b@example.com"
    mail.set_content(page, subtype="html")
    return mail


def read(mail: EmailMessage, folder: Path) -> list[str]:
    (folder / "mail.eml").write_bytes(mail.as_bytes())
    (page,) = open_eml(folder / "mail.eml").pages
    return said(page)


def said(page: Page) -> list[str]:
    return [block.text for block in page.blocks if not block.text.startswith("From: ")]


def test_a_picture_stands_where_the_text_shows_it(tmp_path: Path) -> None:
    mail = mail_with(PAGE)
    mail.add_related(png(), "image", "png", cid="<a@b>")

    assert read(mail, tmp_path) == ["Lamps", "Before", FOUND, "Behind"]


def test_a_picture_stands_behind_the_plain_text_that_is_read_instead(tmp_path: Path) -> None:
    mail = mail_with("")
    mail.set_content("Before Behind")
    mail.add_alternative(PAGE, subtype="html")
    mail.get_payload(1).add_related(png(), "image", "png", cid="<a@b>")  # type: ignore[union-attr]

    assert read(mail, tmp_path) == ["Lamps", "Before Behind", FOUND]


@pytest.mark.parametrize(
    ("disposition", "found"), [("inline", [FOUND]), ("attachment", [])], ids=["shown", "sent"]
)
def test_a_picture_that_is_only_attached_is_named(
    disposition: str, found: list[str], tmp_path: Path
) -> None:
    mail = mail_with("<p>Before</p>")
    mail.add_attachment(png(), "image", "png", disposition=disposition, filename="a.png")

    assert read(mail, tmp_path) == ["Lamps", "Before", *found, "Attachments: a.png"]


def test_a_web_archive_shows_its_pictures(tmp_path: Path) -> None:
    archive = EmailMessage()
    archive.set_content('<p>Before</p><img src="http://a.example/b.png"><p>Behind', subtype="html")
    archive.add_related(png(), "image", "png", headers=["Content-Location: http://a.example/b.png"])

    assert read(archive, tmp_path) == ["Before", FOUND, "Behind"]


def test_a_mail_of_outlook_shows_its_pictures(tmp_path: Path) -> None:
    folder = "__attach_version1.0_#00000000/"
    streams = outlook_properties({0x0037: "Lamps"}, header=b"\0" * 32)
    streams |= outlook_properties({0x3703: ".png", 0x3712: "a@b"}, folder, header=b"\0" * 8)
    for at, key, content in (("", 0x1013, PAGE.encode()), (folder, 0x3701, png())):
        streams[f"{at}__properties_version1.0"] += binary_property(key, len(content))
        streams[f"{at}__substg1.0_{key:04X}0102"] = content
    (tmp_path / "mail.msg").write_bytes(ole2_file(streams))

    (page,) = open_msg(tmp_path / "mail.msg").pages

    assert said(page)[:-1] == ["Lamps", "Before", FOUND, "Behind"]


def test_pictures_that_no_text_shows_come_once_each_and_in_their_order() -> None:
    pictures = ShownPictures()
    for content in (png(), png() + b"\0"):
        pictures.add("", partial(bytes, content))

    assert [len(block.text) for block in pictures.unplaced()] == [1, 1]
    assert pictures.unplaced() == []
    assert pictures.mark("cid:gone") == ""


@pytest.mark.parametrize("address", ["", "cid:image001.png"])
def test_another_mail_may_call_other_pictures_the_same(address: str) -> None:
    pictures, found = ShownPictures(), []
    for content in (png(), png() + b"\0"):
        pictures.add(address, partial(bytes, content))
        found += [pictures.mark(address)] if address else []
        found += [block.text for block in pictures.unplaced()]

    assert len(set(found)) == len(found) == 2
