"""What LiteLLM loads within its first call, and the end of it, loaded by importing this instead.

A call is made on the event loop, where loading holds up everybody for half a second. Import this in
a thread. Nothing is sent: the answer is LiteLLM's own.
"""

import gc

import litellm
import litellm.integrations.otel.logger
import openai

_ = openai.AsyncOpenAI(api_key="none").chat.completions
_parts = litellm.completion(
    model="openai/none",
    mock_response="Ready.",
    messages=[{"role": "user", "content": "Ready?"}],
    stream=True,
)
for _part in _parts:
    pass
litellm.token_counter(model="", text="Ready.")

# What is loaded stays, so there is nothing in it to collect: looking through it takes a quarter of
# a second, time and again, with everybody waiting.
gc.freeze()
