"""Say whether a PDF opens: `python -m indexing.partition.pdf.check FILE` prints a word."""

from enum import StrEnum
from pathlib import Path

from indexing.partition.processes.file_check import say


class Verdict(StrEnum):
    OPENS = "opens"
    LOCKED = "locked"
    PROTECTED = "protected"
    DAMAGED = "damaged"
    EMPTY = "empty"
    DYNAMIC_FORM = "dynamic form"


def check_pdf(path: Path) -> Verdict:
    """Open the file, as its reading will do later."""
    import pypdfium2
    import pypdfium2.raw

    refusals = {
        pypdfium2.raw.FPDF_ERR_PASSWORD: Verdict.LOCKED,
        # By a certificate, or by what a publisher has of its own: no password opens it.
        pypdfium2.raw.FPDF_ERR_SECURITY: Verdict.PROTECTED,
    }
    try:
        with pypdfium2.PdfDocument(path) as pdf:
            if not len(pdf):
                return Verdict.EMPTY
            # Its pages are made by the program that shows it; the one in the file says just that.
            is_dynamic = pdf.get_formtype() == pypdfium2.raw.FORMTYPE_XFA_FULL and len(pdf) == 1
            return Verdict.DYNAMIC_FORM if is_dynamic else Verdict.OPENS
    except pypdfium2.PdfiumError as error:
        return refusals.get(error.err_code, Verdict.DAMAGED)


if __name__ == "__main__":
    say(check_pdf)
