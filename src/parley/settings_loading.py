"""Loads the settings from flags, the environment and a file, and says where a wrong one came from."""

import os
from collections.abc import Collection, Mapping
from pathlib import Path

from pydantic import ValidationError

from parley.settings import PREFIX, Settings, SettingsError
from parley.text.categories.setting import CategorySetting
from parley.text.located_yaml import Located, LocatedError, as_mapping, parse_yaml
from parley.text.plain_words import did_you_mean, in_plain_words


def environment() -> Mapping[str, str]:
    """Return the process's environment; nothing else reads it."""
    return dict(os.environ)  # noqa: TID251


def variable_names() -> tuple[str, ...]:
    """Return the environment variables of all settings."""
    return tuple(PREFIX + name.upper() for name in Settings.model_fields)


def load_settings(overrides: Mapping[str, object], variables: Mapping[str, str] | None = None) -> Settings:
    """Load the settings from `overrides` (flags; None is unset), the environment, the file and defaults.

    Relative paths in the file are relative to the file, all others to the working directory.

    Raises SettingsError, which names every invalid flag, variable, or line and field of the file.
    """
    variables = environment() if variables is None else variables
    flags = {name: value for name, value in overrides.items() if value is not None}
    _refuse_unknown(variables)
    from_environment = {
        name: variables[PREFIX + name.upper()]
        for name in Settings.model_fields
        if variables.get(PREFIX + name.upper())
    }
    given = from_environment | flags
    path = _config_path(given.get("config"))
    located = _read_file(path, variables) if path else Located({}, {})
    from_file = _file_values(path, located)
    values: dict[str, object] = from_file | given
    if path:
        values["config"] = path
    try:
        settings = Settings.model_validate(values)
    except ValidationError as error:
        raise _explain(error, path, located, from_environment, flags) from None
    return _with_models(settings)


def _refuse_unknown(variables: Mapping[str, str]) -> None:
    """Refuse unknown PARLEY_ variables, which would otherwise be ignored silently."""
    known = variable_names()
    unknown = sorted(name for name in variables if name.startswith(PREFIX) and name not in known)
    if unknown:
        raise _error([f"{name}: is not a setting{did_you_mean(name, known)}." for name in unknown])


def _config_path(given: object) -> Path | None:
    if given is not None:
        return Path(str(given)).expanduser()
    default = Path("parley.yaml")
    return default if default.is_file() else None


def _read_file(path: Path, variables: Mapping[str, str]) -> Located:
    try:
        text = path.read_text(encoding="utf-8")
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


def _with_models(settings: Settings) -> Settings:
    if settings.models is None:
        candidates = (Path("config/models.yaml"), settings.data_dir / "models.yaml")
        found = next((candidate for candidate in candidates if candidate.is_file()), None)
        return settings.model_copy(update={"models": found})
    if not settings.models.is_file():
        raise SettingsError(
            f"There is no model list {settings.models}.",
            "Create the file, or remove the setting “models” to start with the demo models.",
        )
    return settings


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

    found: list[tuple[int, str]] = []
    for detail in error.errors(include_url=False, include_input=False):
        if detail["type"] != "default_factory_not_called":
            place = detail["loc"]
            line = located.place(place).line
            inner = "".join(f"[{it}]" if isinstance(it, int) else f".{it}" for it in place[1:])
            known = Settings.model_fields if len(place) == 1 else CategorySetting.model_fields
            found.append((line, f"{origin(str(place[0]), inner, line)}: {in_plain_words(detail, known)}"))
    return _error([text for _, text in sorted(found)])


def _error(lines: list[str]) -> SettingsError:
    return SettingsError(lines[0], "\n".join(lines[1:]) or None)
