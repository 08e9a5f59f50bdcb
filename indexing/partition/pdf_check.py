"""Say whether a PDF opens: `python -m indexing.partition.pdf_check FILE` prints a word.

A program of its own, because the file comes straight from outside and PDFium, which is written in
C, must not take the process that received it down.
"""

import resource
import sys
from enum import StrEnum
from pathlib import Path

from indexing.partition.confinement import confine

MEMORY_BYTES = 1 << 30
CPU_SECONDS = 20


class Verdict(StrEnum):
    OPENS = "opens"
    LOCKED = "locked"
    DAMAGED = "damaged"
    EMPTY = "empty"
    DYNAMIC_FORM = "dynamic form"


def check_pdf(path: Path) -> Verdict:
    """Open the file, as its reading will do later."""
    import pypdfium2
    import pypdfium2.raw

    try:
        with pypdfium2.PdfDocument(path) as pdf:
            if not len(pdf):
                return Verdict.EMPTY
            # Its pages are made by the program that shows it; the one in the file says just that.
            is_dynamic = pdf.get_formtype() == pypdfium2.raw.FORMTYPE_XFA_FULL and len(pdf) == 1
            return Verdict.DYNAMIC_FORM if is_dynamic else Verdict.OPENS
    except pypdfium2.PdfiumError as error:
        needs_password = error.err_code == pypdfium2.raw.FPDF_ERR_PASSWORD
        return Verdict.LOCKED if needs_password else Verdict.DAMAGED


if __name__ == "__main__":
    document = Path(sys.argv[1])
    confine(document)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    sys.stdout.write(check_pdf(document))
