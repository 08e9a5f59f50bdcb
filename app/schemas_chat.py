"""Chat completions as OpenAI's clients write and read them, as far as this service knows them."""

import re
from itertools import pairwise
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field, field_validator
from pydantic_core import PydanticCustomError

from agents.history import MAX_TURNS, Turn
from app.models.knowledge_engine import KnowledgeEngine
from app.models.workflow import Workflow
from app.schemas import NAME_LENGTH, RequestBody
from app.schemas_workflows import QueryRequest
from config.model_table import AUTO

# What OpenAI calls these errors, by their status.
_CODES = {401: "invalid_api_key", 404: "model_not_found"}

_NUMBER = re.compile(r"\s?\[\d{1,3}\]")


class TextPart(RequestBody):
    """A part of a message; pictures and sounds are refused, for nobody would look at them."""

    type: Literal["text"]
    text: str


def _as_parts(content: Any) -> Any:
    if content is None:
        return []
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


Content = Annotated[
    list[TextPart],
    BeforeValidator(_as_parts, json_schema_input_type=str | list[TextPart] | None),
]


class ChatMessage(RequestBody):
    """A message; of other roles than `user` and `assistant` nothing is read."""

    role: str
    content: Content = Field(default_factory=list)

    @property
    def text(self) -> str:
        """What the message says."""
        return "\n".join(part.text for part in self.content).strip()


class StreamOptions(RequestBody):
    """What a stream says beside the answer."""

    include_usage: bool = False


class ChatCompletionRequest(RequestBody):
    """A question to an engine, in the form of a chat; what else OpenAI knows is passed over."""

    model: Annotated[str, Field(min_length=1)]  # "kng_…", or "kng_…#delta-5.4"
    messages: Annotated[list[ChatMessage], Field(min_length=1)]
    stream: bool = False
    stream_options: StreamOptions = StreamOptions()
    n: Annotated[int, Field(ge=1, le=1)] = 1
    advanced_reasoning: bool = False  # the service's own

    @field_validator("messages")
    @classmethod
    def _end_at_the_question(cls, messages: list[ChatMessage]) -> list[ChatMessage]:
        """Keep what was said up to the last message of the user."""
        said = [one for one in messages if one.role in ("user", "assistant") and one.text]
        while said and said[-1].role != "user":
            said.pop()
        if not said:
            raise PydanticCustomError("missing", "there is no question")
        return said

    @property
    def engine_id(self) -> str:
        """The engine that is asked."""
        return self.model.partition("#")[0]

    def question(self) -> QueryRequest:
        """Return the last message of the user, as a question to an engine."""
        query = self.messages[-1].text
        return QueryRequest(
            query=query,
            name=query[:NAME_LENGTH],
            model=self.model.partition("#")[2] or AUTO,
            advanced_reasoning=self.advanced_reasoning,
        )

    def turns(self) -> list[Turn]:
        """Return what was said before, as far as it counts: messages of the user with answers."""
        # Without the numbers of the sources, or the model would write such numbers itself.
        turns = [
            Turn(asked.text, _NUMBER.sub("", answered.text))
            for asked, answered in pairwise(self.messages)
            if (asked.role, answered.role) == ("user", "assistant")
        ]
        return turns[-MAX_TURNS:]


class UrlCitation(BaseModel):
    """Where a statement comes from; `content[start_index:end_index]` is the number behind it."""

    start_index: int
    end_index: int
    url: str
    title: str


class Annotation(BaseModel):
    """A citation of an answer."""

    type: Literal["url_citation"] = "url_citation"
    url_citation: UrlCitation


class ChatAnswer(BaseModel):
    """The message that answers."""

    role: Literal["assistant"] = "assistant"
    content: str
    refusal: None = None
    annotations: list[Annotation]


class Choice(BaseModel):
    """The one answer there is."""

    index: Literal[0] = 0
    message: ChatAnswer
    logprobs: None = None
    finish_reason: Literal["stop"] = "stop"


class TokenUsage(BaseModel):
    """The tokens of all steps of an answer."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int

    @classmethod
    def from_workflow(cls, workflow: Workflow) -> "TokenUsage":
        assert workflow.usage is not None
        prompt = workflow.usage["prompt_tokens"]
        completion = workflow.usage["completion_tokens"]
        return cls(
            prompt_tokens=prompt,
            completion_tokens=completion,
            total_tokens=prompt + completion,
        )


class ChatCompletion(BaseModel):
    """A whole answer; its `id` is the conversation that its workflow is the only one of."""

    id: str
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    model: str
    choices: list[Choice]
    usage: TokenUsage


class ModelObject(BaseModel):
    """An engine, as a model that can be asked."""

    id: str
    object: Literal["model"] = "model"
    created: int
    owned_by: Literal["knowledge-engine"] = "knowledge-engine"
    name: str

    @classmethod
    def from_engine(cls, engine: KnowledgeEngine) -> "ModelObject":
        return cls(id=engine.id, created=int(engine.created_at.timestamp()), name=engine.name)


class ModelList(BaseModel):
    """The engines of an account."""

    object: Literal["list"] = "list"
    data: list[ModelObject]


class ChatError(BaseModel):
    """What went wrong."""

    message: str
    type: str
    param: None = None
    code: str | None


class ChatErrorResponse(BaseModel):
    """Every error of these endpoints."""

    error: ChatError

    @classmethod
    def of(cls, message: str, status_code: int) -> "ChatErrorResponse":
        kind = "server_error" if status_code >= 500 else "invalid_request_error"
        code = _CODES.get(status_code)
        return cls(error=ChatError(message=message, type=kind, code=code))
