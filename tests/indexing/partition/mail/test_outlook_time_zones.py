import datetime

import pytest

from indexing.partition.mail.outlook_time_zones import (
    UTC,
    TimeZone,
    zone_of_definition,
    zone_of_structure,
)
from tests.indexing.partition.outlook_zones import (
    CENTRAL_EUROPE,
    definition,
    rule,
    structure,
    switch,
)

SUMMER_OF_SYDNEY = rule(minutes=-600, winter=switch(4, 0, 1, 3), summer=switch(10, 0, 1, 2))
# Until 2006 from the first Sunday of April to the last of October, then from March to November.
NEW_YORK = (
    rule(minutes=300, winter=switch(10, 0, 5, 2), summer=switch(4, 0, 1, 2)),
    rule(2007, minutes=300, winter=switch(11, 0, 1, 2), summer=switch(3, 0, 2, 2)),
)


@pytest.mark.parametrize(
    ("zone", "moment", "shown"),
    [
        pytest.param([CENTRAL_EUROPE], "2024-01-15 09:00", "2024-01-15 10:00 (UTC+01:00)"),
        pytest.param([CENTRAL_EUROPE], "2024-07-15 09:00", "2024-07-15 11:00 (UTC+02:00)"),
        pytest.param([CENTRAL_EUROPE], "2024-03-31 00:59", "2024-03-31 01:59 (UTC+01:00)"),
        pytest.param([CENTRAL_EUROPE], "2024-03-31 01:00", "2024-03-31 03:00 (UTC+02:00)"),
        pytest.param([CENTRAL_EUROPE], "2024-10-27 00:59", "2024-10-27 02:59 (UTC+02:00)"),
        pytest.param([CENTRAL_EUROPE], "2024-10-27 01:00", "2024-10-27 02:00 (UTC+01:00)"),
        pytest.param([SUMMER_OF_SYDNEY], "2024-12-31 13:30", "2025-01-01 00:30 (UTC+11:00)"),
        pytest.param([SUMMER_OF_SYDNEY], "2024-07-01 00:00", "2024-07-01 10:00 (UTC+10:00)"),
        pytest.param(NEW_YORK, "2006-03-20 17:00", "2006-03-20 12:00 (UTC-05:00)"),
        pytest.param(NEW_YORK, "2024-03-20 17:00", "2024-03-20 13:00 (UTC-04:00)"),
        pytest.param([rule(2030, -330)], "2024-03-05 09:00", "2024-03-05 14:30 (UTC+05:30)"),
        pytest.param([rule()], "2024-03-05 09:00", "2024-03-05 09:00 (UTC)"),
    ],
)
def test_a_time_is_that_of_winter_or_summer(zone: list[bytes], moment: str, shown: str) -> None:
    found = zone_of_definition(definition("Here", *zone))

    assert found is not None
    assert found.shown(datetime.datetime.fromisoformat(f"{moment}+00:00")) == shown.replace(
        "(", "Here ("
    )


@pytest.mark.parametrize(
    ("zone", "shown"),
    [
        pytest.param(zone_of_definition(definition("UTC", rule())), "09:00 UTC", id="UTC"),
        pytest.param(
            zone_of_definition(definition("tzone://Microsoft/Custom", rule(minutes=-60))),
            "10:00 UTC+01:00",
            id="of the user",
        ),
        pytest.param(
            zone_of_structure(structure(-60), "(UTC+01:00) Berlin, Rome"),
            "10:00 Berlin, Rome (UTC+01:00)",
            id="places",
        ),
        pytest.param(zone_of_structure(structure(-60), ""), "10:00 UTC+01:00", id="no places"),
        pytest.param(UTC, "09:00 UTC", id="none stated"),
    ],
)
def test_a_zone_has_a_name_where_it_says_one(zone: TimeZone, shown: str) -> None:
    assert (
        zone.shown(datetime.datetime(2024, 3, 5, 9, tzinfo=datetime.UTC)) == f"2024-03-05 {shown}"
    )


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="empty"),
        pytest.param(definition("Here"), id="no rule"),
        pytest.param(definition("Here", rule())[:-1], id="cut off"),
        pytest.param(definition("Here", rule())[:20], id="without rules"),
        pytest.param(b"\1" + definition("Here", rule())[1:], id="of another version"),
        pytest.param(definition("Here", rule(minutes=99_999)), id="no day has so many minutes"),
        pytest.param(
            definition("Here", rule(winter=switch(13, 0, 1, 2), summer=switch(3, 0, 1, 2))),
            id="no month",
        ),
        pytest.param(
            definition("Here", rule(winter=switch(10, 0, 1, 25), summer=switch(3, 0, 1, 2))),
            id="no hour",
        ),
        pytest.param(
            definition("Here", rule(winter=switch(10, 0, 9, 3, 2024), summer=switch(3, 0, 1, 2))),
            id="a day of one year",
        ),
    ],
)
def test_what_is_no_zone_is_none(content: bytes) -> None:
    assert zone_of_definition(content) is None
    assert zone_of_structure(content, "Here") is None


def test_a_year_that_is_none_of_ours_is_told() -> None:
    zone = zone_of_definition(definition("Here", rule(minutes=-60)))

    assert zone is not None
    with pytest.raises(OverflowError):
        zone.shown(datetime.datetime.max.replace(tzinfo=datetime.UTC))
