"""Tell where lists of HTML begin that count down: at the number of their items, if nowhere else."""

import re

_LIST_OR_ITEM = re.compile(r"<(?:(/)?(?:ol|ul|menu|dir)\b([^<>]*)|li\b)", re.IGNORECASE)
_REVERSED = re.compile(r"\sreversed(?=[\s=/]|$)", re.IGNORECASE)  # not `data-reversed`
_STARTED = re.compile(r"\bstart\s*=", re.IGNORECASE)


def with_starts(page: str) -> str:
    """Return the page with the first number of each such list that ends in it."""
    if "reversed" not in page.lower():
        return page
    starts: dict[int, int] = {}  # by where each list is to have it
    lists: list[tuple[int, int]] = []  # that are open: where each begins, and its items so far
    for tag in _LIST_OR_ITEM.finditer(page):
        if tag[2] is None:
            if lists:
                begin, items = lists.pop()
                lists.append((begin, items + 1))
        elif not tag[1]:
            is_asked = _REVERSED.search(tag[2]) and not _STARTED.search(tag[2])
            lists.append((tag.end() if is_asked else -1, 0))
        elif lists:
            begin, items = lists.pop()
            starts[begin] = items
    starts.pop(-1, None)
    ends = sorted(starts)
    pieces = [page[begin:end] for begin, end in zip([0, *ends], [*ends, None], strict=True)]
    return (
        "".join(f'{piece} start="{starts[end]}"' for piece, end in zip(pieces, ends, strict=False))
        + pieces[-1]
    )
