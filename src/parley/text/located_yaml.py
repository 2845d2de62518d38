"""YAML that knows its lines: text in, plain data and the place of every value out."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias, cast

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

Path: TypeAlias = tuple[str | int, ...]

MAX_VALUES = 100_000
"""More values than this, counted with aliases written out, are refused."""


class TextPlace(NamedTuple):
    """A line and a column of the text; both count from 1."""

    line: int
    column: int


class Mistake(NamedTuple):
    """One thing that is wrong, and where."""

    place: TextPlace
    text: str


class LocatedError(ValueError):
    """Text that cannot be read. `line`, `column` and `text` tell of the first mistake, `mistakes` of all."""

    def __init__(self, *mistakes: Mistake) -> None:
        first = mistakes[0]
        self.line, self.column = first.place
        self.text = first.text
        self.mistakes = mistakes
        super().__init__(f"line {self.line}, column {self.column}: {self.text}")


class Located(NamedTuple):
    """A document: its data (dicts with text keys, lists and scalars), and the place of every value.

    `variables` are the names of the environment variables that a value uses.
    """

    data: object
    places: Mapping[Path, TextPlace]
    variables: Mapping[Path, frozenset[str]]

    def place(self, path: Path) -> TextPlace:
        """Return where the value at `path` stands, or the nearest thing around it."""
        while path and path not in self.places:
            path = path[:-1]
        return self.places.get(path, TextPlace(1, 1))


def parse_yaml(text: str, variables: Mapping[str, str] | None = None, *, aliases: bool = True) -> Located:
    """Read one YAML document, expanding `${NAME}` and `${NAME:-default}` in its values.

    Expanded values are always text: a key that is all digits stays a key. Without `variables`
    nothing is expanded. A variable that is not set, a repeated key, merge keys, custom tags and
    aliases that contain themselves are mistakes; all aliases are without `aliases`. `yes`, `no`, `on`, `off` and dates
    are text.

    Raises LocatedError with every mistake.
    """
    shielded = text.removeprefix("\ufeff")
    if variables is not None:
        shielded = _VARIABLE.sub(_shield, shielded)
    try:
        loader = (_Loader if aliases else _PlainLoader)(shielded)
        walk = _Walk(loader, variables)
        node = loader.get_single_node()
        data = None if node is None else walk.value(node, ())
    except (yaml.YAMLError, RecursionError) as error:
        raise LocatedError(_mistake(error, shielded)) from None
    if walk.mistakes:
        raise LocatedError(*walk.mistakes)
    return Located(data, walk.places, walk.used)


def as_mapping(value: object) -> dict[str, object] | None:
    """Return a value of a document as a new dict, or None if it is not a mapping."""
    return dict(cast("dict[str, object]", value)) if isinstance(value, dict) else None


def as_list(value: object) -> list[object] | None:
    """Return a value of a document as a list, or None if it is not one."""
    return cast("list[object]", value) if isinstance(value, list) else None


_TEXT_INSTEAD = ("tag:yaml.org,2002:timestamp",)
_BOOL = "tag:yaml.org,2002:bool"
_YAML_1_2 = {_BOOL: (_BOOL, re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"))}


class _Loader(yaml.SafeLoader):
    """The safe loader, with YAML 1.2's idea of what is a truth value and no dates."""

    yaml_implicit_resolvers = {  # noqa: RUF012
        first: [_YAML_1_2.get(tag, (tag, pattern)) for tag, pattern in resolvers if tag not in _TEXT_INSTEAD]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


class _PlainLoader(_Loader):
    """The loader without aliases, with which a few lines can stand for gigabytes."""

    def compose_node(self, parent: Node | None, index: int) -> Node | None:
        """Refuse an alias."""
        if self.check_event(yaml.AliasEvent):
            mark = cast("Any", self).peek_event().start_mark
            raise yaml.MarkedYAMLError(problem="aliases (*name) are not allowed", problem_mark=mark)
        return super().compose_node(parent, index)


_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}\n]*))?\}")
_SHIELD = 0x10F000
"""The offset by which ASCII is moved while YAML is parsed, so that `${…}` may stand unquoted in `{…}` too."""
_UNSHIELD = {_SHIELD + code: code for code in range(128)}
_SCALARS = frozenset(f"tag:yaml.org,2002:{kind}" for kind in ("str", "int", "float", "bool", "null"))


def _shield(match: re.Match[str]) -> str:
    return match[0].translate({code: _SHIELD + code for code in range(128)})


def _place(node: Node) -> TextPlace:
    return TextPlace(node.start_mark.line + 1, node.start_mark.column + 1)


def _mistake(error: yaml.YAMLError | RecursionError, text: str) -> Mistake:
    if isinstance(error, RecursionError):
        return Mistake(TextPlace(1, 1), "the document is nested too deeply")
    if isinstance(error, yaml.MarkedYAMLError):
        mark = error.problem_mark or error.context_mark
        place = TextPlace(mark.line + 1, mark.column + 1) if mark else TextPlace(1, 1)
        words = ", ".join(part for part in (error.context, error.problem) if part)
        return Mistake(place, f"this is not valid YAML: {words}")
    position = getattr(error, "position", 0)
    before = text[:position] if isinstance(position, int) else ""
    place = TextPlace(before.count("\n") + 1, len(before) - before.rfind("\n"))
    return Mistake(place, "this is not valid YAML: a character that YAML does not allow")


class _Walk:
    """Turns nodes into data, noting places and mistakes."""

    def __init__(self, loader: _Loader, variables: Mapping[str, str] | None) -> None:
        self.places: dict[Path, TextPlace] = {}
        self.mistakes: list[Mistake] = []
        self.used: dict[Path, frozenset[str]] = {}
        self._loader = loader
        self._variables = variables
        self._open: list[Node] = []
        self._count = 0

    def value(self, node: Node, path: Path) -> object:
        self.places.setdefault(path, _place(node))
        self._count += 1
        if self._count > MAX_VALUES:
            raise yaml.MarkedYAMLError(problem="the document is too large", problem_mark=node.start_mark)
        if isinstance(node, ScalarNode):
            return self._scalar(node, path)
        if any(node is outer for outer in self._open):
            self.mistakes.append(Mistake(_place(node), "this alias contains itself"))
            return None
        self._open.append(node)
        try:
            if isinstance(node, SequenceNode):
                return [self.value(item, (*path, index)) for index, item in enumerate(node.value)]
            return self._mapping(node, path)
        finally:
            self._open.pop()

    def _mapping(self, node: Node, path: Path) -> object:
        if not isinstance(node, MappingNode) or node.tag != "tag:yaml.org,2002:map":
            self.mistakes.append(Mistake(_place(node), f"the tag {node.tag} is not known"))
            return None
        result: dict[str, object] = {}
        for key_node, value_node in node.value:
            key = self._key(key_node)
            if key is None:
                continue
            if key in result:
                first = self.places[(*path, key)].line
                text = f"“{key}” appears twice in one mapping (first in line {first})"
                self.mistakes.append(Mistake(_place(key_node), text))
                continue
            self.places[(*path, key)] = _place(key_node)
            result[key] = self.value(value_node, (*path, key))
        return result

    def _key(self, node: Node) -> str | None:
        if not isinstance(node, ScalarNode):
            self.mistakes.append(Mistake(_place(node), "a key must be a plain word"))
            return None
        if node.tag == "tag:yaml.org,2002:merge":
            text = "merge keys (<<) are not supported: write the fields out"
            self.mistakes.append(Mistake(_place(node), text))
            return None
        return str(node.value).translate(_UNSHIELD)

    def _scalar(self, node: ScalarNode, path: Path) -> object:
        if node.tag not in _SCALARS:
            self.mistakes.append(Mistake(_place(node), f"the tag {node.tag} is not known"))
            return None
        raw = str(node.value)
        plain = raw.translate(_UNSHIELD)
        if self._variables is None or "${" not in plain:
            return self._construct(node)
        self.used[path] = frozenset(match[1] for match in _VARIABLE.finditer(plain))
        return self._expand(plain, self._variables, _place(node))

    def _construct(self, node: ScalarNode) -> object:
        try:
            value: Any = self._loader.construct_object(node)  # pyright: ignore[reportUnknownMemberType]
        except ValueError:
            kind = node.tag.rpartition(":")[2]
            self.mistakes.append(Mistake(_place(node), f"this is not a value of the kind {kind}"))
            return None
        return value.translate(_UNSHIELD) if isinstance(value, str) else value

    def _expand(self, text: str, variables: Mapping[str, str], place: TextPlace) -> str:
        def fill(match: re.Match[str]) -> str:
            name, default = match[1], match[2]
            value = variables.get(name)
            if value is None and default is None:
                words = f"the environment variable {name} is not set (to allow that, write ${{{name}:-}})"
                self.mistakes.append(Mistake(place, words))
            return value or default or ""

        if "${" in _VARIABLE.sub("", text):
            words = "“${” must be followed by the name of an environment variable and “}”"
            self.mistakes.append(Mistake(place, words))
        return _VARIABLE.sub(fill, text)
