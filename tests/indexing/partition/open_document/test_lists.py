from pathlib import Path

import pytest

from indexing.partition.open_document.document import open_odp, read_odt
from tests.indexing.partition.open_documents import table, write

LEVELS = (
    '<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>'
    '<text:list-level-style-number text:level="2" style:num-format="1" style:num-prefix="("'
    ' style:num-suffix=")" text:display-levels="2"/>'
)
STYLES = (
    f'<text:list-style style:name="N">{LEVELS}</text:list-style>'
    '<text:list-style style:name="M"><text:list-level-style-number text:level="1"'
    ' style:num-format="1" style:num-suffix="."/></text:list-style>'
    '<text:list-style style:name="J"><text:list-level-style-number text:level="1"'
    ' style:num-format="甲, 乙, 丙, ..." style:num-suffix="、"/></text:list-style>'
    '<text:list-style style:name="B"><text:list-level-style-bullet text:level="1"/>'
    f"</text:list-style><text:outline-style>{LEVELS}</text:outline-style>"
)
NUMBERS, BULLETS = 'text:style-name="N"', 'text:style-name="B"'


def item(*parts: str, start: str = "") -> str:
    return f"<text:list-item {start}>{''.join(parts)}</text:list-item>"


def listed(*items: str, attributes: str = 'text:style-name="N"') -> str:
    return f"<text:list {attributes}>{''.join(items)}</text:list>"


def p(words: str) -> str:
    return f"<text:p>{words}</text:p>"


def h(words: str, level: int) -> str:
    return f'<text:h text:outline-level="{level}">{words}</text:h>'


@pytest.mark.parametrize(
    ("body", "texts"),
    [
        pytest.param(listed(item(p("a"), p("b")), item(p("c"))), ["1. a", "b", "2. c"], id="items"),
        pytest.param(
            listed(item(p("a"), listed(item(p("b")), item(p("c")))), item(p("d"))),
            ["1. a", "(1.1) b", "(1.2) c", "2. d"],
            id="levels",
        ),
        pytest.param(
            listed(item(p("a"), listed(item(p("b")), attributes=BULLETS)))
            + listed(item(p("c"), listed(item(p("d")), attributes=NUMBERS)), attributes=BULLETS),
            ["1. a", "b", "c", "(1.1) d"],
            id="a style of its own",
        ),
        pytest.param(listed(item(listed(item(p("a"))))), ["(1.1) a"], id="no item around"),
        pytest.param(
            listed(item(p("a")), item(p("b"), start='text:start-value="7"')),
            ["1. a", "7. b"],
            id="start",
        ),
        pytest.param(listed(item(p("a"))) + listed(item(p("b"))), ["1. a", "1. b"], id="new list"),
        pytest.param(
            listed(item(p("a")))
            + p("b")
            + listed(item(p("c")), attributes='text:style-name="N" text:continue-numbering="true"'),
            ["1. a", "b", "2. c"],
            id="goes on",
        ),
        pytest.param(
            listed(item(p("a")), attributes='text:style-name="N" xml:id="x"')
            + listed(item(p("b")))
            + listed(item(p("c")), attributes='text:continue-list="x"'),
            ["1. a", "1. b", "2. c"],
            id="an earlier one goes on",
        ),
        pytest.param(
            listed(item(p("a"), p("")), item(p("")), item(p("b"))), ["1. a", "3. b"], id="empty"
        ),
        pytest.param(
            table(
                ["No", "Step"],
                [listed(item(p("")), attributes='text:style-name="N" xml:id="x"'), "a"],
                [listed(item(p("")), attributes='text:continue-list="x"'), "b"],
            ),
            ["1. | a\n2. | b"],
            id="empty cells",
        ),
        pytest.param(
            table(
                ["No", "Step"],
                [
                    listed(item(p("a")), attributes='text:style-name="N" xml:id="x"')
                    + '<text:p text:display="none">h</text:p>'
                    + table(
                        ["Part", "Size"],
                        [listed(item(p("b")), attributes='text:continue-list="x"'), "c"],
                    ),
                    listed(item(p("d")), attributes='text:continue-list="x"'),
                ],
            ),
            ["1. a | 3. d", "2. b | c"],
            id="tables within each other",
        ),
        pytest.param(listed(item(p("a")), attributes='text:style-name="B"'), ["a"], id="bullet"),
        pytest.param(
            listed(item(p("a")), item(p("b")), attributes='text:style-name="J"'),
            ["甲、 a", "乙、 b"],
            id="another script",
        ),
        pytest.param(
            "".join((h("a", 1), h("b", 2), h("c", 1), h("d", 2), h("e", 99))),
            ["1. a", "(1.1) b", "2. c", "(2.1) d", "e"],
            id="headings",
        ),
    ],
)
def test_items_and_headings_have_their_numbers(body: str, texts: list[str], tmp_path: Path) -> None:
    write(tmp_path / "list.odt", f"{STYLES}{body}")

    found = [one.text for page in read_odt(tmp_path / "list.odt").pages for one in page.blocks]

    assert found == texts


def test_a_number_stands_on_the_page_of_its_words(tmp_path: Path) -> None:
    over = listed(item(p("a")), item(p("<text:soft-page-break/>b")), item(p("<text:note/>")))
    write(tmp_path / "list.odt", f"{STYLES}{over}{p('c')}")

    pages = [[one.text for one in page.blocks] for page in read_odt(tmp_path / "list.odt").pages]

    assert pages == [["1. a"], ["2. b", "c"]]


@pytest.mark.parametrize(
    ("body", "texts"),
    [
        pytest.param(listed(item(p("a")), item(p("b"), p("c"))), ["1. a", "2. b", "c"], id="items"),
        pytest.param(
            listed(item(p("a")))
            + listed(item(listed(item(p("b")))), item(p("c")), attributes='text:style-name="M"'),
            ["1. a", "(1) b", "2. c"],
            id="goes on in another list",
        ),
        pytest.param(
            listed(item(p("a")), item(p("b"), start='text:start-value="7"'), item(p("c"))),
            ["1. a", "7. b", "8. c"],
            id="start",
        ),
        pytest.param(
            listed(item(p("a")), item(p("b")), attributes='text:style-name="J"'),
            ["甲、 a", "乙、 b"],
            id="another script",
        ),
        pytest.param(
            listed(item(p("a"))) + listed(item(p("b")), attributes=BULLETS) + listed(item(p("c"))),
            ["1. a", "b", "1. c"],
            id="bullet between",
        ),
        pytest.param(
            listed(item(p("a"))) + p("b") + listed(item(p("c"))),
            ["1. a", "b", "1. c"],
            id="paragraph between",
        ),
        pytest.param(
            listed(item(p("a"), listed(item(p("b")))), item(p("c"), listed(item(p("d"))))),
            ["1. a", "(1) b", "2. c", "(1) d"],
            id="levels",
        ),
    ],
)
def test_paragraphs_of_a_slide_have_their_numbers(
    body: str, texts: list[str], tmp_path: Path
) -> None:
    second = "<draw:text-box>" + listed(item(p("z"))) + "</draw:text-box>"
    slide = f"<draw:page><draw:text-box>{body}</draw:text-box>{second}</draw:page>"
    write(tmp_path / "list.odp", f"{STYLES}{slide}", kind="presentation")

    (page,) = open_odp(tmp_path / "list.odp").pages

    assert [block.text for block in page.blocks] == [*texts, "1. z"]
