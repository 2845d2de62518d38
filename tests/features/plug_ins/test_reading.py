"""Plug-ins of YAML: the examples are read, and whatever is hostile is refused with its line and field."""

import time
from pathlib import Path
from typing import Any, cast

import pytest

from parley.features.lab.checks import plugged
from parley.features.plug_ins.fitting import check_fit
from parley.features.plug_ins.reading import PlugIn, decoded, read_source
from parley.features.usage.feature import MEASURES
from parley.features.usage.service import UsageService
from parley.kernel.errors import Invalid

EXAMPLES = sorted((Path(__file__).parents[3] / "examples" / "plug-ins").glob("*.yaml"))
NOTHING = cast("Any", None)

CHECK = "kind: check\nname: short\ntitle: Short\ncheck: {kind: length, most: 50}\n"
LENGTH = "{kind: length, most: 50}"
CARD = "kind: card\nname: cost\ntitle: Cost\ncard: {measure: cost, draw: bars, by: [model]}\n"
WORDS = "kind: words\nname: zonk\ntitle: Zonk\nwords: {terms: [zonk]}\n"
CONNECTOR = (
    "kind: connector\nname: ours\ntitle: Ours\nconnector: {base_url: 'https://models.example.org/v1'}\n"
)
VIEW = "kind: view\nname: v\ntitle: V\nview:\n  measure: cost\n  by: [day]\n  spec: {SPEC}\n"
SPEC = "{mark: bar, encoding: {x: {field: day}}}"


def a_view(spec: str) -> str:
    return VIEW.replace("{SPEC}", spec)


async def read(text: str | bytes) -> PlugIn:
    """Read a plug-in as an upload is read."""
    usage = UsageService(NOTHING, NOTHING, NOTHING, MEASURES, str)
    source = read_source(decoded(text) if isinstance(text, bytes) else text)
    await check_fit(source, usage)
    return source.plug_in


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
async def test_the_examples_are_read(path: Path) -> None:
    plug_in = await read(path.read_bytes())  # noqa: ASYNC240 - a small file of the repository
    assert plug_in.name == path.stem


def test_there_is_an_example_of_each_kind() -> None:
    kinds = {read_source(path.read_text("utf-8")).plug_in.kind for path in EXAMPLES}
    assert kinds == {"connector", "check", "card", "view", "words"}


@pytest.mark.parametrize("text", [CHECK, CARD, WORDS, CONNECTOR, a_view(SPEC), "\ufeff" + CHECK])
async def test_what_the_hostile_ones_are_made_from_is_taken(text: str) -> None:
    assert (await read(text)).content


BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\n"

HOSTILE: dict[str, tuple[str | bytes, str]] = {
    # what YAML can do
    "a bomb of aliases": (BOMB + CHECK, "Line 2: "),
    "one alias": ("kind: check\nname: &n short\ntitle: *n\ncheck: {kind: refusal}\n", "aliases"),
    "an alias of itself": (CHECK + "about: &a [*a]\n", "aliases"),
    "a merge key": (CHECK.replace("{kind", "{<<: {negate: true}, kind"), "merge keys"),
    "a tag of Python": (CHECK + "about: !!python/object/apply:os.system [id]\n", "Line 5"),
    "a tag of Python, plain": (CHECK + "about: !!python/name:os.system x\n", "Line 5"),
    "a tag of one's own": (CHECK + "about: !x y\n", "tag"),
    "binary": (CHECK + "about: !!binary aGk=\n", "tag"),
    "a set": (CHECK + "about: !!set {a, b}\n", "tag"),
    "a key twice": (CHECK + "title: Other\n", "“title” appears twice"),
    "a key twice within": (CHECK.replace("most: 50", "most: 50, most: 60"), "“most” appears twice"),
    "two documents": (CHECK + "---\n" + CHECK, "Line 5"),
    "a key that is a list": (CHECK + "? [a, b]\n: c\n", "a key must be a plain word"),
    "nested without end": (CHECK.replace("{kind", "{x: " + "[" * 5_000 + "]" * 5_000 + ", kind"), "nested"),
    "nested deeply": (CHECK.replace("{kind", "{x: " + "[" * 30 + "]" * 30 + ", kind"), "nested too deeply"),
    "no end of a quotation": (CHECK + 'about: "open\n', "not valid YAML"),
    "a tab": (CHECK + "\tabout: x\n", "not valid YAML"),
    "a list": ("- kind: check\n", "not a plug-in"),
    "a word": ("check", "not a plug-in"),
    "nothing": ("# only a comment\n", "not a plug-in"),
    # bytes
    "a huge file": (CHECK + "# " + "x" * 40_000, "at most 32 kB"),
    "a huge file of few characters": (CHECK + "# " + "😀" * 10_000, "at most 32 kB"),
    "NUL": (CHECK + "about: a\0b\n", "U+0000"),
    "NUL, written out": (CHECK + 'about: "a\\0b"\n', "Line 5, about: has the character U+0000"),
    "NUL in a key": (CHECK.replace("{kind", '{"a\\0": 1, kind'), "U+0000"),
    "half of a character": (CHECK + 'about: "\\ud800"\n', "about"),
    "a bell": (CHECK + "about: a\x07b\n", "U+0007"),
    "UTF-16": (CHECK.encode("utf-16"), "not UTF-8"),
    "Latin-1": ((CHECK + "about: é\n").encode("latin-1"), "not UTF-8"),
    "lost characters": (CHECK + "about: a\ufffdb\n", "U+FFFD"),
    # the head
    "no kind": ("name: a\ntitle: A\n", "“kind” is missing"),
    "an unknown kind": (CHECK.replace("kind: check", "kind: chek", 1), "did you mean “check”"),
    "a kind that is a list": (CHECK.replace("kind: check", "kind: [check]", 1), "no such kind"),
    "an unknown key": (CHECK + "script: rm\n", "Line 5, script: isn't known"),
    "another kind's part": (CHECK + "card: {measure: cost}\n", "Line 5, card: belongs to another kind"),
    "no part": ("kind: check\nname: a\ntitle: A\n", "check: is missing"),
    "a path as a name": (CHECK.replace("name: short", "name: ../../etc/passwd"), "Line 2, name"),
    "capitals in a name": (CHECK.replace("name: short", "name: Short"), "Line 2, name"),
    "a number as a name": (CHECK.replace("name: short", "name: 12"), "Line 2, name"),
    "a long name": (CHECK.replace("name: short", "name: " + "a" * 64), "Line 2, name"),
    "an empty title": (CHECK.replace("title: Short", "title: ''"), "Line 3, title"),
    "a title to be calculated": (CHECK.replace("title: Short", "title: '=HYPERLINK(1)'"), "formula"),
    "a title with an override": (CHECK.replace("Short", '"a\\u202eb"'), "Line 3, title"),
    "an unseen title": (CHECK.replace("title: Short", 'title: "\\u2800"'), "Line 3, title"),
    # checks
    "an unknown check": (CHECK.replace("length", "lenght"), "did you mean “length”"),
    "an unknown setting of a check": (CHECK.replace("most: 50", "mots: 50"), "check.mots: isn't known"),
    "a wrong type in a check": (CHECK.replace("most: 50", "most: many"), "Line 4, check"),
    "a pattern that can't be read": (CHECK.replace(LENGTH, "{kind: regex, pattern: '('}"), "Line 4"),
    "Python that can't be read": (CHECK.replace(LENGTH, "{kind: python, code: 'def'}"), "Line 4"),
    "a check that nobody installed": (CHECK.replace(LENGTH, "{kind: plugin, name: x}"), "named “x”"),
    "infinity": (CHECK.replace("most: 50", "most: .inf"), "too large"),
    "not a number": (CHECK.replace("most: 50", "most: .nan"), "too large"),
    "a huge number": (CHECK.replace("most: 50", "most: " + "9" * 400), "too large"),
    # cards
    "an unknown measure": (CARD.replace("measure: cost", "measure: secrets"), "card.measure: there is no measure"),
    "an unknown group": (CARD.replace("[model]", "[password]"), "card.by"),
    "too many groups": (CARD.replace("[model]", "[day, model, mode, person]"), "card.by"),
    "an unknown filter": (CARD.replace("draw", "where: {password: [x]}, draw"), "card.where"),
    "two filters in one": (CARD.replace("draw", "where: {model: ['a,person:b']}, draw"), "comma"),
    "an unknown column": (CARD.replace("draw", "value: sum, draw"), "card.value"),
    "a formula": (CARD.replace("draw", "formula: cost / turns, draw"), "card.formula: isn't known"),
    "SQL": (CARD.replace("draw", "sql: select 1, draw"), "card.sql: isn't known"),
    "a drawing that isn't known": (CARD.replace("bars", "pie"), "card.draw"),
    "everybody's card by a wrong word": (CARD.replace("draw", "of: all, draw"), "card.of"),
    "a text for a list": (CARD.replace("[model]", "model"), "card.by"),
    # providers
    "a key in a provider": (CONNECTOR.replace("}", ", api_key: s}"), "connector.api_key: isn't known"),
    "a script as an address": (CONNECTOR.replace("https://models.example.org/v1", "javascript:x"), "web address"),
    "a file as an address": (CONNECTOR.replace("https://models.example.org/v1", "file:///etc/passwd"), "web address"),
    "a password in an address": (CONNECTOR.replace("https://", "https://a:b@"), "password"),
    "a script as a link": (CONNECTOR.replace("}", ", key_url: 'javascript:x'}"), "connector.key_url"),
    "like nobody": (CONNECTOR.replace("}", ", like: nobody}"), "connector.like"),
    "the name of a known provider": (CONNECTOR.replace("name: ours", "name: ollama"), "already"),
    # word lists
    "an empty list": (WORDS.replace("[zonk]", "[]"), "words.terms"),
    "a list of blanks": (WORDS.replace("[zonk]", "['  ']"), "words.terms"),
    "a pattern that can't be used": (WORDS.replace("[zonk]", "['(?=x)'], patterns: true"), "words.terms"),
    "a verdict that isn't known": (WORDS.replace("[zonk]", "[zonk], verdict: ban"), "words.verdict"),
    "yes for true": (WORDS.replace("[zonk]", "[zonk], patterns: yes"), "words.patterns"),
    # views
    "data of its own": (a_view("{mark: bar, data: {values: [1]}}"), "data: must not have data"),
    "data from an address": (a_view("{mark: bar, data: {url: 'https://x.org/a.json'}}"), "data"),
    "data of a layer": (a_view("{layer: [{mark: bar, data: {url: /api/me}}]}"), "layer.0.data"),
    "data of a lookup": (a_view("{mark: bar, transform: [{lookup: a, from: {data: {url: x}}}]}"), "transform.0"),
    "named data": (a_view("{mark: bar, datasets: {a: [1]}}"), "datasets"),
    "a loader": (a_view("{mark: bar, loader: {baseURL: 'x'}}"), "loader"),
    "a link": (a_view("{mark: {type: bar, href: x}}"), "mark.href: must not be a link"),
    "a link in an encoding": (a_view("{mark: bar, encoding: {href: {field: day}}}"), "encoding.href"),
    "an address in an encoding": (a_view("{mark: bar, encoding: {url: {field: day}}}"), "encoding.url"),
    "a picture": (a_view("{mark: image}"), "isn't a mark"),
    "a picture of a layer": (a_view("{layer: [{mark: {type: image}}]}"), "layer.0.mark"),
    "a map": (a_view("{mark: geoshape}"), "isn't a mark"),
    "a calculation": (a_view("{mark: bar, transform: [{calculate: 'datum.x', as: y}]}"), "expression"),
    "an expression as a filter": (a_view("{mark: bar, transform: [{filter: 'true'}]}"), "expression"),
    "expressions as a filter": (a_view("{mark: bar, transform: [{filter: {and: ['true']}}]}"), "expression"),
    "an expression as a test": (a_view("{mark: bar, encoding: {x: {condition: {test: '1', value: 1}}}}"), "test"),
    "an expression for a label": (a_view("{mark: bar, encoding: {x: {axis: {labelExpr: '1'}}}}"), "labelExpr"),
    "an expression for a value": (a_view("{mark: {type: bar, width: {expr: '1'}}}"), "expr"),
    "a signal": (a_view("{mark: bar, width: {signal: '1'}}"), "signal"),
    "a parameter": (a_view("{mark: bar, params: [{name: a}]}"), "params"),
    "an event": (a_view("{mark: bar, config: {on: x}}"), "config.on"),
    "Vega instead": (a_view("{marks: [], scales: []}"), "isn't known"),
    "an address in a text": (a_view("{mark: bar, title: 'https://x.org'}"), "address"),
    "a huge picture": (a_view("{mark: bar, width: 1000000}"), "width"),
    "a tick for each second": (a_view("{mark: bar, config: {axis: {tickCount: {interval: second}}}}"), "interval"),
    "many ticks": (a_view("{mark: bar, config: {axis: {tickCount: 1000000000}}}"), "tickCount"),
    "endless bins": (a_view("{mark: bar, encoding: {x: {bin: {step: 1.0e-12}, field: cost_usd}}}"), "step"),
    "many values": (a_view("{mark: bar, title: [" + "a," * 2_500 + "]}"), "2,000"),
    "a spec that is a text": (a_view("'{}'"), "view.spec"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
async def test_what_is_hostile_is_refused_in_words_that_name_the_place(name: str) -> None:
    text, place = HOSTILE[name]
    began = time.process_time()
    with pytest.raises(Invalid) as refused:
        await read(text)
    assert place in refused.value.title
    assert refused.value.field == "text"
    assert refused.value.detail == "Nothing was saved."
    assert len(refused.value.title) < 900
    assert time.process_time() - began < 2


def test_there_are_more_than_fifty_hostile_ones() -> None:
    assert len(HOSTILE) > 50


async def test_a_check_of_an_installed_plug_in_is_taken() -> None:
    async def never(*_: object) -> Any:
        raise AssertionError

    plugged.install({"x": never})
    try:
        assert await read(CHECK.replace(LENGTH, "{kind: plugin, name: x}"))
    finally:
        plugged.install({})
