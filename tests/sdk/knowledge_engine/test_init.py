"""The public face of the SDK."""

import subprocess
import sys

import knowledge_engine


def test_public_names_are_these() -> None:
    names = {name for name in vars(knowledge_engine) if name[0].isupper()}

    assert names == set(knowledge_engine.__all__)
    assert sorted(knowledge_engine.__all__) == knowledge_engine.__all__


def test_sdk_loads_nothing_of_the_service() -> None:
    code = (
        "import sys, knowledge_engine;"
        "print({name.partition('.')[0] for name in sys.modules} & "
        "{'app', 'config', 'indexing', 'agents', 'extraction', 'sqlalchemy', 'quart'})"
    )

    assert subprocess.run([sys.executable, "-c", code], capture_output=True).stdout == b"set()\n"
