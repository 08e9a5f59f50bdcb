"""Write the signs of symbol fonts in an OpenDocument text as characters of any font."""

from collections.abc import Iterable

from indexing.partition.office.package_xml import Element
from indexing.partition.office.symbol_fonts import is_symbol_font, with_signs
from indexing.partition.open_document.names import STYLE, SVG, TEXT

_FONT_FAMILY = f"{SVG}font-family"


def write_out_signs(body: Element, styled: Iterable[Element]) -> None:
    """Put the characters into the text, by the styles of these parts."""
    if fonts := _symbol_fonts(list(styled)):
        for span in body.iter(f"{TEXT}span"):
            if font := fonts.get(span.get(f"{TEXT}style-name", "")):
                span.text = with_signs(font, span.text or "")
                for child in span:
                    child.tail = with_signs(font, child.tail or "")


def _symbol_fonts(parts: list[Element]) -> dict[str, str]:
    """Return the font of each style that is of signs."""
    faces = {
        face.get(f"{STYLE}name", ""): face.get(_FONT_FAMILY, "").strip("'\"")
        for part in parts
        for face in part.iter(f"{STYLE}font-face")
    }
    fonts = {
        properties.getparent().get(f"{STYLE}name", ""): properties.get(f"{STYLE}font-name", "")
        for part in parts
        for properties in part.iter(f"{STYLE}text-properties")
    }
    named = {style: faces.get(font) or font for style, font in fonts.items()}
    return {style: font for style, font in named.items() if is_symbol_font(font)}
