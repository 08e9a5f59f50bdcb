import pytest

from indexing.partition.xls_formulas import gives_text
from tests.files.xls_writer import formula

CELL = b"\x44\x00\x00\x00\xc0"


@pytest.mark.parametrize(
    ("tokens", "is_text"),
    [
        pytest.param(CELL + b"\x17\x01\x00x\x08", True, id='A1&"x"'),
        pytest.param(CELL + b"\x41\x71\x00", True, id="UPPER(A1)"),
        pytest.param(CELL + b"\x42\x01\x73\x00", True, id="LEFT(A1)"),
        pytest.param(b"\x1e\x06\x00\x1e\x07\x00\x05", False, id="6*7"),
        pytest.param(CELL + b"\x42\x01\x04\x00", False, id="SUM(A1)"),
        pytest.param(CELL + b"\x41\x20\x00", False, id="LEN(A1)"),
        pytest.param(b"", False, id="nothing"),
    ],
)
def test_a_formula_tells_whether_it_gives_a_text(tokens: bytes, is_text: bool) -> None:
    assert gives_text(formula(bytes(8), tokens=tokens)[4:]) == is_text
