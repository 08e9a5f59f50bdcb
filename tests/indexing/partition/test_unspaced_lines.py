import pytest

from indexing.partition.unspaced_lines import on_one_line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param("計量\n器", "計量器", id="Japanese"),
        pytest.param("合计（元）\n备注", "合计（元）备注", id="Chinese"),
        pytest.param("ค่า\nเช่า", "ค่าเช่า", id="Thai"),
        pytest.param("단가\n합계", "단가 합계", id="Korean"),
        pytest.param("数量\nkg", "数量 kg", id="beside Latin"),
        pytest.param("unit\nprice", "unit price", id="English"),
    ],
)
def test_lines_of_scripts_without_spaces_go_on_without_one(text: str, line: str) -> None:
    assert on_one_line(text) == line
