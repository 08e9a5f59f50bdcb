from io import BytesIO
from itertools import islice

import numpy as np
import pypdfium2

from benchmarks.generated_chunks import paragraphs, pdf, queries, resampled


def test_texts_and_queries_are_the_same_in_every_run() -> None:
    assert list(paragraphs(5)) == list(paragraphs(5))
    assert list(islice(queries(), 50)) == list(islice(queries(), 50))


def test_queries_never_come_twice() -> None:
    asked = list(islice(queries(), 5000))

    assert len(set(asked)) == 5000


def test_resampled_vectors_begin_with_the_real_ones_and_have_length_one() -> None:
    real = np.eye(4, 384, dtype=np.float32)

    vectors = resampled(real, 50)

    assert vectors.shape == (50, 384)
    assert vectors.dtype == np.float32
    np.testing.assert_array_equal(vectors[:4], real)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert len(np.unique(vectors, axis=0)) == 50


def test_fewer_vectors_than_real_ones_are_cut() -> None:
    assert resampled(np.eye(4, 384, dtype=np.float32), 2).shape == (2, 384)


def test_pdf_has_a_page_for_each_text() -> None:
    with pypdfium2.PdfDocument(BytesIO(pdf(["First page.", "Second page."]))) as document:
        texts = [page.get_textpage().get_text_range() for page in document]

    assert [text.strip() for text in texts] == ["First page.", "Second page."]
