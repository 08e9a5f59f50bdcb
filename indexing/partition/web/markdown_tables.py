"""Read the tables that pandoc and reStructuredText write in Markdown: drawn, or below a rule."""

from markdown_it.rules_block import StateBlock

from indexing.partition.texts.drawn_tables import drawn_tables
from indexing.partition.texts.text_tables import text_table
from indexing.types import CELL_MARK, Block

RULE_SIGNS = frozenset("+-=:| ")

_TRIED = "tried for a table up to"


def drawn_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take the lines up to the next blank one as a table, if they are one as a whole."""
    # One of the first two lines is a rule, of any such table.
    # What is none as a whole is not tried again from each of its lines.
    is_tried = start < state.env.get(_TRIED, 0)
    if (
        silent
        or is_tried
        or not any(_is_rule(state, at) for at in range(start, min(start + 2, end)))
    ):
        return False
    behind = next((at for at in range(start, end) if state.isEmpty(at)), end)
    lines = state.getLines(start, behind, state.blkIndent, keepLastLF=False).split("\n")
    table = text_table(lines)
    if table is None:
        parts = drawn_tables(lines) or []
        table = parts[0] if len(parts) == 1 and isinstance(parts[0], Block) else None
    if table is None:
        state.env[_TRIED] = behind
        return False
    token = state.push("html_block", "", 0)
    token.map = [start, behind]
    token.content = _page_of(state, table)
    state.line = behind
    return True


def _is_rule(state: StateBlock, at: int) -> bool:
    line = state.src[state.bMarks[at] : state.eMarks[at]].strip()
    return "--" in line and RULE_SIGNS.issuperset(line) and ("+" in line or "- -" in line)


def _page_of(state: StateBlock, table: Block) -> str:
    rows = [(table.header, "th"), *((row, "td") for row in table.text.split("\n"))]
    cells = (
        "".join(f"<{tag}>{_inline(state, cell)}</{tag}>" for cell in row.split(CELL_MARK))
        for row, tag in rows
        if row
    )
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>\n"


def _inline(state: StateBlock, cell: str) -> str:
    return str(state.md.renderInline(cell)) if cell else ""
