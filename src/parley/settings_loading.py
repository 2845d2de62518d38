"""Loads the settings from flags, the environment and a file, and says where a wrong one came from."""

import logging
import os
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import NamedTuple, TypeAlias

from pydantic import ValidationError

from parley.kernel.errors import ParleyError
from parley.settings import PREFIX, Found, Settings, SettingsError
from parley.text.categories.setting import CategorySetting
from parley.text.located_yaml import Located, LocatedError, as_mapping, parse_yaml
from parley.text.plain_words import did_you_mean, in_plain_words
from parley.trust import Trust, Untrusted

SETTINGS_FILE = Path("parley.yaml")
MODEL_LIST = Path("config/models.yaml")
"""The files that are looked for in the working directory."""

NOT_IN_A_FOUND_FILE = (
    *("proxy", "no_proxy", "ca_file", "files_url", "cache_url", "redis_url"),
    *("tool_servers", "secret_key", "otlp_url", "otlp_texts", "kubernetes"),
)
"""Settings that start programs, or decide where keys, files and answers go: a file that was found cannot set them."""

Notify: TypeAlias = Callable[[ParleyError], None]


def log_notice(notice: ParleyError) -> None:
    """Log that a file is not used."""
    log.warning("%s %s", notice.title, notice.detail or "")


log = logging.getLogger(__name__)


def environment() -> Mapping[str, str]:
    """Return the process's environment; nothing else reads it."""
    return dict(os.environ)  # noqa: TID251


def variable_names() -> tuple[str, ...]:
    """Return the environment variables of all settings."""
    return tuple(PREFIX + name.upper() for name in Settings.model_fields)


def load_settings(
    overrides: Mapping[str, object],
    variables: Mapping[str, str] | None = None,
    *,
    trust: Trust | None = None,
    notify: Notify = log_notice,
) -> Settings:
    """Load the settings from `overrides` (flags; None is unset), the environment, the file and defaults.

    Relative paths in the file are relative to the file, all others to the working directory. Files that no flag and no
    variable names are used if `trust` covers them; `notify` is told of the others.

    Raises SettingsError, which names every invalid flag, variable, or line and field of the file.
    """
    variables = environment() if variables is None else variables
    trust = trust or Trust()
    flags = {name: value for name, value in overrides.items() if value is not None}
    _refuse_unknown(variables)
    from_environment = {
        name: variables[PREFIX + name.upper()]
        for name in Settings.model_fields
        if variables.get(PREFIX + name.upper())
    }
    explicit = from_environment | flags
    file = _settings_file(explicit.get("config"), variables, trust, notify)
    path, located = (file.path, file.located) if file else (None, Located({}, {}, {}))
    from_file = _file_values(path, located)
    values: dict[str, object] = from_file | explicit
    if path:
        values["config"] = path
    try:
        settings = Settings.model_validate(values)
    except ValidationError as error:
        raise _explain(error, path, located, from_environment, flags) from None
    # What a file chose that was found was found too.
    chosen = frozenset(from_file.keys() - explicit.keys()) if file and not file.is_named else frozenset[str]()
    return _with_models(settings, chosen, trust, notify)


class _SettingsFile(NamedTuple):
    path: Path
    located: Located
    is_named: bool


def _refuse_unknown(variables: Mapping[str, str]) -> None:
    """Refuse unknown PARLEY_ variables, which would otherwise be ignored silently."""
    known = variable_names()
    unknown = sorted(name for name in variables if name.startswith(PREFIX) and name not in known)
    if unknown:
        raise _error([f"{name}: is not a setting{_near(name, known)}." for name in unknown])


def _near(name: str, known: Collection[str]) -> str:
    """Name the setting that is meant: of a flag such as --no-open the one that it changes."""
    flags = {f"{PREFIX}NO_OPEN": f" (did you mean “{PREFIX}OPEN_BROWSER=false”?)"}
    return flags.get(name) or did_you_mean(name, known)


def _settings_file(
    named: object, variables: Mapping[str, str], trust: Trust, notify: Notify
) -> _SettingsFile | None:
    """Return the file that is named, else the trusted one in the working directory. Raises SettingsError."""
    if named is not None:
        path = Path(str(named)).expanduser()
        return _SettingsFile(path, _read_file(path, variables, Path.read_bytes), is_named=True)
    if not SETTINGS_FILE.is_file():
        return None
    try:
        located = _read_file(SETTINGS_FILE, variables, trust.read)
    except Untrusted as notice:
        notify(notice)
        return None
    check_found_settings(SETTINGS_FILE, located)
    return _SettingsFile(SETTINGS_FILE, located, is_named=False)


def check_found_settings(path: Path, located: Located) -> None:
    """Raise SettingsError if a settings file decides what one that was found in a folder cannot."""
    values = as_mapping(located.data) or {}
    problems = [
        (located.place((name,)).line, f"{name}: can't be set here. Set {PREFIX}{name.upper()}")
        for name in NOT_IN_A_FOUND_FILE
        if name in values
    ]
    for place, names in located.variables.items():
        words = ", ".join(sorted(names))
        problems.append(
            (located.place(place).line, f"{place[0]}: can't use the environment variable {words}")
        )
    if problems:
        ending = f", or name the file: --config {path}"
        raise _error([f"{path}:{line}: {text}{ending}." for line, text in sorted(problems)])


def _read_file(path: Path, variables: Mapping[str, str], read: Callable[[Path], bytes]) -> Located:
    try:
        text = read(path).decode()
    except FileNotFoundError:
        raise SettingsError(f"There is no settings file {path}.") from None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise SettingsError(f"Can't read the settings file {path}: {reason}.") from None
    try:
        return parse_yaml(text, variables)
    except LocatedError as error:
        raise _error([f"{path}:{mistake.place.line}: {mistake.text}" for mistake in error.mistakes]) from None


def _file_values(path: Path | None, located: Located) -> dict[str, object]:
    if located.data is None or path is None:
        return {}
    values = as_mapping(located.data)
    if values is None:
        raise SettingsError(f"{path}:1: the settings file must be a mapping, as in “port: 8400”.")
    if "config" in values:
        line = located.place(("config",)).line
        raise SettingsError(f"{path}:{line}: config: is not allowed in the settings file itself.")
    for name in ("data_dir", "models", "ca_file"):
        value = values.get(name)
        if isinstance(value, str):
            values[name] = str(path.parent / Path(value).expanduser())
    return {name: value for name, value in values.items() if value is not None}


def _with_models(settings: Settings, chosen: Collection[str], trust: Trust, notify: Notify) -> Settings:
    """Return the settings with the model list to use; `chosen` are the settings of a file that was found."""
    data: list[Found] = ["data"] if {"data_dir", "database_url"}.intersection(chosen) else []
    if settings.models is not None and not settings.models.is_file():
        raise SettingsError(
            f"There is no model list {settings.models}.",
            "Create the file, or remove the setting “models” to start with the demo models.",
        )
    beside = settings.data_dir / "models.yaml"
    candidates = [settings.models] if settings.models else [MODEL_LIST, beside]
    own = {
        path.absolute()
        for path, setting in ((settings.models, "models"), (beside, "data_dir"))
        if path and setting not in chosen
    }
    for path in (path for path in candidates if path.is_file()):
        if path.absolute() in own:
            return settings.model_copy(update={"models": path}).having_found(*data)
        try:
            trust.read(path)
        except Untrusted as notice:
            notify(notice)
        else:
            return settings.model_copy(update={"models": path}).having_found("models", *data)
    return settings.model_copy(update={"models": None}).having_found(*data)


def _explain(
    error: ValidationError,
    path: Path | None,
    located: Located,
    variables: Collection[str],
    flags: Collection[str],
) -> SettingsError:
    """Say for every invalid value where it came from and what it must be."""

    def origin(field: str, inner: str, line: int) -> str:
        if field in flags:
            return f"--{field.replace('_', '-')}{inner}"
        return PREFIX + field.upper() + inner if field in variables else f"{path}:{line}: {field}{inner}"

    problems: list[tuple[int, str]] = []
    for detail in error.errors(include_url=False, include_input=False):
        if detail["type"] != "default_factory_not_called":
            place = detail["loc"]
            line = located.place(place).line
            inner = "".join(f"[{it}]" if isinstance(it, int) else f".{it}" for it in place[1:])
            known = Settings.model_fields if len(place) == 1 else CategorySetting.model_fields
            problems.append((line, f"{origin(str(place[0]), inner, line)}: {in_plain_words(detail, known)}"))
    return _error([text for _, text in sorted(problems)])


def _error(lines: list[str]) -> SettingsError:
    return SettingsError(lines[0], "\n".join(lines[1:]) or None)
