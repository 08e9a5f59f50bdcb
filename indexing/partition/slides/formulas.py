"""Write the formulas of a slide as words of their paragraphs, as those of Word documents are."""

from lxml import etree

from indexing.partition.office.package_xml import Element
from indexing.partition.word.formulas import M, formula_text

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_HOLDER = "{http://schemas.microsoft.com/office/drawing/2010/main}m"


def write_out_formulas(shapes: Element) -> None:
    """Put a run in the place of what holds a formula, or several below each other."""
    for holder in list(shapes.iter(_HOLDER)):
        run = etree.Element(f"{_A}r")
        formulas = map(formula_text, list(holder.iter(f"{M}oMath")))
        etree.SubElement(run, f"{_A}t").text = " ".join(formulas)
        holder.getparent().replace(holder, run)
