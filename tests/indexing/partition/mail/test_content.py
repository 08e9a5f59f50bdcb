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
    assert [*Content(is_sealed=True).pages()] == [Page(NO_PAGE, (), warning=SEALED)]
