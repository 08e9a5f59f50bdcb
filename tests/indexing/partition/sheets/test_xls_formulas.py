import pytest

from indexing.partition.sheets.xls_formulas import gives_text, tokens_of_cell, tokens_shared
from tests.files.xls_writer import formula, shared

MANY, A_FEW = b"\x17\x04\x00many", b"\x17\x05\x00a few"
CELL = b"\x44\x00\x00\x00\xc0"


def choice(then: bytes, otherwise: bytes, condition: bytes = CELL) -> bytes:
    """Return IF(A1; then; otherwise), with where to go on behind each."""
    ways = [len(then) + 4, len(otherwise) + 7, 3]
    skip, behind, end = (
        bytes((0x19, kind, at, 0)) for kind, at in zip((2, 8, 8), ways, strict=True)
    )
    return condition + skip + then + behind + otherwise + end + b"\x42\x03\x01\x00"


@pytest.mark.parametrize(
    ("tokens", "is_text"),
    [
        pytest.param(CELL + b"\x17\x01\x00x\x08", True, id='A1&"x"'),
        pytest.param(CELL + b"\x41\x71\x00", True, id="UPPER(A1)"),
        pytest.param(CELL + b"\x42\x01\x73\x00", True, id="LEFT(A1)"),
        pytest.param(choice(MANY, A_FEW), True, id='IF(A1;"many";"a few")'),
        pytest.param(choice(MANY, CELL + A_FEW + b"\x08"), True, id='IF(A1;"many";A1&"a few")'),
        pytest.param(choice(MANY, choice(MANY, A_FEW)), True, id="IF within IF"),
        pytest.param(choice(b"\x17\x01\x01\x16\x20", A_FEW), True, id="IF with a wide letter"),
        pytest.param(choice(MANY, CELL), False, id='IF(A1;"many";A1)'),
        pytest.param(choice(choice(CELL, MANY), MANY), False, id="IF within IF with a cell"),
        pytest.param(CELL + b"\x42\x03\x01\x00", False, id="IF without values"),
        pytest.param(b"\x1e\x06\x00\x1e\x07\x00\x05", False, id="6*7"),
        pytest.param(CELL + b"\x42\x01\x04\x00", False, id="SUM(A1)"),
        pytest.param(CELL + b"\x41\x20\x00", False, id="LEN(A1)"),
        pytest.param(b"", False, id="nothing"),
    ],
)
def test_a_formula_tells_whether_it_gives_a_text(tokens: bytes, is_text: bool) -> None:
    assert gives_text(tokens_of_cell(formula(bytes(8), tokens=tokens)[4:])) == is_text
    assert gives_text(tokens_shared(shared(tokens)[4:])) == is_text
