"""Make one of two paragraphs of a Word document that are drawn as one."""

from indexing.partition.office.package_xml import Element
from indexing.partition.word.elements import P, W


def join_drop_caps(body: Element) -> None:
    """Set the large letters that paragraphs begin with, each in a frame of its own, before them."""
    for frame in list(body.iterfind(f".//{P}/{W}pPr/{W}framePr")):
        if frame.get(f"{W}dropCap", "none") != "none":
            join_with_next(frame.getparent().getparent())


def join_with_next(paragraph: Element) -> bool:
    """Set what a paragraph says before what the next one does, if there is one."""
    following = paragraph.getnext()
    # Between two paragraphs may stand where a mark or a move begins or ends.
    while following is not None and following.tag != P and following.find(f".//{P}") is None:
        following = following.getnext()
    ends_section = paragraph.find(f"{W}pPr/{W}sectPr") is not None
    if following is None or following.tag != P or ends_section:
        return False
    place = len(following.findall(f"{W}pPr"))
    following[place:place] = [one for one in paragraph if one.tag != f"{W}pPr"]
    paragraph.getparent().remove(paragraph)
    return True
