import io

import pytest

from indexing.partition.mail.heads import decode_words, file_name, head_blocks, mail_heads, notice
from indexing.partition.mail.parts import mail_of
from indexing.types import Block, BlockKind


@pytest.mark.parametrize(
    ("value", "read"),
    [
        pytest.param("=?utf-8?B?SsO8cmdlbg==?= Falk", "Jürgen Falk", id="in base64"),
        pytest.param("=?x-unknown?Q?Ana?=", "Ana", id="in an unknown encoding"),
        pytest.param("=?utf-8?B?abcde?= Falk", "=?utf-8?B?abcde?= Falk", id="broken"),
    ],
)
def test_words_of_a_head_are_decoded(value: str, read: str) -> None:
    assert decode_words(value) == read


def test_subject_is_a_heading_and_the_other_heads_are_lines() -> None:
    mail = mail_of(io.BytesIO(b"Subject: Lamps\nTo: ann@x\nFrom: jim@x\nTo: ben@x\n\n"))

    assert mail_heads(mail) == [
        Block(BlockKind.HEADING, "Lamps"),
        Block(BlockKind.TEXT, "From: jim@x\nTo: ann@x, ben@x"),
    ]


def test_heads_that_say_nothing_are_left_out() -> None:
    assert head_blocks("", {"From": "", "To": ""}) == []


def test_notice_of_a_server_is_read_by_its_groups() -> None:
    report = b"Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx\n\nStatus: 5.1.1\n"

    blocks = notice(mail_of(io.BytesIO(report)))

    assert [block.text for block in blocks] == ["Reporting-MTA: dns; mx", "Status: 5.1.1"]


def test_name_of_a_file_is_read_though_nobody_can_use_it() -> None:
    mail = mail_of(io.BytesIO(b"Content-Disposition: attachment; filename=../../a.txt\n\n"))

    assert file_name(mail) == "../../a.txt"
