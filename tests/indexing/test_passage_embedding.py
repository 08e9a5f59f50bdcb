import numpy as np
import pytest

from indexing.passage_embedding import PLACE_WEIGHT, embed_passages
from tests.fakes import HashEmbedder


class CountingEmbedder(HashEmbedder):
    """Counts the texts it is given."""

    count = 0

    def embed(self, texts: "list[str]") -> "np.ndarray":  # type: ignore[override,type-arg]
        self.count += len(texts)
        return super().embed(texts)


def test_vector_is_that_of_the_text_and_a_share_of_its_place() -> None:
    place, content = HashEmbedder().embed(["Lease", "The rent is 900."])
    expected = content + PLACE_WEIGHT * place

    (vector,) = embed_passages(HashEmbedder(), [("Lease", "The rent is 900.")])

    assert vector == pytest.approx(expected / np.linalg.norm(expected), rel=1e-5)


def test_vector_without_a_place_is_that_of_the_text() -> None:
    (vector,) = embed_passages(HashEmbedder(), [("", "The rent is 900.")])

    assert vector == pytest.approx(HashEmbedder().embed(["The rent is 900."])[0], rel=1e-5)


def test_marks_between_cells_are_not_embedded() -> None:
    row, words = embed_passages(HashEmbedder(), [("", "Rent | 900"), ("", "Rent 900")])

    assert np.array_equal(row, words)


def test_what_comes_again_is_embedded_once() -> None:
    embedder = CountingEmbedder()

    vectors = embed_passages(embedder, [("Lease", "Rent."), ("Lease", "Term."), ("Lease", "Rent.")])

    assert embedder.count == 3
    assert np.array_equal(vectors[0], vectors[2])
    assert not np.array_equal(vectors[0], vectors[1])


def test_nothing_has_no_vector() -> None:
    assert embed_passages(HashEmbedder(), []).shape == (0, HashEmbedder.dimensions)
