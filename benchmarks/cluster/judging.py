"""What must hold when the load has stopped, beyond what `benchmarks.kills.invariants` checks."""

import time
from contextlib import suppress
from typing import Any

import httpx
import obstore
import psycopg
from obstore.store import S3Store

from benchmarks.cluster.members import API_PORT, BUCKET, Members, storage_environment
from benchmarks.kills.invariants import (
    check_chunks,
    check_database,
    check_ledger,
    select_engine_ids,
    select_rows,
)
from benchmarks.kills.ledger import Ledger
from benchmarks.kills.load import REQUEST_SECONDS, TOP_K

SETTLE_SECONDS = 120.0


def settle(members: Members) -> float:
    """Wait until nothing is left to do; return how many seconds that took."""
    statement = (
        "SELECT (SELECT count(*) FROM data_source WHERE status = 'processing')"
        " + (SELECT count(*) FROM procrastinate_jobs) AS left_to_do"
    )
    began = time.monotonic()
    while time.monotonic() < began + SETTLE_SECONDS:
        with suppress(psycopg.OperationalError), members.database() as database:
            if select_rows(database, statement)[0]["left_to_do"] == 0:
                break
        time.sleep(0.5)
    return time.monotonic() - began


def judge(members: Members, ledger: Ledger, key: str) -> list[str]:
    """Return what is wrong with what is left."""
    with members.database() as database:
        wrong = check_ledger(database, ledger) + check_database(database)
        for engine_id in select_engine_ids(database):
            wrong += check_chunks(database, engine_id)
        wrong += _check_bucket(database, members.s3_address)
    for host in members.apis:
        wrong += _check_words(f"http://{host.address}:{API_PORT}", ledger, key)
    return wrong


def _check_bucket(database: psycopg.Connection[dict[str, Any]], address: str) -> list[str]:
    """Check that each stored file is claimed, or noted as unclaimed."""
    keys = {name.lower(): text for name, text in storage_environment(address).items()}
    store = S3Store(BUCKET, prefix="files", config=keys)
    files = {one["path"] for some in obstore.list(store) for one in some}
    claimed = {
        row["key"] for row in select_rows(database, "SELECT blob_key AS key FROM data_source")
    }
    noted = {row["key"] for row in select_rows(database, "SELECT key FROM unclaimed_file")}
    wrong = [f"stored file that nothing claims: {key}" for key in files - claimed - noted]
    return wrong + [f"data source without its file: {key}" for key in claimed - files]


def _check_words(address: str, ledger: Ledger, key: str) -> list[str]:
    """Search at one host for the own word of each document that must be there."""
    wrong = []
    with httpx.Client(base_url=address, auth=(key, ""), timeout=REQUEST_SECONDS) as client:
        for given_id, one in ledger.live_documents().items():
            body = {"query": one.word, "top_k": TOP_K, "data_source_id": given_id}
            response = client.post(f"/api/v1/knowledge-engines/{one.engine_id}/retrieve", json=body)
            chunks = response.json().get("chunks", [])
            pages = [x["page_number"] for x in chunks if one.word in x["content"].lower()]
            if not pages or one.page not in (None, *pages):
                wrong.append(f"{given_id} ({one.name}) at {address}: {one.word!r} is on {pages}")
    return wrong
