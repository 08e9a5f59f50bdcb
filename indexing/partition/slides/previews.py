"""Find the pictures by which PowerPoint 2007 shows objects of other programs on a slide.

Later versions have them in the slide, this one in a drawing in VML beside it.
"""

from lxml import etree
from pptx.opc.package import Part

_V = "{urn:schemas-microsoft-com:vml}"
_O = "{urn:schemas-microsoft-com:office:office}"


def previews_of(part: Part) -> dict[str, str]:
    """Return the names of the pictures in the package, by the ids that the objects know them by."""
    found = {}
    for relation in part.rels.values():
        if relation.is_external or not relation.reltype.endswith("/vmlDrawing"):
            continue
        drawing = relation.target_part
        for shape in _parse(drawing.blob).iter(f"{_V}shape"):
            data = shape.find(f"{_V}imagedata")
            picture = None if data is None else drawing.rels.get(data.get(f"{_O}relid", ""))
            if picture is not None and not picture.is_external:
                found[shape.get("id", "")] = str(picture.target_part.partname).lstrip("/")
    return found


def _parse(drawing: bytes) -> etree._Element:
    """Parse a drawing, which programs write as loosely as a web page."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    root = etree.fromstring(drawing or b"<xml/>", parser)
    return etree.Element("xml") if root is None else root
