"""Iterates LiteLLM and sends each token on: what the way over HTTP costs without the service.

`POST /` with `{"query": …}` is answered with an event for each token, and one at the end.
"""

import asyncio
import json
import sys
from typing import Any

from granian.constants import Interfaces
from granian.server.embed import Server

from config.settings import prepare_library_environment


async def _serve(api_base: str, port: int) -> None:
    prepare_library_environment()
    import litellm

    litellm.suppress_debug_info = True

    async def app(scope: Any, receive: Any, send: Any) -> None:
        async def send_on(body: bytes, *, more: bool = True) -> None:
            await send({"type": "http.response.body", "body": body, "more_body": more})

        question = json.loads((await receive())["body"])["query"]
        headers = [(b"content-type", b"text/event-stream")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        response = await litellm.acompletion(
            model="openai/loopback",
            api_base=api_base,
            api_key="none",
            messages=[{"role": "user", "content": question}],
            stream=True,
        )
        async for part in response:
            if text := part.choices[0].delta.content:
                await send_on(f"event: message\ndata: {json.dumps(text)}\n\n".encode())
        await send_on(b"event: done\ndata: {}\n\n", more=False)

    await Server(
        app,
        port=port,
        interface=Interfaces.ASGINL,
        websockets=False,
        log_enabled=False,
    ).serve()


if __name__ == "__main__":
    asyncio.run(_serve(sys.argv[1], int(sys.argv[2])))
