"""promptfoo's files: the same verdicts as its own, what is not taken is listed, and the way back."""

from pathlib import Path

import msgspec
import pytest

from parley.features.lab.checks import contract
from parley.features.lab.checks.checking import apply
from parley.features.lab.checks.contract import CheckedAnswer, CheckSpec
from parley.features.lab.promptfoo.reading import Config, TakenRow, read_config
from parley.features.lab.promptfoo.writing import write_config
from parley.kernel.errors import Invalid

EXAMPLES = Path(__file__).parent / "promptfoo_examples"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.yaml"))


class Ended(msgspec.Struct):
    """A verdict of promptfoo 0.123.1, with its provider `echo`, which answers with the prompt."""

    test: int
    prompt: int
    output: object
    passed: bool


VERDICTS = msgspec.json.decode((EXAMPLES / "verdicts.json").read_bytes(), type=dict[str, list[Ended]])


def specs(config: Config) -> list[CheckSpec]:
    return [check.spec for check in config.checks]


async def passes(config: Config, row: TakenRow, output: str) -> bool:
    answer = CheckedAnswer(text=output, values=row.values, latency_ms=10, cost_micros=0)
    verdicts = [await apply(check, answer) for check in specs(config)]
    return all(verdict.passed is not False for verdict in verdicts)


@pytest.mark.parametrize("name", NAMES)
async def test_an_example_has_the_verdicts_of_promptfoo(name: str) -> None:
    config = read_config((EXAMPLES / f"{name}.yaml").read_text("utf-8"))
    assert config.not_taken == ()
    assert len(VERDICTS[name]) == len(config.rows) * len(config.prompts)
    for ended in VERDICTS[name]:
        output = ended.output if isinstance(ended.output, str) else msgspec.json.encode(ended.output).decode()
        assert await passes(config, config.rows[ended.test], output) is ended.passed, ended


@pytest.mark.parametrize("name", NAMES)
async def test_what_was_read_can_be_written_and_read_again(name: str) -> None:
    config = read_config((EXAMPLES / f"{name}.yaml").read_text("utf-8"))
    prompts = [prompt.messages for prompt in config.prompts]
    rows = [(row.values, None) for row in config.rows]
    text = write_config(name, prompts, config.models, rows, specs(config))
    if name == "10_mixed":
        assert text.startswith("# Not exported: “python” has no counterpart in promptfoo.\n")
        return
    again = read_config(text)
    assert [prompt.messages for prompt in again.prompts] == prompts
    for ended in VERDICTS[name]:
        output = ended.output if isinstance(ended.output, str) else msgspec.json.encode(ended.output).decode()
        assert await passes(again, again.rows[ended.test], output) is ended.passed, ended


def test_a_conversation_is_taken_as_messages() -> None:
    config = read_config((EXAMPLES / "08_chat.yaml").read_text("utf-8"))
    assert config.prompts[0].messages == (("system", "You are {{who}}."), ("user", "{{question}}"))
    assert config.models == ("echo",)


def test_what_is_not_taken_is_listed_with_its_line() -> None:
    config = read_config(
        """
prompts: [file://prompt.txt, "{{ name | upper }}", "Hello {{ name }}"]
providers: [{id: openai:gpt-4o, label: x, config: {temperature: 0}}, "anthropic:claude"]
outputPath: results.json
defaultTest: {options: {transform: output.trim()}}
tests:
  - {vars: {name: Ann}, threshold: 0.5, assert: [{type: similar, value: Hi}, {type: llm-rubric, value: polite},
     {type: contains, value: Ann, transform: "output.text"}, {type: equals, value: file://x.txt}]}
  - {vars: {name: "file://bob.py"}, assert: [{type: similar, value: Hi}]}
"""
    )
    assert config.models == ("openai:gpt-4o", "anthropic:claude")
    assert [prompt.messages[0][1] for prompt in config.prompts] == ["Hello {{name}}"]
    assert (config.checks, config.missing) == ((), ("prompt.txt", "x.txt"))
    assert [(it.line, it.text, it.count) for it in config.not_taken] == [
        (2, "prompt: the file “prompt.txt” is missing", 1),
        (2, "prompt {{ name | upper }}: uses filters or logic of templates", 1),
        (3, "settings of a provider are not used", 1),
        (4, "“outputPath” is not used", 1),
        (5, "“options” of a test is not used", 1),
        (7, "“threshold” of a test is not used", 1),
        (7, "similar: has no counterpart", 2),
        (7, "llm-rubric: needs a judge: choose its model", 1),
        (8, "contains: an answer can't be transformed before it is checked", 1),
        (8, "equals: the file “x.txt” is missing", 1),
        (9, "the variable “name”: “bob.py” is no text file that can be read", 1),
    ]


def test_files_of_prompts_and_judges_are_taken_where_they_can_be() -> None:
    text = "prompts: [file://prompts.txt]\ntests: [{assert: [{type: llm-rubric, value: polite}]}]"
    config = read_config(text, judge="my-judge", files={"prompts.txt": "One\n---\nTwo"})
    assert [prompt.messages[0][1] for prompt in config.prompts] == ["One", "Two"]
    assert specs(config) == [contract.JudgeRubric(model="my-judge", rubric="polite", least=0.5)]


def test_tests_and_values_are_read_from_files_and_their_lines_are_named() -> None:
    text = "prompts: ['{{a}}']\ntests: [file://more.yaml, file://rows.csv]"
    more = "- vars: {a: file://a.txt}\n- vars: {a: y}\n  assert:\n    - {type: regex, value: file://p.txt}\n"
    rows = 'a,__expected,__expected2,__metric\nx,"contains-any: x, y",not-icontains:z,M\n'
    rows += '"two\nlines",similar(0.8): q,,\n'
    files = {"more.yaml": more, "rows.csv": rows, "a.txt": "from a file", "p.txt": "^y"}
    config = read_config(text, files=files)
    assert [row.values["a"] for row in config.rows] == ["from a file", "y", "x", "two\nlines"]
    assert [(it.spec, it.file, it.line) for it in config.checks] == [
        (contract.Regex(pattern="{{for_check_1}}", when="for_check_1"), "more.yaml", 4),
        (contract.Contains(values=("x", "y"), match="any", label="M", when="for_check_2"), "rows.csv", 2),
        (
            contract.Contains(
                values=("{{for_check_3}}",), ignore_case=True, negate=True, label="M", when="for_check_3"
            ),
            "rows.csv",
            2,
        ),
    ]
    assert [(it.file, it.line, it.text) for it in config.not_taken] == [
        ("rows.csv", 3, "similar: has no counterpart")
    ]


def test_a_hundred_rows_with_a_value_each_share_a_check() -> None:
    tests = "\n".join(
        f"  - {{vars: {{n: {n}}}, assert: [{{type: contains, value: v{n}}}]}}" for n in range(100)
    )
    config = read_config(f"prompts: ['{{{{n}}}}']\ntests:\n{tests}")
    assert specs(config) == [contract.Contains(values=("{{for_check_1}}",), when="for_check_1")]
    assert config.rows[42].values == {"n": 42, "for_check_1": "v42"}


async def test_an_empty_value_is_no_mark_of_another_rows_value() -> None:
    tests = '[{assert: [{type: equals, value: ""}]}, {assert: [{type: equals, value: "x"}]}]'
    config = read_config(f"prompts: [p]\ntests: {tests}")
    assert [await passes(config, row, "") for row in config.rows] == [True, False]


def test_more_different_checks_than_a_prompt_takes_are_listed() -> None:
    tests = "\n".join(f"  - assert: [{{type: word-count, value: {n}}}]" for n in range(60))
    config = read_config(f"prompts: [p]\ntests:\n{tests}")
    assert len(config.checks) == 50
    assert [(it.text, it.count) for it in config.not_taken] == [
        ("there are more than 50 different checks", 10)
    ]


def test_dollar_signs_and_a_config_without_tests_are_taken() -> None:
    config = read_config("prompts: ['Is ${price} much?']\ndefaultTest: {vars: {x: 1}}")
    assert config.prompts[0].messages == (("user", "Is ${price} much?"),)
    assert [row.values for row in config.rows] == [{"x": 1}]


@pytest.mark.parametrize("text", ["prompts: [", "- a", "tests: []", "prompts: []"])
def test_other_files_are_refused(text: str) -> None:
    with pytest.raises(Invalid, match=r"Line 1|no promptfoo file|None of the prompts"):
        read_config(text)
