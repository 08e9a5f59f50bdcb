"""Mark the pictures of a slide in its text, by a text box where each stands."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from lxml import etree
from pptx.shapes.base import BaseShape
from pptx.slide import Slide, SlideLayout, SlideMaster

from indexing.partition.office.newer_charts import leave_out_fallbacks
from indexing.partition.office.package_xml import MC, Element
from indexing.partition.office.pictures import Album, ShownPicture
from indexing.partition.slides.previews import previews_of
from indexing.partition.slides.shapes import placed_shapes
from indexing.partition.word.pictures import EMU_PER_POINT, crop_of

MIN_BACKDROP_SHARE = 0.5
"""Of the slide; a smaller picture on its layout is the logo of the house."""

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"


@dataclass(frozen=True, slots=True)
class _Placed:
    """What may hold a picture, with its place and size on the slide, in EMU."""

    element: Element
    left: int
    top: int
    width: float
    height: float


def mark_pictures(slide: Slide, sheet: tuple[int, int], album: Album, backdrops: set[str]) -> None:
    """Put a text box with the mark of a picture in the place of each.

    `backdrops` are the layouts whose pictures an earlier slide has shown.
    """
    _settle_alternatives(slide.shapes._spTree)
    for placed in [*_background(slide, sheet), *_shapes(slide.shapes)]:
        _mark(slide, slide, placed, album)
    _mark_previews(slide, album)
    for holder in (slide.slide_layout, slide.slide_layout.slide_master):
        if str(holder.part.partname) in backdrops:
            continue
        backdrops.add(str(holder.part.partname))
        for placed in [*_background(holder, sheet), *_shapes(holder.shapes)]:
            if placed.width * placed.height >= MIN_BACKDROP_SHARE * sheet[0] * sheet[1]:
                _mark(slide, holder, placed, album)


def _settle_alternatives(shapes: Element) -> None:
    """Keep one of what newer and older programs show: the one with text, else the older one."""
    leave_out_fallbacks(shapes)
    for content in list(shapes.iter(f"{MC}AlternateContent")):
        alternatives = list(content)
        with_text = (one for one in alternatives if _has_text(one))
        kept = next(with_text, alternatives[-1] if alternatives else None)
        for child in [] if kept is None else list(kept):
            content.addprevious(child)
        content.getparent().remove(content)


def _has_text(alternative: Element) -> bool:
    return any((text.text or "").strip() for text in alternative.iter(f"{_A}t"))


def _background(
    holder: Slide | SlideLayout | SlideMaster, sheet: tuple[int, int]
) -> Iterator[_Placed]:
    background = holder._element.find(f"{_P}cSld/{_P}bg")
    if background is not None:
        yield _Placed(background, 0, 0, *sheet)


def _shapes(shapes: Iterable[BaseShape]) -> Iterator[_Placed]:
    for one in placed_shapes(shapes):
        yield _Placed(one.shape._element, int(one.left), int(one.top), one.width, one.height)


def _mark(
    slide: Slide, holder: Slide | SlideLayout | SlideMaster, placed: _Placed, album: Album
) -> None:
    for blip in list(placed.element.iter(f"{_A}blip")):
        relation = holder.part.rels.get(blip.get(f"{_R}embed", ""))
        is_bullet = etree.QName(blip.getparent()).localname == "buBlip"
        if relation is None or relation.is_external or is_bullet:
            continue
        shown = _shown(str(relation.target_part.partname).lstrip("/"), placed)
        place = (placed.left, placed.top) if holder is slide else (0, 0)
        _add_mark(slide, replace(shown, crop=crop_of(blip)), place, album)


def _mark_previews(slide: Slide, album: Album) -> None:
    """Mark the pictures of objects of other programs that are not in the slide itself."""
    objects = [
        (element.get("spid", ""), placed)
        for placed in _shapes(slide.shapes)
        for element in placed.element.iter(f"{_P}oleObj")
        if element.find(f"{_P}pic") is None
    ]
    previews = previews_of(slide.part) if objects else {}
    for shape_id, placed in objects:
        if member := previews.get(shape_id):
            _add_mark(slide, _shown(member, placed), (placed.left, placed.top), album)


def _shown(member: str, placed: _Placed) -> ShownPicture:
    return ShownPicture(member, placed.width / EMU_PER_POINT, placed.height / EMU_PER_POINT)


def _add_mark(slide: Slide, shown: ShownPicture, place: tuple[int, int], album: Album) -> None:
    if mark := album.mark(shown):
        left, top = place
        box = slide.shapes.add_textbox(max(left, 0), max(top, 0), 0, 0)
        box.text_frame.text = mark
