import pytest

from indexing.partition.mail.outlook_body import decode_page, outlook_body

# The example of [MS-OXRTFCP], section 3.1.1.
PACKED_RTF = bytes.fromhex(
    "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c"
    "090020627705b06c647d0a800fa0"
)


@pytest.mark.parametrize(
    ("forms", "said"),
    [
        pytest.param(("Lamps", "<p>lamps</p>", PACKED_RTF), "Lamps", id="plain text"),
        pytest.param(("", "<p>lamps</p>", PACKED_RTF), "lamps", id="page"),
        pytest.param(("a", "<p>the deck lamps</p>", b""), "the deck lamps", id="fuller page"),
        pytest.param((" ", "", PACKED_RTF), "hello world", id="packed"),
        pytest.param(("Lamps", "", b"damaged"), "Lamps", id="damaged beside plain text"),
    ],
)
def test_the_form_that_says_most_is_read(forms: tuple[str, str, bytes], said: str) -> None:
    assert [block.text for block in outlook_body(*forms)] == [said]


def test_rtf_alone_that_is_damaged_is_refused() -> None:
    with pytest.raises(ValueError, match="cut off"):
        outlook_body("", "", b"damaged")


@pytest.mark.parametrize("encoding", ["utf-8", "cp1250"])
def test_page_is_decoded_whatever_is_stated(encoding: str) -> None:
    assert decode_page("<p>Jiří</p>".encode(encoding), "cp1250") == "<p>Jiří</p>"
