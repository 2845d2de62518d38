"""Lets the published clients of other makers use the door: python -m prove.real.clients."""

import asyncio
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from prove.real.environments import FOLDER, clients_python
from tests.fakes.running import ModelSpec, a_running_parley
from tests.fakes.upstream import delta

HERE = Path(__file__).parent
GUIDE = HERE.parents[1] / "docs" / "guides" / "openai-clients.md"
CLIENTS = {
    "openai": "`openai` (Python)",
    "openai-node": "`openai` (Node)",
    "anthropic": "`anthropic` (Python), `/v1/messages`",
    "litellm": "LiteLLM",
    "langchain": "LangChain (`langchain-openai`)",
    "any_llm": "any-llm",
    "llm": "`llm`",
}
FEATURES = ("answer", "stream", "tools", "embeddings", "responses", "models", "errors")
MODELS = (
    ModelSpec("ada"),
    ModelSpec("tooly", capabilities=("text", "tools")),
    ModelSpec("vectors", capabilities=("embeddings",)),
)
CALL = {"index": 0, "id": "c1", "type": "function", "function": {"name": "add", "arguments": "{}"}}
VECTOR = "AAAAPwAAgD8="
"""0.5 and 1.0 in Base64, as clients ask for vectors unless they say otherwise."""


def commands() -> list[list[str]]:
    """Return what to run, and print what is left out."""
    ready = [[str(clients_python()), str(HERE / "client_calls.py")]]
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        print("skip openai-node: there is no Node here")
        return ready
    folder = FOLDER / "node"
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "node_modules" / "openai").is_dir():
        subprocess.run(
            [npm, "install", "--silent", "--no-audit", "--no-fund", "openai"], cwd=folder, check=True
        )
    script = shutil.copy(HERE / "client_calls.mjs", folder)
    return [*ready, [node, str(script)]]


def table(output: str) -> str:
    """Return the guide's table of what held."""
    held = {tuple(line.split()[1:3]) for line in output.splitlines() if line.startswith("ok")}
    lines = [["Client", *(feature.capitalize() for feature in FEATURES)], ["---"] * (len(FEATURES) + 1)]
    lines += [
        [title, *("yes" if (name, feature) in held else "–" for feature in FEATURES)]
        for name, title in CLIENTS.items()
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines).replace(" --- ", "---")


async def check() -> int:
    """Run the clients; return how many of their calls failed, and one more if the guide's table says otherwise."""
    wanted = commands()
    failed, said = 0, ""
    with tempfile.TemporaryDirectory(prefix="parley-clients-") as folder:
        async with a_running_parley(Path(folder), models=MODELS) as parley:
            up = parley.upstream
            up.reply("Hi ", "there", model="ada")
            used = {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}
            ends = delta(finish="tool_calls"), {**delta(), "choices": [], "usage": used}, "[DONE]"
            up.stream(delta(tool_calls=[CALL]), *ends, model="tooly")
            vector = {"object": "embedding", "index": 0, "embedding": VECTOR}
            usage = {"prompt_tokens": 1, "total_tokens": 1}
            up.answer(
                {"object": "list", "model": "vectors", "data": [vector], "usage": usage}, model="vectors"
            )
            for command in wanted:
                child = await asyncio.create_subprocess_exec(
                    *command, f"{parley.base_url}/v1", stdout=subprocess.PIPE
                )
                output, _ = await asyncio.wait_for(child.communicate(), 240)
                print(output.decode(), end="", flush=True)
                said += output.decode()
                failed += output.count(b"FAIL") + (child.returncode != 0)
    print(f"{failed} calls failed." if failed else "Every call holds.")
    if (seen := table(said)) not in GUIDE.read_text("utf-8"):
        print(f"{GUIDE.name} has another table than this:\n{seen}")
        failed += 1
    return failed


if __name__ == "__main__":
    sys.exit(1 if asyncio.run(check()) else 0)
