import pytest

from indexing.partition.office.package_xml import parse
from indexing.partition.word.body import (
    leave_out_missing_headers,
    read_notes,
    rewrite_body,
    rewrite_header,
)
from indexing.partition.word.elements import P, R, T, W, new_paragraph, new_run, text_of
from indexing.partition.word.notes import Notes
from tests.indexing.partition.docx_xml import (
    NAMESPACES,
    NO_NOTES,
    SEEN,
    body_of,
    hidden,
    pages_of,
    paragraph,
    words,
)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        pytest.param(
            f"<w:sdt><w:sdtPr/><w:sdtContent>{paragraph(words('in'))}</w:sdtContent></w:sdt>",
            ["in"],
            id="content control",
        ),
        pytest.param(
            paragraph(f"<w:ins>{words('new')}</w:ins>", f"<w:del>{words('old')}</w:del>"),
            ["new"],
            id="tracked changes",
        ),
        pytest.param(
            paragraph(words("see "), f"<w:hyperlink>{words('here')}</w:hyperlink>"),
            ["see here"],
            id="hyperlink",
        ),
        pytest.param(
            paragraph("<m:oMath><m:r><m:t>x+1</m:t></m:r></m:oMath>"), ["x+1"], id="formula"
        ),
        pytest.param(
            paragraph(
                words("text"),
                "<w:r><mc:AlternateContent><mc:Choice><w:drawing><w:txbxContent>"
                f"{paragraph(words('boxed'))}</w:txbxContent></w:drawing></mc:Choice>"
                f"<mc:Fallback><w:pict><w:txbxContent>{paragraph(words('boxed'))}"
                "</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r>",
            ),
            ["text", "boxed"],
            id="text box",
        ),
        pytest.param(
            paragraph(
                words("text"),
                '<w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml">'
                '<v:textpath string="Sale"/></v:shape></w:pict></w:r>',
            ),
            ["text", "Sale"],
            id="word art",
        ),
        pytest.param(
            paragraph(words("shown"), hidden("not "), hidden("by default", value="0")),
            ["shownby default"],
            id="hidden",
        ),
        pytest.param(
            paragraph(words("done "), '<w:r><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>'),
            ["done ✓"],
            id="sign of a symbol font",
        ),
        pytest.param(
            paragraph(
                words("angle "),
                '<w:r><w:rPr><w:rFonts w:ascii="Symbol"/></w:rPr><w:t>\uf061</w:t></w:r>',
            ),
            ["angle α"],
            id="sign written as text",
        ),
        pytest.param(
            paragraph(words("odd"), '<w:r><w:sym w:font="Symbol" w:char="-1"/><w:sym/></w:r>'),
            ["odd"],
            id="no sign",
        ),
    ],
)
def test_no_words_are_lost_or_doubled(content: str, text: list[str]) -> None:
    body = body_of(content)

    rewrite_body(body, NO_NOTES, pages=None)

    assert ["".join(one.itertext(T)) for one in body.iterchildren(P)] == text


def test_a_formula_between_paragraphs_is_one() -> None:
    formula = "<m:oMathPara><m:oMath><m:r><m:t>x+1</m:t></m:r></m:oMath></m:oMathPara>"
    body = body_of(formula, paragraph(words("text")))

    rewrite_body(body, NO_NOTES, pages=None)

    assert ["".join(one.itertext(T)) for one in body.iterchildren(P)] == ["x+1", "text"]


@pytest.mark.parametrize("ends", [1, 2])
def test_the_last_section_ends_with_the_body(ends: int) -> None:
    body = body_of(paragraph("<w:pPr><w:sectPr/></w:pPr>") * ends, paragraph(words("behind")))

    rewrite_body(body, NO_NOTES, pages=None)

    assert body[-1].tag == f"{W}sectPr"


def test_a_section_begins_in_a_way_that_there_is() -> None:
    body = body_of('<w:sectPr><w:type w:val="x"/><w:titlePg w:val="x"/></w:sectPr>')

    rewrite_body(body, NO_NOTES, pages=None)

    (section,) = body
    assert [(one.tag, one.get(f"{W}val")) for one in section] == [(f"{W}titlePg", "1")]


def test_headers_that_are_not_there_are_left_out() -> None:
    relations = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    references = '<w:headerReference r:id="a"/><w:footerReference r:id="b"/>'
    body = body_of(f"<w:sectPr {relations}>{references}</w:sectPr>")

    assert leave_out_missing_headers(body, {"b"})
    assert not leave_out_missing_headers(body, {"b"})
    assert [one.tag for one in body[0]] == [f"{W}footerReference"]


def test_the_words_of_a_note_stand_apart() -> None:
    runs = ["<w:r><w:t>Smith</w:t><w:tab/><w:t>p. 12</w:t><w:br/><w:t>ff</w:t></w:r>"]
    runs += ["<m:oMath><m:r><m:t>=x</m:t></m:r></m:oMath>"]
    note = f'<w:footnote w:id="2">{paragraph(*runs)}</w:footnote>'
    part = f"<w:footnotes {NAMESPACES}>{note}</w:footnotes>"

    ((note_id, blocks),) = read_notes(parse(part.encode())).items()
    assert note_id == "2"
    assert list(map(text_of, blocks)) == ["Smith p. 12 ff=x"]


def test_characters_keep_their_place_under_the_notes_that_tell_how_they_are_read() -> None:
    note = f"<w:ruby><w:rt>{words('とう')}</w:rt><w:rubyBase>{words('東')}</w:rubyBase></w:ruby>"
    body = body_of(paragraph(words("in "), f"<w:r>{note}</w:r>", words("京")))

    rewrite_body(body, NO_NOTES, pages=None)

    assert pages_of(body) == ["in 東京"]
    assert [run.findtext(T) for run in body.iterfind(f"{P}/{R}")] == ["in ", "東", None, "京"]


@pytest.mark.parametrize(
    ("number", "raised", "text"),
    [("10", "6", "10^6"), ("10", "-3", "10^-3"), ("1", "st", "1st"), ("m", "2", "m2")],
)
def test_a_raised_number_behind_a_number_is_a_power(number: str, raised: str, text: str) -> None:
    properties = '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>'
    run = f"<w:r>{properties}<w:t>{raised}</w:t></w:r>"
    body = body_of(paragraph(words(number), "<w:proofErr/>", run))

    rewrite_body(body, NO_NOTES, pages=None)

    assert pages_of(body) == [text]


def test_a_header_says_all_in_its_paragraphs() -> None:
    header = parse(
        f"<w:hdr {NAMESPACES}><w:sdt><w:sdtContent>{paragraph(words('in a control'))}"
        "</w:sdtContent></w:sdt></w:hdr>".encode()
    )

    rewrite_header(header)

    assert ["".join(one.itertext(T)) for one in header.iterchildren(P)] == ["in a control"]


def test_a_run_in_which_very_much_stands_is_parted() -> None:
    run = f"<w:r><w:rPr><w:b/></w:rPr><w:t>lamp</w:t>{'<w:br/>' * 2500}<w:t>oil</w:t></w:r>"
    body = body_of(paragraph(run, words("end")))

    rewrite_body(body, NO_NOTES, pages=None)

    *parts, last = body.findall(f"{P}/{R}")
    assert [len(part) for part in parts] == [1000, 1001, 504]
    assert all(part[0].tag == f"{W}rPr" for part in parts)
    assert [parts[0][1].text, parts[-1][-1].text, last[0].text] == ["lamp", "oil", "end"]


def test_notes_are_written_out() -> None:
    part = f"""<w:footnotes {NAMESPACES}>
        <w:footnote w:type="separator" w:id="0"><w:p>{words("-")}</w:p></w:footnote>
        <w:footnote w:id="2"><w:p>{words("See annex.")}{hidden("no")}</w:p></w:footnote>
        </w:footnotes>"""
    body = body_of(
        paragraph(words("a"), '<w:r><w:footnoteReference w:id="2"/></w:r>', SEEN, words("b")),
        paragraph(words("c")),
    )

    endnotes = {"1": [new_paragraph(new_run("The end."))]}
    rewrite_body(body, Notes(read_notes(parse(part.encode())), endnotes), pages=None)

    assert pages_of(body) == ["See annex.a", "bcThe end."]
