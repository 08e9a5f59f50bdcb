"""Iterates LiteLLM and does nothing else: what the service is compared with.

Reads lines of JSON, `{"count": 100, "interval_ms": 5, "pauses": [0, 0.5]}`, a pause for each stream
before it begins, and answers each line with one.
"""

import asyncio
import json
import sys
import time
from typing import Any

from benchmarks.token_server import tokens_in, wish
from config.settings import prepare_library_environment


def main() -> None:
    prepare_library_environment()
    import litellm

    litellm.suppress_debug_info = True
    with asyncio.Runner() as runner:
        for line in sys.stdin:
            order = json.loads(line)
            print(json.dumps(runner.run(_read_all(sys.argv[1], **order))), flush=True)


async def _read_all(
    api_base: str, count: int, interval_ms: int, pauses: list[float]
) -> dict[str, object]:
    cpu_began = time.process_time()
    question = wish(count, interval_ms)
    read = await asyncio.gather(*(_read(api_base, question, pause) for pause in pauses))
    return {"streams": read, "cpu_seconds": time.process_time() - cpu_began}


async def _read(api_base: str, question: str, pause: float) -> dict[str, Any]:
    import litellm

    await asyncio.sleep(pause)
    tokens: list[tuple[int, float]] = []
    first_ms = 0.0
    began = time.monotonic()
    response = await litellm.acompletion(
        model="openai/loopback",
        api_base=api_base,
        api_key="none",
        messages=[{"role": "user", "content": question}],
        stream=True,
    )
    async for part in response:
        if text := part.choices[0].delta.content:
            tokens += tokens_in(text, time.monotonic_ns())
            first_ms = first_ms or (time.monotonic() - began) * 1000
    return {"tokens": tokens, "first_ms": first_ms, "is_done": True}


if __name__ == "__main__":
    main()
