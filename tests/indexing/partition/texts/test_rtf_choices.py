import pytest

from indexing.partition.texts.rich_text import rtf_blocks
from indexing.partition.texts.rtf_choices import with_choices


@pytest.mark.parametrize(
    ("rtf", "text"),
    [
        pytest.param(
            r"Pay {\upr{10 {\b EUR}}{\*\ud{10 {\b \u8364 ?}}}} now.", "Pay 10 € now.", id="Unicode"
        ),
        pytest.param(
            r'{\field{\*\fldinst SYMBOL 252 \\f "Wingdings" \\s 10}{\fldrslt}} paid',
            "✓ paid",
            id="sign",
        ),
        pytest.param(
            r'{\field{\*\fldinst { SYMBOL 61550 \\f "Wingdings" }}{\fldrslt{\f1\'6e}}} paid',
            "■ paid",
            id="sign with its own picture",
        ),
    ],
)
def test_one_of_two_ways_to_say_it_is_read(rtf: str, text: str) -> None:
    (block,) = rtf_blocks(rf"{{\rtf1\ansi\ansicpg1252 {rtf}\par}}".encode("cp1252"))

    assert block.text == text


@pytest.mark.parametrize(
    "rtf",
    [
        rb"{\rtf1 plain}",
        rb"{\rtf1 {\upr{torn",
        rb'{\rtf1 {\field{\*\fldinst SYMBOL 7 \\f "Wingdings"}{\fldrslt x}}}',
    ],
)
def test_a_text_without_such_choices_stays_as_it_is(rtf: bytes) -> None:
    assert with_choices(rtf) == rtf
