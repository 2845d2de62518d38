"""Writes a promptfooconfig.yaml."""

from collections.abc import Mapping, Sequence
from typing import Any

from parley.features.lab.checks.contract import CheckSpec
from parley.features.lab.promptfoo.assertions import assertion_of
from parley.features.lab.promptfoo.cases import MARK, filled
from parley.features.lab.promptfoo.sources import NotTaken


def write_config(
    name: str,
    prompts: Sequence[Sequence[tuple[str, str]]],
    models: Sequence[str],
    rows: Sequence[tuple[Mapping[str, object], str | None]],
    checks: Sequence[CheckSpec],
    *,
    defaults: Mapping[str, str] | None = None,
    door: str | None = None,
) -> str:
    """Return the file of prompts, models, rows (values and expected answer) and checks.

    Checks that promptfoo does not know are named in comments at the top. A row's expected value is its variable
    `expected`. `defaults` are values of variables where a row has none. With `door`, the models are asked at this
    address of OpenAI's dialect.
    """
    import msgspec
    import yaml

    shared: list[dict[str, object]] = []
    some: dict[str, list[dict[str, object]]] = {}
    missing: list[str] = []
    for check in checks:
        try:
            (some.setdefault(check.when, []) if check.when else shared).append(assertion_of(check))
        except NotTaken as reason:
            missing.append(f"# Not exported: {reason}.\n")
    texts = [
        prompt[0][1]
        if len(prompt) == 1 and prompt[0][0] == "user"
        else msgspec.json.encode([{"role": role, "content": text} for role, text in prompt]).decode()
        for prompt in prompts
    ]
    document: dict[str, object] = {
        "description": name,
        "prompts": texts,
        "providers": [_provider(model, door) for model in models] or ["echo"],
    }
    usual = ({"vars": dict(defaults)} if defaults else {}) | ({"assert": shared} if shared else {})
    if usual:
        document["defaultTest"] = usual
    document["tests"] = [_test(values, expected, some) for values, expected in rows]
    return "".join(missing) + yaml.dump(document, Dumper=_dumper(), sort_keys=False, allow_unicode=True)


def _test(
    values: Mapping[str, object], expected: str | None, some: Mapping[str, list[dict[str, object]]]
) -> dict[str, object]:
    """Return a row's test: its values, and the assertions of the checks that are for it."""
    plain = {name: value for name, value in values.items() if not name.startswith(MARK)}
    own = [filled(assertion, values) for mark, each in some.items() if values.get(mark) for assertion in each]
    test: dict[str, object] = {"vars": {**plain, **({} if expected is None else {"expected": expected})}}
    return {**test, "assert": own} if own else test


def _provider(model: str, door: str | None) -> object:
    return model if door is None else {"id": f"openai:chat:{model}", "config": {"apiBaseUrl": door}}


def _dumper() -> Any:
    """Return a dumper that writes texts of several lines as blocks."""
    import yaml

    class Dumper(yaml.SafeDumper):
        """Of this file only: the library's representers are those of a class."""

        def ignore_aliases(self, data: object) -> bool:
            """Write equal values out: an anchor is hard to read."""
            del data
            return True

    def text(dumper: Any, value: str) -> Any:
        style = "|" if "\n" in value else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)

    Dumper.add_representer(str, text)
    return Dumper
