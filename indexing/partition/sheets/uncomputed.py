"""Workbooks whose formulas were saved without values, which then are nowhere in the file."""

import contextlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from indexing.partition.office.libreoffice import (
    HOW_TO_INSTALL_CALC,
    ConversionFailed,
    converted,
    find_soffice,
)
from indexing.types import Document, Page


def open_computed(
    path: Path, suffix: str, target: str, *, open_file: Callable[[Path], Document]
) -> Document | None:
    """Open the workbook with its formulas computed by LibreOffice; return None where that fails.

    The suffix names the same format as the target by another ending, because the result must not
    take the file's place. It is gone when its pages are read, so `open_file` must not need it then.
    """
    if find_soffice() is not None:
        with (
            contextlib.suppress(ConversionFailed),
            converted(path, suffix, [target]) as (computed,),
        ):
            return open_file(computed)
    return None


def with_uncomputed(page: Page, cells: int) -> Page:
    """Return the page with a warning about so many formulas of which no value was saved."""
    if not cells:
        return page
    warning = (
        f"the sheet {page.label!r} has formulas without values, whose cells ({cells:,}) are empty; "
        "open the file in a spreadsheet program, save it and upload it again; where the server "
        f"lacks LibreOffice Calc, it computes most formulas ({HOW_TO_INSTALL_CALC})"
    )
    return replace(page, warning="; ".join(filter(None, (page.warning, warning))))
