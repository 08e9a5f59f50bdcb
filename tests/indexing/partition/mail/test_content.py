from indexing.partition.mail.content import SEALED, Content, text_blocks
from indexing.types import NO_PAGE, Page


def test_attachments_are_named_behind_the_text_and_then_read() -> None:
    content = Content(blocks=[*text_blocks("The lamps.")], attachments=["prices.txt"])
    content.add_attached("text/plain", "Deck lamps: 61")

    (page,) = content.pages()

    assert [block.text for block in page.blocks] == [
        *("The lamps.", "Attachments: prices.txt", "Attachment: prices.txt", "Deck lamps: 61"),
    ]


def test_of_an_event_only_what_the_mail_has_not_said_is_added() -> None:
    content = Content(blocks=[*text_blocks("Delivery\nAsk for Ann.")])
    event = "BEGIN:VEVENT\nSUMMARY:Delivery\nDESCRIPTION:Ask for Ann.\\nGate 3\nEND:VEVENT"

    content.add_events(event)
    content.add_events(event)

    assert [block.text for block in content.blocks] == ["Delivery\nAsk for Ann.", "Gate 3"]


def test_a_sealed_mail_says_so() -> None:
    content = Content()

    content.add_file("smime.p7m", b"0", "application/pkcs7-mime")
    content.warn(SEALED)

    assert [*content.pages()][1:] == [Page(NO_PAGE, (), warning=SEALED)]


def test_text_is_read_in_one_form() -> None:
    content = Content()
    content.begin_mail([*text_blocks("Lamps")])

    content.add_unless_said([*text_blocks("The lamps are here.")])
    content.add_unless_said([*text_blocks("The lamps are here.")])

    assert [block.text for block in content.blocks] == ["Lamps", "The lamps are here."]
