"""Documents of made tables, of which every cell is known, as pages of HTML and as Word files."""

import html
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import docx

SHORT_TABLES = 4
LONG_ROWS = 45  # over more than one page

CSS_STYLES = {
    "a rule below each row": "td,th{border-bottom:1px solid #bbb}",
    "the same, none below the last": (
        "td,th{border-bottom:1px solid #bbb} tr:last-child td{border-bottom:none}"
    ),
    "rules around the table and below the header": (
        "table{border-top:2px solid;border-bottom:2px solid} th{border-bottom:1px solid}"
    ),
    "a rule below the header alone": "th{border-bottom:2px solid #333}",
    "every second row coloured": "tr:nth-child(even) td{background:#eef}",
    "the header coloured": "th{background:#246;color:#fff}",
    "a rule below each cell, cells apart": (
        "table{border-collapse:separate;border-spacing:2px} td,th{border-bottom:1px solid #bbb}"
    ),
    "a frame around each cell": "td,th{border:1px solid #999}",
    "rules between columns alone": "td+td,th+th{border-left:1px solid #999}",
    "no rules": "",
}

WORD_STYLES = (
    "Table Grid",
    "Light Shading",
    "Light List",
    "Light Grid",
    "Medium Shading 1",
    "Medium List 1",
    "Medium List 2",
    "Medium Grid 1",
    "Colorful List",
    "Normal Table",
)

_THINGS = (
    "lamp",
    "buoy",
    "anchor",
    "winch",
    "mast",
    "ladder",
    "rope",
    "sail",
    "crane",
    "hatch",
    "valve",
    "gauge",
    "pump",
    "hull",
    "keel",
)
_KINDS = (
    "brass",
    "steel",
    "oak",
    "spare",
    "small",
    "heavy",
    "northern",
    "coastal",
    "folding",
    "double",
    "painted",
    "old",
)
_NAMES = (
    "Aker",
    "Bergen",
    "Corvo",
    "Dunmore",
    "Elba",
    "Faro",
    "Gdynia",
    "Husum",
    "Izola",
    "Jersey",
    "Kinsale",
    "Lerwick",
)
_VERBS = (
    "checks",
    "lifts",
    "paints",
    "stores",
    "counts",
    "repairs",
    "replaces",
    "moves",
    "oils",
    "measures",
)
_SENTENCES = (
    "The {} of the harbour were counted in spring, and those that were lost are not among them.",
    "What the {} cost is said in the books of the year before.",
    "Nobody has asked for the {} since the storm.",
    "The next list has the {} that came by ship.",
)


@dataclass(frozen=True, slots=True)
class MadeTable:
    """A table, and the sentence above it."""

    sentence: str
    names: list[str]
    rows: list[list[str]]
    figures: list[bool]  # of each column, whether it is set on the right
    has_equal_columns: bool


def made_tables(seed: int) -> list[MadeTable]:
    """Return the tables of a document, the last one over several pages."""
    chance = random.Random(seed)
    return [
        *(_table(chance, chance.randint(3, 9)) for _ in range(SHORT_TABLES)),
        _table(chance, LONG_ROWS),
    ]


def as_html(tables: Sequence[MadeTable], style: str) -> str:
    """Return a page with the tables in a style sheet's style."""
    body = "".join(f"<p>{html.escape(one.sentence)}</p>{_html_table(one)}" for one in tables)
    return (
        "<!doctype html><meta charset=utf-8><style>@page{size:A4;margin:2cm}"
        "body{font:10pt sans-serif} table{border-collapse:collapse;width:100%;margin:10px 0}"
        f"td,th{{padding:4px 6px;text-align:left;vertical-align:top}}{style}</style>"
        f"<h1>Stock of the harbour</h1>{body}"
    )


def write_docx(tables: Sequence[MadeTable], style: str, target: Path) -> None:
    """Write a Word file with the tables in one of Word's styles."""
    document = docx.Document()
    document.add_heading("Stock of the harbour", 1)
    for one in tables:
        document.add_paragraph(one.sentence)
        table = document.add_table(rows=0, cols=len(one.names), style=style)
        for row in (one.names, *one.rows):
            for cell, text in zip(table.add_row().cells, row, strict=True):
                cell.text = text
    document.save(str(target))


def _html_table(one: MadeTable) -> str:
    layout = "fixed" if one.has_equal_columns else "auto"
    names = "".join(f"<th>{html.escape(name)}</th>" for name in one.names)
    rows = (
        "".join(
            f"<td{' align=right' if is_figure else ''}>{html.escape(cell)}</td>"
            for cell, is_figure in zip(row, one.figures, strict=True)
        )
        for row in one.rows
    )
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return (
        f"<table style='table-layout:{layout}'><thead><tr>{names}</tr></thead>"
        f"<tbody>{body}</tbody></table>"
    )


def _table(chance: random.Random, row_count: int) -> MadeTable:
    first = chance.choice(["Sign", "Place"])
    others = chance.sample(sorted(set(_COLUMNS) - {first}), chance.randint(2, 5))
    names = [first, *others]
    columns = [[_COLUMNS[name](chance) for _ in range(row_count)] for name in names]
    return MadeTable(
        chance.choice(_SENTENCES).format(chance.choice(_THINGS) + "s"),
        names,
        [list(row) for row in zip(*columns, strict=True)],
        [name in _FIGURES for name in names],
        chance.random() < 0.4,
    )


def _work(chance: random.Random) -> str:
    parts = [
        f"{chance.choice(_VERBS)} the {chance.choice(_KINDS)} {chance.choice(_THINGS)}"
        for _ in range(chance.choice([1, 1, 2, 4]))
    ]
    return ", ".join(parts).capitalize()


_COLUMNS: dict[str, Callable[[random.Random], str]] = {
    "Sign": lambda chance: f"{chance.choice('ABKLN')}{chance.randint(100, 999)}",
    "Place": lambda chance: chance.choice(_NAMES),
    "Part": lambda chance: f"{chance.choice(_KINDS).capitalize()} {chance.choice(_THINGS)}",
    "Work to be done": _work,
    "Who": lambda chance: f"{chance.choice('ABCDEFG')}. {chance.choice(_NAMES)}",
    "Stock": lambda chance: f"{chance.randint(1, 2000):,}",
    "Price": lambda chance: f"{chance.randint(100, 99999) / 100:.2f}",
    "Share of all": lambda chance: f"{chance.randint(1, 99)}%",
    "Last seen": lambda chance: f"2024-0{chance.randint(1, 9)}-{chance.randint(10, 28)}",
}
_FIGURES = {"Stock", "Price", "Share of all"}
