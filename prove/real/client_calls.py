"""Calls of the published Python clients against the door; runs in an environment of its own, with the base URL."""

# pyright: basic, reportMissingImports=false
import sys
from collections.abc import Callable
from typing import Any

BASE = sys.argv[1]
HELLO: list[Any] = [{"role": "user", "content": "Hello"}]
PARAMETERS = {"type": "object", "properties": {"a": {"type": "integer"}}}
ADD: Any = {"type": "function", "function": {"name": "add", "description": "Add", "parameters": PARAMETERS}}


def by_openai() -> dict[str, Callable[[], object]]:
    """Return the calls of OpenAI's client."""
    import openai

    client = openai.OpenAI(base_url=BASE, api_key="any", max_retries=0)
    chats = client.chat.completions
    return {
        "answer": lambda: chats.create(model="ada", messages=HELLO).choices[0].message.content,
        "stream": lambda: _text(chats.create(model="ada", messages=HELLO, stream=True)),
        "tools": lambda: (
            chats.create(model="tooly", messages=HELLO, tools=[ADD]).choices[0].message.tool_calls
        ),
        "embeddings": lambda: client.embeddings.create(model="vectors", input="x").data[0].embedding,
        "responses": lambda: client.responses.create(model="ada", input="x").output_text,
        "models": lambda: list(client.models.list()),
        "errors": lambda: _refused(lambda: chats.create(model="gone", messages=HELLO)),
    }


def by_anthropic() -> dict[str, Callable[[], object]]:
    """Return the calls of Anthropic's client."""
    import anthropic

    client = anthropic.Anthropic(base_url=BASE.removesuffix("/v1"), api_key="any", max_retries=0)
    tool: Any = {"name": "add", "input_schema": PARAMETERS}

    def stream() -> str:
        with client.messages.stream(model="ada", max_tokens=9, messages=HELLO) as answer:
            return "".join(answer.text_stream)

    return {
        "answer": lambda: client.messages.create(model="ada", max_tokens=9, messages=HELLO).content,
        "stream": stream,
        "tools": lambda: (
            client.messages.create(model="tooly", max_tokens=9, messages=HELLO, tools=[tool]).content
        ),
        "errors": lambda: _refused(
            lambda: client.messages.create(model="gone", max_tokens=9, messages=HELLO)
        ),
    }


def by_litellm() -> dict[str, Callable[[], object]]:
    """Return LiteLLM's calls."""
    import litellm

    place = {"api_base": BASE, "api_key": "any", "messages": HELLO}
    return {
        "answer": lambda: litellm.completion(model="openai/ada", **place).choices[0].message.content,
        "stream": lambda: _text(litellm.completion(model="openai/ada", stream=True, **place)),
        "tools": lambda: (
            litellm.completion(model="openai/tooly", tools=[ADD], **place).choices[0].message.tool_calls
        ),
        "embeddings": lambda: (
            litellm.embedding(model="openai/vectors", input=["x"], api_base=BASE, api_key="any").data
        ),
        "responses": lambda: (
            litellm.responses(model="openai/ada", input="x", api_base=BASE, api_key="any").output
        ),
        "errors": lambda: _refused(lambda: litellm.completion(model="openai/gone", **place)),
    }


def by_langchain() -> dict[str, Callable[[], object]]:
    """Return LangChain's calls."""
    from langchain_openai import ChatOpenAI, OpenAIEmbeddings

    place: Any = {"base_url": BASE, "api_key": "any", "max_retries": 0}
    embeds = OpenAIEmbeddings(model="vectors", check_embedding_ctx_length=False, **place)
    return {
        "answer": lambda: ChatOpenAI(model="ada", **place).invoke("Hello").content,
        "stream": lambda: "".join(str(it.content) for it in ChatOpenAI(model="ada", **place).stream("Hello")),
        "tools": lambda: ChatOpenAI(model="tooly", **place).bind_tools([ADD]).invoke("x").tool_calls,
        "embeddings": lambda: embeds.embed_query("x"),
        "responses": lambda: ChatOpenAI(model="ada", use_responses_api=True, **place).invoke("x").content,
        "errors": lambda: _refused(lambda: ChatOpenAI(model="gone", **place).invoke("Hello")),
    }


def by_any_llm() -> dict[str, Callable[[], object]]:
    """Return any-llm's calls."""
    from any_llm import completion, embedding, list_models, responses

    ask: Any = completion
    respond: Any = responses

    place: Any = {"provider": "openai", "api_base": BASE, "api_key": "any"}
    chat: Any = {**place, "messages": HELLO}
    return {
        "answer": lambda: ask(model="ada", **chat).choices[0].message.content,
        "stream": lambda: _text(ask(model="ada", stream=True, **chat)),
        "tools": lambda: ask(model="tooly", tools=[ADD], **chat).choices[0].message.tool_calls,
        "embeddings": lambda: embedding(model="vectors", inputs="x", **place).data,
        "responses": lambda: respond(model="ada", input_data="x", **place).output_text,
        "models": lambda: list_models(**place),
        "errors": lambda: _refused(lambda: ask(model="gone", **chat)),
    }


def by_llm() -> dict[str, Callable[[], object]]:
    """Return the calls of `llm`."""
    from llm.default_plugins.openai_models import Chat

    def add(a: int) -> str:
        """Add."""
        return str(a)

    model, tooly, gone = (Chat(name, model_name=name, api_base=BASE) for name in ("ada", "tooly", "gone"))
    for each in (model, tooly, gone):
        each.key, each.supports_tools = "any", True
    return {
        "answer": lambda: model.prompt("Hello", stream=False).text(),
        "stream": lambda: "".join(model.prompt("Hello", stream=True)),
        "tools": lambda: tooly.prompt("Hello", tools=[add], stream=False).tool_calls(),
        "errors": lambda: _refused(lambda: gone.prompt("Hello", stream=False).text()),
    }


def _refused(call: Callable[[], object]) -> bool:
    """Return whether the client says by its own error that there is no such model."""
    try:
        call()
    except Exception as error:
        return "NotFound" in type(error).__name__ and "gone" in str(error)
    return False


def _text(chunks: Any) -> str:
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks)


def main() -> None:
    """Make every call, and print a line for each."""
    for client in (by_openai, by_anthropic, by_litellm, by_langchain, by_any_llm, by_llm):
        name = client.__name__.removeprefix("by_")
        try:
            calls = client()
        except ImportError as error:
            print(f"skip {name}: {error}", flush=True)
            continue
        for feature, call in calls.items():
            try:
                seen = "ok  " if call() else "FAIL"
            except Exception as error:
                seen = f"FAIL {type(error).__name__}: {error}"[:300]
            print(f"{seen} {name} {feature}", flush=True)


main()
