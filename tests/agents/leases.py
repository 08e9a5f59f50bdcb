"""Passages about leases, as the tests of grounded answers need them."""

from indexing.types import Chunk

TERM = Chunk(
    "ds_1_0",
    "ds_1",
    "harbour_light_lease.pdf",
    2,
    "The lease of Harbour Light Ltd ends on 31 March 2024. The monthly rent is 1,250.50 EUR.",
)
NOTICE = Chunk(
    "ds_2_0",
    "ds_2",
    "terms.pdf",
    5,
    "Termination requires three months' notice in writing to the landlord, see https://law.example.",
)
DEPOSIT = Chunk(
    "ds_3_0",
    "ds_3",
    "deposits.pdf",
    9,
    "The tenant Ocean Bakery pays a deposit of 3,750 EUR to the landlord within 14 days.",
)
LEASES = [TERM, NOTICE, DEPOSIT]
