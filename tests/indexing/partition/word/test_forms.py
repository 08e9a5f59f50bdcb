from pathlib import Path

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from indexing.partition.word.document import read_docx

LIST = '<w:listEntry w:val="by road"/><w:listEntry w:val="by sea"/>'


@pytest.mark.parametrize(
    ("field", "shown"),
    [
        pytest.param("<w:checkBox><w:checked/></w:checkBox>", "☒ Sent", id="checked"),
        pytest.param('<w:checkBox><w:checked w:val="0"/></w:checkBox>', "☐ Sent", id="unchecked"),
        pytest.param('<w:checkBox><w:default w:val="1"/></w:checkBox>', "☒ Sent", id="default"),
        pytest.param("<w:checkBox/>", "☐ Sent", id="untouched"),
        pytest.param(f'<w:ddList><w:result w:val="1"/>{LIST}</w:ddList>', "by sea Sent", id="list"),
        pytest.param(f"<w:ddList>{LIST}</w:ddList>", "by road Sent", id="first of a list"),
        pytest.param(f'<w:ddList><w:result w:val="7"/>{LIST}</w:ddList>', "Sent", id="no entry"),
        pytest.param("<w:textInput/>", "Sent", id="typed"),
    ],
)
def test_what_was_chosen_in_a_form_is_read(field: str, shown: str, tmp_path: Path) -> None:
    begin = f'<w:fldChar w:fldCharType="begin"><w:ffData>{field}</w:ffData></w:fldChar>'
    document = docx.Document()
    paragraph = document.add_paragraph()
    paragraph._p.append(parse_xml(f"<w:r {nsdecls('w')}>{begin}</w:r>"))
    paragraph.add_run(" Sent")
    document.save(str(tmp_path / "form.docx"))

    (page,) = read_docx(tmp_path / "form.docx").pages

    assert page.blocks[0].text == shown
