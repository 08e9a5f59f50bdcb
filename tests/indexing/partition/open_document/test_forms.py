from pathlib import Path

import pytest

from indexing.partition.open_document.document import open_odp, open_odt
from tests.indexing.partition.open_documents import write

FORM = 'xmlns:form="urn:oasis:names:tc:opendocument:xmlns:form:1.0"'


def form(field: str) -> str:
    return f"<office:forms {FORM}><form:form>{field}</form:form></office:forms>"


def control(field: str, place: str = 'text:anchor-type="as-char"') -> str:
    """Return a form with one field, and a paragraph in which it stands."""
    shape = f'<draw:control draw:control="c1" {place}><svg:title>Field</svg:title></draw:control>'
    return f"{form(field)}<text:p>Name: {shape}, please</text:p>"


@pytest.mark.parametrize(
    ("field", "shown"),
    [
        pytest.param('text xml:id="c1" form:value="-" form:current-value="Ana"', "Ana", id="typed"),
        pytest.param('textarea form:id="c1" form:value="Ana&#10;Ruiz"', "Ana\nRuiz", id="lines"),
        pytest.param('date xml:id="c1" form:value="2024-05-01"', "2024-05-01", id="day"),
        pytest.param('combobox xml:id="c1"', "", id="empty"),
        pytest.param('password xml:id="c1" form:value="secret"', "", id="password"),
        pytest.param('checkbox xml:id="c1" form:label="Ms"', "☐ Ms", id="box"),
        pytest.param(
            'checkbox xml:id="c1" form:state="checked" form:current-state="unchecked"',
            "☐",
            id="box no longer ticked",
        ),
        pytest.param('radio xml:id="c1" form:current-selected="true"', "☒", id="one of several"),
        pytest.param('fixed-text xml:id="c1" form:label="Your name"', "Your name", id="label"),
    ],
)
def test_what_a_field_shows_stands_in_its_line(field: str, shown: str, tmp_path: Path) -> None:
    write(tmp_path / "form.odt", control(f"<form:{field}/>"))

    (page,) = open_odt(tmp_path / "form.odt").pages

    assert page.blocks[0].text == f"Name: {shown}, please"


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        pytest.param(["", 'form:selected="true"'], "Choice 1", id="at first"),
        pytest.param(
            ['form:current-selected="true"', 'form:selected="true"'], "Choice 0", id="since then"
        ),
        pytest.param(['form:current-selected="true"'] * 2, "Choice 0, Choice 1", id="several"),
        pytest.param(["", ""], "", id="nothing"),
    ],
)
def test_what_is_chosen_of_a_list_is_read(options: list[str], shown: str, tmp_path: Path) -> None:
    entries = "".join(
        f'<form:option form:label="Choice {number}" {chosen}/>'
        for number, chosen in enumerate(options)
    )
    write(tmp_path / "form.odt", control(f'<form:listbox xml:id="c1">{entries}</form:listbox>'))

    (page,) = open_odt(tmp_path / "form.odt").pages

    assert page.blocks[0].text == f"Name: {shown}, please"


def test_a_field_beside_the_text_follows_its_paragraph(tmp_path: Path) -> None:
    field = '<form:textarea xml:id="c1"><text:p>Ana</text:p><text:p>Ruiz</text:p></form:textarea>'
    write(tmp_path / "form.odt", control(field, 'text:anchor-type="paragraph"'))

    (page,) = open_odt(tmp_path / "form.odt").pages

    assert [block.text for block in page.blocks] == ["Name: , please", "Ana\nRuiz"]


def test_a_field_on_a_slide_is_read_at_its_place(tmp_path: Path) -> None:
    field = form('<form:text xml:id="c1" form:current-value="Ana"/>')
    below = '<draw:frame svg:y="9cm" svg:x="1cm"><draw:text-box><text:p>Ruiz</text:p>'
    shape = '<draw:control draw:control="c1" svg:x="1cm" svg:y="2cm"/>'
    slide = f"<draw:page>{field}{below}</draw:text-box></draw:frame>{shape}</draw:page>"
    write(tmp_path / "form.odp", slide, kind="presentation")

    (page,) = open_odp(tmp_path / "form.odp").pages

    assert [block.text for block in page.blocks] == ["Ana", "Ruiz"]


FIELDS = "urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0"
CHOICES = "".join(
    f'<field:param field:name="Dropdown_ListEntry" field:value="{name}"/>'
    for name in ("Oslo", "Rome")
)


@pytest.mark.parametrize(
    ("kind", "params", "shown"),
    [
        pytest.param(
            "FORMCHECKBOX",
            '<field:param field:name="Checkbox_Checked" field:value="true"/>',
            "☒",
            id="ticked",
        ),
        pytest.param("FORMCHECKBOX", "", "☐", id="not ticked"),
        pytest.param(
            "FORMDROPDOWN",
            f'{CHOICES}<field:param field:name="Dropdown_Selected" field:value="1"/>',
            "Rome",
            id="chosen",
        ),
        pytest.param("FORMDROPDOWN", CHOICES, "Oslo", id="at first"),
        pytest.param("FORMDROPDOWN", "", "", id="no choice"),
        pytest.param("FORMTEXT", "", "", id="typed behind it"),
    ],
)
def test_what_the_field_of_a_word_form_shows_stands_in_its_line(
    kind: str, params: str, shown: str, tmp_path: Path
) -> None:
    mark = (
        f'<field:fieldmark xmlns:field="{FIELDS}" field:type="vnd.oasis.opendocument.field.{kind}"'
    )
    write(tmp_path / "form.odt", f"<text:p>Town: {mark}>{params}</field:fieldmark>.</text:p>")

    [page] = open_odt(tmp_path / "form.odt").pages

    assert page.blocks[0].text == f"Town: {shown}."
