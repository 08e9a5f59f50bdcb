"""Marks for tests that need LibreOffice, whose programs are installed one by one."""

import pytest

from indexing.partition.office.libreoffice import find_soffice


def has_calc() -> bool:
    """Tell whether it can compute spreadsheets."""
    soffice = find_soffice()
    # The library of Calc lies beside the program itself, to which the command leads.
    return soffice is not None and (soffice.resolve().parent / "libsclo.so").exists()


needs_libreoffice = pytest.mark.skipif(
    find_soffice() is None, reason="LibreOffice is not installed"
)
needs_calc = pytest.mark.skipif(not has_calc(), reason="LibreOffice Calc is not installed")
