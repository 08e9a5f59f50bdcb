import struct

import pytest

from indexing.partition.mail.tnef import BODY, FILE, FILE_NAME, read_tnef
from tests.files import tnef_writer as written
from tests.files.tnef_writer import properties, property_of, tnef


def test_properties_of_a_packed_mail_are_read() -> None:
    content = properties({BODY: "Größe", 0x1009: b"packed", 0x3FDE: 65001})

    mail, _ = read_tnef(tnef((written.PROPERTIES, content)))

    assert mail.text(BODY) == "Größe"
    assert (mail.bytes_of(0x1009), mail.number(0x3FDE)) == (b"packed", 65001)
    assert (mail.text(0x1009), mail.bytes_of(BODY), mail.number(0x9999)) == ("", b"", 0)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(bytes(20) + struct.pack("<I", 7), id="a number"),
        pytest.param(bytes(16) + struct.pack("<II", 1, 6) + b"a\0b\0\0\0\0\0", id="text"),
    ],
)
def test_properties_that_have_names_are_passed(name: bytes) -> None:
    content = struct.pack("<I", 2) + property_of(0x8001, 1, name) + property_of(BODY, "Lamps")

    mail, _ = read_tnef(tnef((written.PROPERTIES, content)))

    assert mail.text(BODY) == "Lamps"


def test_attributes_of_old_programs_are_read_by_their_code_page() -> None:
    mail, files = read_tnef(
        tnef(
            (written.OLD_BODY, "Größe\0".encode("cp1252")),
            (written.CODE_PAGE, struct.pack("<II", 1252, 0)),
            (written.NEXT_FILE, b""),
            (written.FILE_NAME, b"PRICES~1.TXT\0"),
            (written.FILE, b"61"),
            (written.FILE_PROPERTIES, properties({FILE_NAME: "prices of lamps.txt"})),
        )
    )

    assert mail.text(BODY) == "Größe"
    assert [(one.text(FILE_NAME), one.bytes_of(FILE)) for one in files] == [
        ("prices of lamps.txt", b"61")
    ]


@pytest.mark.parametrize(
    "behind",
    [
        pytest.param(struct.pack("<HHI", 0x1003, 0x3000, 0xFFFFFFFF), id="values without end"),
        pytest.param(struct.pack("<HH", 0x77, 0x3000), id="an unknown type"),
        pytest.param(struct.pack("<HHII", 0x1F, 0x3000, 1, 0xFFFFFFFF), id="a text too long"),
    ],
)
def test_what_is_before_a_damaged_property_is_read(behind: bytes) -> None:
    content = struct.pack("<I", 9) + property_of(BODY, "Lamps") + behind

    mail, _ = read_tnef(tnef((written.PROPERTIES, content)))

    assert (mail.text(BODY), len(mail.properties)) == ("Lamps", 1)
