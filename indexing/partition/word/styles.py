"""Find the styles of a Word document, and those that each is based on (ECMA-376 part 1, 17.7)."""

from collections.abc import Iterator, Mapping

from indexing.partition.office.package_xml import Element
from indexing.partition.word.elements import W

# Nobody builds styles so high upon each other; a ring of them has no end.
MAX_BASES = 20


def styles_by_id(styles: Element | None) -> dict[str, Element]:
    """Return the styles by the names that paragraphs know them by; without a part, none."""
    found = [] if styles is None else list(styles.iterchildren(f"{W}style"))
    return {style.get(f"{W}styleId", ""): style for style in found}


def with_bases(name: str, styles: Mapping[str, Element]) -> Iterator[Element]:
    """Yield a style, the one that it is based on, and so on; what comes first counts."""
    for _ in range(MAX_BASES):
        style = styles.get(name)
        if style is None:
            return
        yield style
        base = style.find(f"{W}basedOn")
        name = "" if base is None else base.get(f"{W}val", "")
