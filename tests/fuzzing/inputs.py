"""What accounts send: documents, fields, and texts of all kinds."""

from hypothesis import strategies as st

from tests.fuzzing.account import Json

QUESTION = "When does the lease end?"
CONTENTS = (b"The lease ends in March 2031.", b"The rent is 1,200 euros a month.", b"Nothing here.")
AT_ONCE = b"The lift is inspected in May."
BAD_FILES = (
    b"",
    b"\x89PNG\r\n\x1a\n broken",
    b"%PDF-1.7\nbroken",
    b"PK\x03\x04 broken",
    b"\x00\xff",
)
FIELDS = [
    {"field_name": "Rent", "description": "the rent of a month", "type": "currency"},
    {"field_name": "End", "description": "when the lease ends", "type": "date"},
]

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=80)
names = texts.map(lambda text: text[:50]).filter(bool)
scalars = st.none() | st.booleans() | st.integers() | texts
any_notes = st.dictionaries(texts, scalars | st.lists(scalars, max_size=2), max_size=2)
# Whatever JSON can say, also what can be stored nowhere.
anything = st.recursive(
    scalars | st.floats() | st.text(max_size=60),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
which_one = st.integers(0, 99)  # One of those there are, by its number.


def a_tool(engine_id: str, source_id: str) -> Json:
    return {
        "type": "extract_fields_from_data_sources",
        "model": "gamma-1.5-pro",
        "knowledge_engine_id": engine_id,
        "tagged_data_sources": [{"id": source_id}],
        "fields": FIELDS,
    }
