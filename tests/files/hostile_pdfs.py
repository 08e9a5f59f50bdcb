"""PDF files that want to do harm, written object by object."""

import zlib
from collections.abc import Mapping

MEGABYTE = 1 << 20

PAGE = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R %s >>"
FONT = b"/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
WORDS = b"BT /F 12 Tf 20 200 Td (The lamps are stored in the warehouse at gate three.) Tj ET"


def pdf(objects: Mapping[int, bytes], trailer: bytes = b"") -> bytes:
    """Return a PDF of one page with words on it; `objects` are added, or take the place of ours."""
    own = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        3: PAGE % FONT,
        4: stream(WORDS),
    }
    file = b"%PDF-1.7\n"
    places = {}
    for number, content in sorted((own | dict(objects)).items()):
        places[number] = len(file)
        file += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(file)
    last = max(places)
    file += b"xref\n0 %d\n0000000000 65535 f \n" % (last + 1)
    for number in range(1, last + 1):
        file += b"%010d 00000 %s \n" % (places.get(number, 0), b"n" if number in places else b"f")
    file += b"trailer\n<< /Size %d /Root 1 0 R %s >>\n" % (last + 1, trailer)
    return file + b"startxref\n%d\n%%%%EOF\n" % start


def stream(content: bytes, entries: bytes = b"") -> bytes:
    """Return a stream with its dictionary."""
    head = b"<< /Length %d %s >>" % (len(content), entries)
    return head + b"\nstream\n" + content + b"\nendstream"


def flate_bomb(gigabytes: int) -> bytes:
    """Return a page whose text inflates to gigabytes of spaces."""
    return pdf({4: stream(_packed_spaces(gigabytes), b"/Filter /FlateDecode")})


def chained_filters() -> bytes:
    """Return a page whose text is packed three times, and unpacks to two gigabytes."""
    packed = zlib.compress(zlib.compress(_packed_spaces(2), 9), 9)
    return pdf({4: stream(packed, b"/Filter [/FlateDecode /FlateDecode /FlateDecode]")})


def _packed_spaces(gigabytes: int) -> bytes:
    packer = zlib.compressobj(9)
    head = packer.compress(b" ") + packer.flush(zlib.Z_FULL_FLUSH)
    # Each block is packed for itself, so that the same bytes do for every one of them.
    block = packer.compress(b" " * MEGABYTE) + packer.flush(zlib.Z_FULL_FLUSH)
    return head + block * (gigabytes * 1024) + packer.flush()


def page_tree_cycle() -> bytes:
    """Return a tree of pages that holds itself."""
    return pdf({2: b"<< /Type /Pages /Kids [3 0 R 2 0 R] /Parent 2 0 R /Count 1000 >>"})


def million_pages() -> bytes:
    """Return a file that says it has two thousand million pages, and has one."""
    return pdf({2: b"<< /Type /Pages /Kids [3 0 R] /Count 2147483647 >>"})


def previous_loop() -> bytes:
    """Return a file whose table of objects names itself as the one before it."""
    plain = pdf({})
    start = plain.rindex(b"xref\n0")
    return pdf({}, b"/Prev %d" % start)


def recursive_form() -> bytes:
    """Return a page with a drawing that draws itself, twice."""
    form = b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >>"
    resources = FONT.replace(b" >> >> >>", b" >> >> /XObject << /X 5 0 R >> >>")
    return pdf({3: PAGE % resources, 4: stream(b"/X Do " + WORDS), 5: stream(b"/X Do /X Do", form)})


def doubling_forms(levels: int) -> bytes:
    """Return a page with a drawing that draws two, that each draw two, and so on."""
    entries = (
        b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X %d 0 R >> >>"
    )
    resources = FONT.replace(b" >> >> >>", b" >> >> /XObject << /X 5 0 R >> >>")
    forms = {5 + n: stream(b"/X Do /X Do", entries % (6 + n)) for n in range(levels)}
    last = {5 + levels: stream(b"0 0 9 9 re f", entries % 1)}
    return pdf({3: PAGE % resources, 4: stream(b"/X Do " + WORDS), **forms, **last})


def outline_loop() -> bytes:
    """Return a list of contents whose entries follow each other for ever."""
    return pdf(
        {
            1: b"<< /Type /Catalog /Pages 2 0 R /Outlines 5 0 R >>",
            5: b"<< /Type /Outlines /First 6 0 R /Last 7 0 R >>",
            6: b"<< /Title (One) /Parent 5 0 R /Next 7 0 R /First 6 0 R >>",
            7: b"<< /Title (Two) /Parent 5 0 R /Next 6 0 R >>",
        }
    )


def nested_arrays() -> bytes:
    """Return a file with arrays in arrays, 100,000 deep, in its page and in its text."""
    deep = b"[" * 100_000 + b"]" * 100_000
    return pdf({3: PAGE % (FONT + b" /Deep " + deep), 4: stream(deep + b" TJ " + WORDS)})


def huge_picture() -> bytes:
    """Return a page with a picture of 60,000 by 60,000 points, and no page around it."""
    entries = (
        b"/Type /XObject /Subtype /Image /Width 60000 /Height 60000 /BitsPerComponent 8 "
        b"/ColorSpace /DeviceRGB /Filter /FlateDecode"
    )
    picture = stream(zlib.compress(b"\0" * MEGABYTE, 9), entries)
    resources = b"/Resources << /XObject << /X 5 0 R >> >>"
    return pdf({3: PAGE % resources, 4: stream(b"300 0 0 300 0 0 cm /X Do"), 5: picture})


def huge_page() -> bytes:
    """Return a page as large as numbers go."""
    box = b"/MediaBox [0 0 2000000000 2000000000]"
    return pdf({3: (PAGE % FONT).replace(b"/MediaBox [0 0 300 300]", box)})


def script() -> bytes:
    """Return a file that wants to run a script and to open an address when it is opened."""
    action = b"<< /S /JavaScript /JS (app.launchURL('http://127.0.0.1:9/')) >>"
    return pdf({1: b"<< /Type /Catalog /Pages 2 0 R /OpenAction 5 0 R >>", 5: action})


def many_pages_of_one_text(pages: int, megabytes: int) -> bytes:
    """Return pages that all show the same text, which the file holds once, packed."""
    line = b"BT /F 1 Tf 0 0 Td (%s) Tj ET\n" % (b"lamp " * 200)
    content = zlib.compress(line * (megabytes * MEGABYTE // len(line)), 9)
    numbers = range(5, 5 + pages)
    kids = b" ".join(b"%d 0 R" % number for number in numbers)
    return pdf(
        {
            2: b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, pages),
            4: stream(content, b"/Filter /FlateDecode"),
            **dict.fromkeys(numbers, PAGE % FONT),
        }
    )
