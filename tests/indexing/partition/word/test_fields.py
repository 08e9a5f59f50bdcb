import pytest

from indexing.partition.office.package_xml import parse
from indexing.partition.word.body import rewrite_body
from indexing.partition.word.elements import P, T
from indexing.partition.word.fields import leave_out_page_numbers, show_buttons
from tests.indexing.partition.docx_xml import NAMESPACES, NO_NOTES, body_of, paragraph, words


def mark(kind: str) -> str:
    return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'


def field(instruction: str, *result: str) -> str:
    said = f"<w:r><w:instrText>{instruction}</w:instrText></w:r>"
    return f"{mark('begin')}{said}{mark('separate')}{''.join(result)}{mark('end')}"


def simple_field(instruction: str, result: str) -> str:
    return f'<w:fldSimple w:instr="{instruction}">{words(result)}</w:fldSimple>'


@pytest.mark.parametrize(
    ("runs", "text"),
    [
        pytest.param([words("Page "), field(" PAGE ", words("7"))], "Page ", id="field"),
        pytest.param(
            [words("Page "), simple_field(r" page \* MERGEFORMAT ", "7")],
            "Page ",
            id="simple field",
        ),
        pytest.param(
            [field("PAGE", words("7")), words(" of "), field("NUMPAGES", words("9"))],
            " of 9",
            id="count of pages",
        ),
        pytest.param(
            [words("Pages on "), simple_field("PAGEREF annex", "7")], "Pages on 7", id="reference"
        ),
        pytest.param(
            [words("- "), field("PAGE", words("7")), words(" -")], "", id="nothing but the number"
        ),
        pytest.param(
            [field("IF 1 = 1", words("odd "), field("PAGE", words("7")), words(" side"))],
            "odd  side",
            id="within another field",
        ),
        pytest.param(
            [mark("end"), mark("begin"), words("A-7"), mark("separate")], "A-7", id="torn field"
        ),
    ],
)
def test_the_number_of_the_page_is_no_text_of_its_head(runs: list[str], text: str) -> None:
    header = parse(f"<w:hdr {NAMESPACES}>{paragraph(*runs)}</w:hdr>".encode())

    leave_out_page_numbers(header)

    assert ["".join(one.itertext(T)) for one in header.iterchildren(P)] == [text]


SEX = field(" MERGEFIELD Sex ", words("female"))


@pytest.mark.parametrize(
    ("runs", "text"),
    [
        pytest.param([field(f" IF {SEX} ", words("Mrs"))], "Mrs", id="choice"),
        pytest.param([field(f" IF {field(f' = {SEX} ', SEX)} ", SEX)], "female", id="two deep"),
        pytest.param([field(" IF 1 ", SEX), words(" staff")], "female staff", id="in a result"),
        pytest.param([mark("begin"), SEX, mark("end"), words("!")], "!", id="shows nothing"),
        pytest.param([mark("begin"), SEX, mark("separate")], "female", id="torn field"),
    ],
)
def test_of_fields_within_the_instruction_of_another_nothing_is_read(
    runs: list[str], text: str
) -> None:
    body = body_of(paragraph(*runs))

    rewrite_body(body, NO_NOTES, pages=None)

    assert "".join(body.itertext(T)) == text


@pytest.mark.parametrize(
    ("instructions", "text"),
    [
        pytest.param(
            [" MACROBUTTON NoMacro [Name of the client]"], "[Name of the client]", id="button"
        ),
        pytest.param(
            [" macrobutton  NoMa", "cro [Name ", "of the client]"],
            "[Name of the client]",
            id="torn",
        ),
        pytest.param([" GOTOBUTTON annex Annex A"], "Annex A", id="leads elsewhere"),
        pytest.param([" MACROBUTTON NoMacro"], "", id="shows nothing"),
        pytest.param([" XE lamps and oil"], "", id="no button"),
    ],
)
def test_what_a_button_shows_is_text(instructions: list[str], text: str) -> None:
    said = "".join(f"<w:r><w:instrText>{one}</w:instrText></w:r>" for one in instructions)
    body = parse(
        f"<w:body {NAMESPACES}>{paragraph(mark('begin'), said, mark('end'))}</w:body>".encode()
    )

    show_buttons(body)

    assert "".join(body.itertext(T)) == text


def test_what_a_button_shows_is_its_result_if_it_has_one() -> None:
    button = "MACROBUTTON Sign [Sign here]"
    body = body_of(paragraph(field(button), field(button, words("Signed"))))

    rewrite_body(body, NO_NOTES, pages=None)

    assert "".join(body.itertext(T)) == "[Sign here]Signed"
