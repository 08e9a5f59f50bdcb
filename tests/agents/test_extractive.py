from collections.abc import Callable, Sequence

import numpy as np
import pytest

from agents.extractive import Extract, extract
from indexing.embedding import MiniLMEmbedder, Vectors

LEASE = """3. Term
The lease begins on 1 April 2024 and ends on 31 March 2027, unless it is
terminated earlier under Art. 9.2 of this agreement. It may be renewed once for two years.

4. Rent
The monthly rent is EUR 1,250.50, payable in advance by the third working day of each month.
The tenant shall pay a deposit of three months' rent before moving in."""

SIGNATURES = """12. Signatures
For the landlord: Anna Berger, managing director
For the tenant: Thomas Reed
Done in Vienna on 12 March 2024."""

PRICES = """Item | Unit price | Stock
Hand truck | 89.00 | 14
Pallet jack | 310.00 | 6
Shelf, steel | 145.50 | 22"""

HANDOVER = """Handover of the flat
The tenant must bring the following documents:
- a valid passport or identity card
- the last three payslips
- proof of liability insurance
The keys are handed over by the caretaker on the first day of the lease."""

WARRANTY = """Warranty
Wear parts such as wheels and seals are not covered by the warranty. All other parts are covered
for 24 months from delivery. A claim is made in writing, and the serial number must be stated."""

PASSAGES = (LEASE, SIGNATURES, PRICES, HANDOVER, WARRANTY)


@pytest.fixture(scope="session")
def embed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Sequence[str]], Vectors]:
    return MiniLMEmbedder(tmp_path_factory.mktemp("models"), threads=1).embed
