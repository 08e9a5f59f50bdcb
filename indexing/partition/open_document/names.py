"""The names of elements and attributes of OpenDocument, as lxml has them."""

_OPEN_DOCUMENT = "urn:oasis:names:tc:opendocument:xmlns:"
OFFICE, TEXT, TABLE, DRAW, STYLE = (
    f"{{{_OPEN_DOCUMENT}{name}:1.0}}" for name in ("office", "text", "table", "drawing", "style")
)
PRESENTATION, CHART, FORM, NUMBER = (
    f"{{{_OPEN_DOCUMENT}{name}:1.0}}" for name in ("presentation", "chart", "form", "datastyle")
)
# As far as they are like those of these two.
SVG, FO = (f"{{{_OPEN_DOCUMENT}{name}-compatible:1.0}}" for name in ("svg", "xsl-fo"))
XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
XML_ID = "{http://www.w3.org/XML/1998/namespace}id"

P, H, SPAN = f"{TEXT}p", f"{TEXT}h", f"{TEXT}span"
LIST, ITEM = f"{TEXT}list", f"{TEXT}list-item"
ROW, CELL = f"{TABLE}table-row", f"{TABLE}table-cell"
