"""PDFium's functions called directly."""

import ctypes
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.pdf.calls import (
    AT_ONCE,
    COMPILED,
    Answers,
    Loop,
    Things,
    compiled,
    direct,
    objects_of,
    ready_made,
)

COMPILE = Path(__file__).parents[4] / "scripts" / "compile-calls"

get_object = direct("FPDFPage_GetObject", ctypes.c_void_p)
get_type = direct("FPDFPageObj_GetType", ctypes.c_int, ctypes.c_void_p)
get_bounds = direct("FPDFPageObj_GetBounds", None, ctypes.c_void_p)
get_mode = direct("FPDFPath_GetDrawMode", None, ctypes.c_void_p)
get_box = direct("FPDFText_GetLooseCharBox", None)
get_part = direct("FPDFText_GetRect", None)

needs_loops = pytest.mark.skipif(
    not COMPILED.exists(), reason="the environment was made without a C compiler (cc)"
)


def test_direct_call_says_what_the_call_by_the_library_says() -> None:
    with _document(3) as pdf:
        count = direct("FPDF_GetPageCount", ctypes.c_int)

        assert count(pdf.raw) == pdfium.FPDF_GetPageCount(pdf) == 3


def test_plain_number_is_a_pointer_where_the_types_of_arguments_say_so() -> None:
    with _document(1) as pdf:
        address = ctypes.cast(pdf.raw, ctypes.c_void_p).value
        count = direct("FPDF_GetPageCount", ctypes.c_int, ctypes.c_void_p)

        assert count(address) == 1


def test_function_that_pdfium_does_not_have_is_an_error_at_once() -> None:
    with pytest.raises(AttributeError):
        direct("FPDF_GetNothing", ctypes.c_int)


def by_python_and_in_c(name: str) -> pytest.MarkDecorator:
    in_c = pytest.param(compiled(name), id="in C", marks=needs_loops)
    return pytest.mark.parametrize("loop", [pytest.param(None, id="by Python"), in_c])


@by_python_and_in_c("sides_of_objects")
def test_of_many_things_each_has_its_answer_in_their_order(loop: Loop | None) -> None:
    with _page_of_squares(AT_ONCE + 3) as (_, squares):
        sides = Answers(np.float32, 4, loop=loop).of(get_bounds, squares)

        assert sides[:, 0].tolist() == [float(n) for n in range(AT_ONCE + 3)]
        assert sides[-1].tolist() == [AT_ONCE + 2, 0, AT_ONCE + 7, 5]


@by_python_and_in_c("boxes_of_letters")
def test_of_what_nothing_is_said_the_answer_is_unknown(loop: Loop | None) -> None:
    with _document(1) as pdf:
        page = pdf[0]
        textpage = page.get_textpage()
        answers = Answers(np.float32, 4, unknown=np.nan, is_one_target=True, loop=loop)

        assert np.isnan(answers.of(get_box, [7], ready_made(textpage.raw))).all()


@by_python_and_in_c("objects_of_page")
def test_objects_come_in_their_order_with_their_types(loop: Loop | None) -> None:
    with _page_of_squares(5) as (page, squares):
        objects, types = objects_of(get_object, get_type, page.raw, np.array([4, 0, 1]), loop)

        assert objects.tolist() == [squares[4], squares[0], squares[1]]
        assert types.tolist() == [pdfium.FPDF_PAGEOBJ_PATH] * 3
        none, _ = objects_of(get_object, get_type, page.raw, np.array([], np.int_), loop)
        assert len(none) == 0
        unknown = objects_of(get_object, get_type, page.raw, np.array([5]), loop)
        assert (*unknown[0].tolist(), *unknown[1].tolist()) == (0, pdfium.FPDF_PAGEOBJ_UNKNOWN)


@needs_loops
@pytest.mark.parametrize(
    ("name", "kind", "numbers"),
    [
        ("boxes_of_letters", np.float32, 4),
        ("sides_of_parts", np.float64, 4),
        ("sides_of_objects", np.float32, 4),
        ("modes_of_paths", np.intc, 2),
    ],
)
def test_loops_in_c_say_what_python_says(
    tmp_path: Path, name: str, kind: type, numbers: int
) -> None:
    file = tmp_path / "page.pdf"
    _draw(file)
    with pypdfium2.PdfDocument(file) as pdf:
        page = pdf[0]
        textpage = page.get_textpage()
        count = pdfium.FPDFPage_CountObjects(page)
        objects, types = objects_of(get_object, get_type, page.raw, np.arange(count))
        paths = objects[types == pdfium.FPDF_PAGEOBJ_PATH]
        letters = np.arange(textpage.count_chars())
        parts = range(textpage.count_rects())
        asked: dict[str, tuple[Any, Things, tuple[object, ...]]] = {
            "boxes_of_letters": (get_box, letters, (textpage.raw,)),
            "sides_of_parts": (get_part, parts, (textpage.raw,)),
            "sides_of_objects": (get_bounds, objects, ()),
            "modes_of_paths": (get_mode, paths, ()),
        }
        get, things, holders = asked[name]
        is_one_target = get is get_box

        said = [
            Answers(kind, numbers, unknown=-1, is_one_target=is_one_target, loop=loop).of(
                get, things, *holders
            )
            for loop in (None, compiled(name))
        ]

        assert len(said[0]) > 3
        assert (said[0] != -1).all()
        assert np.array_equal(*said)


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler (cc)")
def test_loops_are_compiled_where_a_compiler_is(tmp_path: Path) -> None:
    subprocess.run([COMPILE, tmp_path], check=True)

    loops = ctypes.PyDLL(str(tmp_path / "lib" / "knowledge-engine" / "calls.so"))

    assert loops.boxes_of_letters


@pytest.mark.parametrize("compiler", [None, "#!/bin/sh\nexit 1\n"], ids=["none", "one that fails"])
def test_without_a_compiler_it_is_said_what_that_means(
    tmp_path: Path, compiler: str | None
) -> None:
    """And what was compiled from another source is gone."""
    tools, compiled = tmp_path / "bin", tmp_path / "lib" / "knowledge-engine" / "calls.so"
    for path in (tools, compiled.parent):
        path.mkdir(parents=True)
    compiled.touch()
    for name in ("dirname", "readlink", "mkdir", "rm", "mv"):
        (tools / name).symlink_to(str(shutil.which(name)))
    if compiler is not None:
        (tools / "cc").write_text(compiler)
        (tools / "cc").chmod(0o755)

    ran = subprocess.run(
        [COMPILE, tmp_path], env=os.environ | {"PATH": str(tools)}, capture_output=True, text=True
    )

    assert (ran.returncode, compiled.exists()) == (0, False)
    assert "PDFs are read in some percent more time" in ran.stderr


def _draw(file: Path) -> None:
    canvas = Canvas(str(file), pagesize=(300, 200))
    canvas.drawString(40, 150, "Harbour light keepers")
    canvas.drawString(40, 130, "and their lamps")
    for number, (stroke, fill) in enumerate([(1, 0), (0, 1), (1, 1), (1, 0)]):
        canvas.rect(30 + 20 * number, 40, 10, 15, stroke=stroke, fill=fill)
        canvas.drawString(160, 40 + 15 * number, f"{number} lamps")
    canvas.save()


@contextmanager
def _page_of_squares(count: int) -> Iterator[tuple[pypdfium2.PdfPage, list[int]]]:
    """Yield a page with so many squares, each a point to the right, and the pointers to them."""
    with _document(1) as pdf:
        page = pdf[0]
        squares = [pdfium.FPDFPageObj_CreateNewRect(n, 0, 5, 5) for n in range(count)]
        for square in squares:
            pdfium.FPDFPage_InsertObject(page, square)
        yield page, [ctypes.cast(square, ctypes.c_void_p).value or 0 for square in squares]


def _document(pages: int) -> pypdfium2.PdfDocument:
    pdf = pypdfium2.PdfDocument.new()
    for _ in range(pages):
        pdf.new_page(200, 200)
    file = BytesIO()
    pdf.save(file)
    return pypdfium2.PdfDocument(file.getvalue())
