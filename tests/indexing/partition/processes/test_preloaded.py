import json
import subprocess
import sys
from pathlib import Path

FILES = Path(__file__).parents[3] / "files"

READ_ALL = """
import gc, json, sys
from pathlib import Path
import indexing.partition.processes.preloading
from indexing.partition.formats import DocumentFormat
from indexing.partition.reader import READERS, open_document
for module, _ in READERS.values():
    __import__(module)
import indexing.partition.processes.preloaded
assert gc.isenabled()
loaded, late = set(sys.modules), {}
for path in map(Path, sys.argv[1:]):
    for page in open_document(path, DocumentFormat(path.suffix[1:])).pages:
        pass
    if further := sorted(set(sys.modules) - loaded):
        late[path.name] = further
print(json.dumps(late))
"""


def test_reading_imports_nothing_that_is_not_loaded_by_then() -> None:
    names = (
        *("delivery-note-scan.pdf", "warehouse-lease.pdf", "receipt.png", "fax.tiff"),
        *("supplier-handbook.odt", "price-list.ods", "price-list.xls", "price-list.csv"),
        *("lamp-lore.epub", "opening-hours.html", "inventory-notes.md", "delivery.msg"),
    )
    command = [sys.executable, "-c", READ_ALL, *(str(FILES / name) for name in names)]

    done = subprocess.run(command, capture_output=True, text=True, check=True)

    assert json.loads(done.stdout.splitlines()[-1]) == {}
