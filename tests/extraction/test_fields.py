from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.fields import FIELD_KINDS
from extraction.types import FieldType
from tests.extraction.values.fields import NO_HABIT, field, found, normalised

OPTIONS = ("lease", 5, True)
TEXT = "Lease 5 of 3 March 2024: RM 60.30, 12.5 %, yes, www.a.com, INV-1"


@pytest.mark.parametrize("kind", FieldType)
def test_every_type_has_its_row(kind: FieldType) -> None:
    assert FIELD_KINDS[kind].hint
    assert found(kind, TEXT, options=OPTIONS)


@pytest.mark.parametrize("kind", FieldType)
def test_what_is_no_value_is_none(kind: FieldType) -> None:
    raws: list[object] = [None, {}, {"value": 5}, object(), b"5", "", float("nan"), [None]]

    assert [normalised(kind, raw, options=OPTIONS) for raw in raws[:6]] == [None] * 6
    assert normalised(kind, [None], options=OPTIONS) is None


@pytest.mark.parametrize("kind", sorted(set(FieldType) - {FieldType.VERBATIM, FieldType.TEXT}))
@given(st.text(max_size=60))
def test_values_stand_left_to_right_and_are_read_again_alike(kind: FieldType, text: str) -> None:
    values = FIELD_KINDS[kind].find(text, field(kind, *OPTIONS), NO_HABIT)

    assert all(0 <= one.start < one.end <= len(text) for one in values)
    assert all(one.end <= other.start for one, other in pairwise(values))
