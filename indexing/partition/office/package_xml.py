"""Parse the XML of which packages are made: Office, OpenDocument and EPUB."""

from typing import TypeAlias

from lxml import etree

from indexing.partition.office.legal_xml import in_legal_xml
from indexing.partition.office.strict_names import with_usual_names

MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"

Element: TypeAlias = etree._Element


def parse(part: bytes) -> Element:
    """Parse a part of the package; entities are left alone, they may name other files.

    What is strict has the usual names, and texts that programs put in as they are may be odd.
    """
    try:
        return _parse(part)
    except etree.XMLSyntaxError as error:
        try:
            return _parse(in_legal_xml(part))
        except etree.XMLSyntaxError:
            raise error from None


def is_well_formed(part: bytes) -> bool:
    """Tell whether every program can parse a part."""
    try:
        _parse(part)
    except etree.XMLSyntaxError:
        return False
    return True


def _parse(part: bytes) -> Element:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True)
    try:
        return etree.fromstring(with_usual_names(part), parser)
    except etree.XMLSyntaxError as error:
        # libxml2 knows of no line, and of no error, when it runs out of memory.
        raise MemoryError if error.lineno == 0 else error from error
