import io
import zipfile

from indexing.partition.office.zip_names import open_zip


def test_members_in_folders_of_windows_are_found_by_the_names_of_all_others() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as writer:
        for name in ("word\\document.xml", "word\\_rels\\document.xml.rels", "plain"):
            member = zipfile.ZipInfo("new")
            member.filename = name
            writer.writestr(member, name)

    with open_zip(file) as package:
        assert package.namelist() == [
            "word/document.xml",
            "word/_rels/document.xml.rels",
            "plain",
        ]
        assert package.read("word/document.xml") == b"word\\document.xml"


def test_what_is_in_a_folder_goes_before_what_windows_would_put_there() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as writer:
        for name in ("word/document.xml", "word\\document.xml"):
            member = zipfile.ZipInfo("new")
            member.filename = name
            writer.writestr(member, name)

    with open_zip(file) as package:
        assert package.read("word/document.xml") == b"word/document.xml"
