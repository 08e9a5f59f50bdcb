from pathlib import Path

import pytest

from indexing.partition.mail.mailbox import is_mailbox, mails_in

BEGIN = "From ann@example.com Tue Mar  5 09:10:00 2013\n"
THUNDERBIRD = "From - Tue Mar 05 09:10:00 2013\n"
GMAIL = "From 1234@xxx Tue Mar 05 09:10:00 +0000 2013\n"


def written(path: Path, text: str) -> Path:
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize("begin", [BEGIN, THUNDERBIRD, GMAIL])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_mails_of_a_mailbox_are_parted(begin: str, line_end: str, tmp_path: Path) -> None:
    mails = [f"{begin}Subject: {n}\n\nThe lamps.\n\n" for n in range(3)]
    path = written(tmp_path / "a.mbox", "".join(mails).replace("\n", line_end))

    read = [mail.decode().replace(line_end, "\n") for mail in mails_in(path)]

    assert is_mailbox(path)
    assert read == mails


def test_lines_that_look_like_another_mail_are_as_they_were_sent(tmp_path: Path) -> None:
    path = written(tmp_path / "a.mbox", f"{BEGIN}Subject: 1\n\n>From Ann\n>>From Ben\n> From Cy")

    (mail,) = mails_in(path)

    assert mail.decode().endswith("\n\nFrom Ann\n>From Ben\n> From Cy")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"{BEGIN}Subject: 1\n\nThe lamps.", id="a single mail"),
        pytest.param(f"Subject: 1\n\n{BEGIN}Subject: 2\n\n", id="no beginning"),
        pytest.param(f"{BEGIN}Subject: 1\n\nFrom 10:00 on\nLunch: soup", id="no time of arrival"),
        pytest.param(f"{BEGIN}Subject: 1\n\n{BEGIN}we heard nothing.", id="no heads"),
    ],
)
def test_what_only_looks_like_a_mailbox_is_none(text: str, tmp_path: Path) -> None:
    assert not is_mailbox(written(tmp_path / "a.eml", text))
