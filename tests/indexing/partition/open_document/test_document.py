import zipfile
from pathlib import Path

import pytest

from indexing.partition.office.libreoffice import find_soffice
from indexing.partition.open_document.document import open_odp, open_odt, read_odt
from indexing.types import NO_PAGE, Block, BlockKind
from tests.files.hostile_packages import member, with_members
from tests.indexing.partition.open_documents import OTHER_FILE, table, texts, write
from tests.libreoffice import needs_libreoffice

FILES = Path(__file__).parents[3] / "files"


def test_a_text_has_headings_tables_and_pages() -> None:
    document = open_odt(FILES / "supplier-handbook.odt")
    first, second = document.pages

    assert (document.title, document.page_count) == ("Supplier Handbook", 2)
    assert first.blocks[0].text == "Harbour Light Ltd, for suppliers"
    assert first.blocks[1] == Block(BlockKind.HEADING, "Ordering")
    assert first.blocks[-1].header == "Carrier | Days | Contact"
    assert second.blocks[0] == Block(BlockKind.HEADING, "Payment")


@pytest.mark.parametrize(
    ("body", "pages"),
    [
        pytest.param("<text:p>a<text:s/>b<text:tab/>c</text:p>", [["a b c"]], id="spaces"),
        pytest.param("<text:p>a<text:line-break/>b</text:p>", [["a\nb"]], id="line break"),
        pytest.param(
            "<text:p>a <text:soft-page-break/>b</text:p>", [["a"], ["b"]], id="page ends in it"
        ),
        pytest.param(
            '<text:p>a</text:p><text:p text:style-name="new">b</text:p>', [["a"], ["b"]], id="style"
        ),
        pytest.param('<text:p text:style-name="new">a</text:p>', [["a"]], id="first of all"),
        pytest.param(
            "<text:p>a<text:note><text:note-citation>1</text:note-citation><text:note-body>"
            "<text:p>below</text:p></text:note-body></text:note> b</text:p>",
            [["a b", "below"]],
            id="note",
        ),
        pytest.param(
            "<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:p>a"
            "<office:annotation><text:p>said</text:p></office:annotation></text:p>",
            [["a"]],
            id="deleted, commented",
        ),
        pytest.param(
            "<text:list><text:list-item><text:p>a</text:p><text:list><text:list-item>"
            "<text:p>b</text:p></text:list-item></text:list></text:list-item></text:list>",
            [["a", "b"]],
            id="lists",
        ),
        pytest.param(
            table(["a", "b"], ["c", "d"]).replace(
                "</table:table-row><", "</table:table-row><text:soft-page-break/><", 1
            ),
            [[], ["c | d"]],
            id="page ends behind a header",
        ),
    ],
)
def test_text_stands_on_its_page(body: str, pages: list[list[str]], path: Path) -> None:
    write(path, body)

    assert texts(path) == pages


def test_each_page_has_the_header_of_its_table(path: Path) -> None:
    rows = [["Name", "Kind"], *([f"Lamp {n}", "storm"] for n in range(4))]
    ends = "</table:table-row><text:soft-page-break/>"
    first, second, third, rest = table(*rows).split("</table:table-row>", 3)
    write(path, f"{first}</table:table-row>{second}{ends}{third}{ends}{rest}<text:p>End</text:p>")

    pages = [[(block.header, block.text) for block in page.blocks] for page in read_odt(path).pages]

    assert pages == [
        [("Name | Kind", "Lamp 0 | storm")],
        [("Name | Kind", "Lamp 1 | storm")],
        [("Name | Kind", "Lamp 2 | storm\nLamp 3 | storm"), ("", "End")],
    ]


@needs_libreoffice
def test_pages_that_end_too_early_are_laid_out(path: Path) -> None:
    write(path, "<text:p>The lanterns</text:p><text:p><text:soft-page-break/>arrive.</text:p>")

    assert [page.number for page in read_odt(path).pages] == [1, 2]
    assert [page.number for page in open_odt(path).pages] == [1]


def test_a_title_above_the_names_of_the_columns_stands_above_the_table(path: Path) -> None:
    write(path, table(["Stock", ""], ["Name", "Kind"], ["Lamp", "storm"]))

    (page,) = open_odt(path).pages

    assert page.blocks == (
        Block(BlockKind.TEXT, "Stock"),
        Block(BlockKind.TABLE, "Lamp | storm", header="Name | Kind"),
    )


def test_entities_are_not_followed(path: Path) -> None:
    write(path, "<text:p>before &file; behind</text:p>", before=OTHER_FILE)

    assert texts(path) == [["before behind"]]


def test_the_pages_of_a_long_text_without_breaks_are_laid_out_or_unknown(path: Path) -> None:
    body = "".join(f"<text:p>Line {n} of a long text about lamps</text:p>" for n in range(100))
    write(path, body, breaks="")

    pages = list(open_odt(path).pages)

    assert sum(len(page.blocks) for page in pages) == 100
    assert pages[0].number == (NO_PAGE if find_soffice() is None else 1)


def test_a_slide_is_a_page_with_its_chart_and_notes() -> None:
    document = open_odp(FILES / "quarterly-review.odp")
    title, bullets, figures = document.pages

    assert (document.title, document.page_count) == ("Quarterly Review Q1 2024", 3)
    assert title.blocks[0] == Block(BlockKind.HEADING, "Quarterly Review")
    assert [block.text for block in bullets.blocks] == [
        "What went well",
        "Revenue grew by 14 percent",
        "Returns fell to 1.2 percent",
        "Lamps sold",
        "January | 310\nFebruary | 365",
        "Thank the Bristol team for the inventory week.",
    ]
    assert figures.blocks[1].header == "Measure | Value"


def test_a_chart_without_a_value_shows_none(path: Path) -> None:
    part, value = "Object 1/content.xml", b'office:value="310"><text:p>310<'
    chart = member("quarterly-review.odp", part)
    assert value in chart
    missing = chart.replace(value, value.replace(b"310", b"NaN"))
    path.write_bytes(with_members("quarterly-review.odp", {part: missing}))

    _, bullets, _ = open_odp(path).pages

    assert "January\nFebruary | 365" in [block.text for block in bullets.blocks]


def test_signs_of_symbol_fonts_are_read_as_characters(path: Path) -> None:
    style = (
        '<style:style style:name="T3"><style:text-properties style:font-name="Symbol"/>'
        "</style:style>"
    )
    write(path, f'{style}<text:p>angle <text:span text:style-name="T3">\uf061</text:span></text:p>')

    assert texts(path) == [["angle α"]]


@pytest.mark.parametrize(
    ("part", "content", "is_told"),
    [
        pytest.param("meta.xml", b"<office:document-meta", False, id="who wrote it"),
        pytest.param("styles.xml", b"<office:document-styles><office:styles>", True, id="styles"),
        pytest.param("styles.xml", b"", True, id="no styles"),
        pytest.param("Object 1/content.xml", b"\xff\xfe\xfd", True, id="an object"),
    ],
)
@pytest.mark.parametrize("name", ["supplier-handbook.odt", "quarterly-review.odp"])
def test_a_part_that_is_damaged_costs_no_text(
    name: str, part: str, content: bytes, is_told: bool, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(with_members(name, {part: content}))

    first, *_ = (open_odt if name.endswith("odt") else open_odp)(tmp_path / name).pages

    assert first.blocks
    assert (f"{part!r} among them" in first.warning) == is_told


def test_of_a_text_whose_bytes_were_spoilt_the_beginning_is_read(path: Path) -> None:
    lamps = "".join(f"<text:p>Lamp {n**3 % 9973} of {n**5 % 997}</text:p>" for n in range(2000))
    write(path, lamps)
    with zipfile.ZipFile(path) as package:
        spoilt = package.getinfo("content.xml")
    content = bytearray(path.read_bytes())
    content[spoilt.header_offset + 41 + spoilt.compress_size * 3 // 4] ^= 0xFF
    path.write_bytes(content)

    first, *others = read_odt(path).pages

    text = "\n".join(block.text for page in (first, *others) for block in page.blocks)
    assert text.startswith("Lamp 0 of 0\nLamp 1 of 1\nLamp 8 of 32\n")
    assert text.count("Lamp") > 1000
    assert "'content.xml' among them" in first.warning
