import random

import pytest

from app.ids import (
    CONTEXT,
    DATA_SOURCE,
    KNOWLEDGE_ENGINE,
    TOOL_RUN,
    WEBHOOK,
    WEBHOOK_DELIVERY,
    WORKFLOW,
    IdKind,
    derive_id,
    new_id,
    parse_id,
)
from config.errors import InvalidId

KINDS = [
    pytest.param(KNOWLEDGE_ENGINE, "kng_", "ke_", id="knowledge engine"),
    pytest.param(DATA_SOURCE, "ds_", "dsc_", id="data source"),
    pytest.param(WORKFLOW, "wfl_", "wf_", id="workflow"),
    pytest.param(CONTEXT, "ctx_", "ctx_", id="context"),
    pytest.param(TOOL_RUN, "trun_", "trun_", id="tool run"),
    pytest.param(WEBHOOK, "whk_", "whk_", id="webhook"),
    pytest.param(WEBHOOK_DELIVERY, "dlv_", "dlv_", id="webhook delivery"),
]


@pytest.mark.parametrize(("kind", "prefix", "synonym"), KINDS)
def test_new_id_has_the_prefix_and_fourteen_characters(
    kind: IdKind, prefix: str, synonym: str
) -> None:
    made = {new_id(kind) for _ in range(100)}

    assert len(made) == 100
    assert {len(one) for one in made} == {len(prefix) + 14}
    assert all(one.startswith(prefix) and parse_id(kind, one) == one for one in made)


def test_new_id_follows_from_nothing_that_is_known() -> None:
    random.seed(7)
    made = [new_id(WORKFLOW) for _ in range(200)]
    random.seed(7)
    made += [new_id(WORKFLOW) for _ in range(200)]

    assert len(set(made)) == 400
    # Of 36 letters each comes at each place, as good as never fewer than 30 of them in 400.
    assert all(len(set(letters)) >= 30 for letters in list(zip(*made, strict=True))[4:])


@pytest.mark.parametrize(("kind", "prefix", "synonym"), KINDS)
def test_derived_id_is_the_same_for_the_same_secret_and_item(
    kind: IdKind, prefix: str, synonym: str
) -> None:
    made = {derive_id(kind, seed, item) for seed in (b"one", b"two") for item in range(3)}

    assert len(made) == 6
    assert {len(one) for one in made} == {len(prefix) + 14}
    assert all(one.startswith(prefix) and parse_id(kind, one) == one for one in made)
    assert derive_id(kind, b"one") == derive_id(kind, b"one", 0)


@pytest.mark.parametrize(("kind", "prefix", "synonym"), KINDS)
def test_synonym_is_read_as_the_prefix(kind: IdKind, prefix: str, synonym: str) -> None:
    assert parse_id(kind, f"{synonym}0123456789abcd") == f"{prefix}0123456789abcd"


@pytest.mark.parametrize("suffix", ["0123456789", "01234567890123456789", "AbCdEfGhIjKlMn"])
def test_ten_to_twenty_characters_pass(suffix: str) -> None:
    assert parse_id(KNOWLEDGE_ENGINE, f"ke_{suffix}") == f"kng_{suffix}"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("0123456789abcd", id="no prefix"),
        pytest.param("_0123456789abcd", id="empty prefix"),
        pytest.param("ds_0123456789abcd", id="another kind"),
        pytest.param("KNG_0123456789abcd", id="capitals"),
        pytest.param("kng_012345678", id="short"),
        pytest.param("kng_012345678901234567890", id="long"),
        pytest.param("kng_0123456789_bcd", id="underscore"),
        pytest.param("kng_0123456789abcd\n", id="line end"),
        pytest.param("kng_0123456789ébcd", id="not ASCII"),
        pytest.param("kng_٠١٢٣٤٥٦٧٨٩", id="digits of another script"),
        pytest.param("kng_' OR 1=1 --", id="SQL"),
    ],
)
def test_another_form_is_refused(text: str) -> None:
    with pytest.raises(InvalidId, match=r"^Invalid knowledge engine ID$"):
        parse_id(KNOWLEDGE_ENGINE, text)


def test_kind_without_a_synonym_takes_no_empty_prefix() -> None:
    with pytest.raises(InvalidId, match=r"^Invalid context ID$"):
        parse_id(CONTEXT, "_0123456789abcd")
