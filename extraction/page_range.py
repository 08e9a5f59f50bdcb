"""Which pages of a data source a request names: `3`, or `3-7`."""

import re

_PAGE_RANGE = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")


class InvalidPageRange(Exception):
    """A page range that names no pages of its data source; the message can be shown."""


def parse_page_range(page_range: str, page_count: int) -> range:
    """Return the numbers of the pages that a range names; both its ends belong to it.

    Args:
        page_range: one page or the first and the last, counted from 1.
        page_count: how many pages the data source has; 0 if it has none, as a table of rows.

    Raises:
        InvalidPageRange: it is malformed or reversed, or not all of it is in the document.
    """
    match = _PAGE_RANGE.fullmatch(page_range)
    if match is None:
        raise InvalidPageRange(f"page_range {page_range!r} is neither a page nor a range of pages")
    first, last = int(match[1]), int(match[2] or match[1])
    if last < first:
        raise InvalidPageRange(f"page_range {page_range!r} ends before it begins")
    if page_count == 0:
        raise InvalidPageRange(f"page_range {page_range!r} names pages, and there are none")
    if first < 1 or last > page_count:
        raise InvalidPageRange(
            f"page_range {page_range!r} is outside the document, which has pages 1 to {page_count}"
        )
    return range(first, last + 1)
