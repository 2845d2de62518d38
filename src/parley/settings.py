"""Settings: read once from flags, the environment and one file, typed, and then passed as arguments."""

import ipaddress
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import msgspec
import platformdirs
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from parley.kernel.errors import ParleyError
from parley.text.located_yaml import Located, LocatedError, as_mapping, parse_yaml
from parley.text.plain_words import did_you_mean, in_plain_words
from parley.workspace.standings.category_settings import CategorySetting
from parley.workspace.vote_files.limits import FileLimits

PREFIX = "PARLEY_"
DATABASE_FILE = "parley.db"


class SettingsError(ParleyError):
    """A setting is wrong; the text names the flag, the variable, or the file with line and field."""

    code = "invalid_settings"


def _default_data_dir() -> Path:
    return platformdirs.user_data_path("parley", appauthor=False)


def _default_database_url(values: dict[str, Any]) -> str:
    folder: Path = values.get("data_dir") or _default_data_dir()
    return f"sqlite:///{(folder / DATABASE_FILE).as_posix()}"


class Settings(BaseModel):
    """Everything that can be set. Made by `load_settings`, or directly in tests: it reads nothing itself."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    host: str = Field(
        default="127.0.0.1", description="Address to listen on. In personal mode a loopback address."
    )
    port: Annotated[int, Field(ge=0, le=65535)] = Field(
        default=8400, description="Port to listen on; 0 takes a free one."
    )
    data_dir: Path = Field(
        default_factory=_default_data_dir,
        description="Folder of the database and of everything else that Parley keeps.",
    )
    config: Path | None = Field(
        default=None,
        description="The settings file; `./parley.yaml` where there is one. Not allowed in the file itself.",
    )
    models: Path | None = Field(
        default=None,
        description="The model list; `./config/models.yaml` where there is one, else `models.yaml` in the data folder.",
    )
    database_url: str = Field(
        default_factory=_default_database_url,
        repr=False,
        description="SQLite or PostgreSQL; by default `parley.db` in the data folder. "
        "`postgresql://user:password@host/name` is enough.",
    )
    mode: Literal["personal"] = Field(
        default="personal", description="`personal`: everyone who reaches Parley is its one owner."
    )
    demo_models: Literal["auto", "on", "off"] = Field(
        default="auto",
        description="Built-in demo models: `auto` shows them while no other model is configured.",
    )
    battle_pacing: Literal["even", "natural"] = Field(
        default="even",
        description="`even`: both sides of a battle appear at one rate, so that speed does not tell who they are.",
    )
    battle_sampling: Literal["equal", "weighted", "informative"] = Field(
        default="equal",
        description="How the models of a battle are drawn. `equal`: every pair is as likely as any other. `weighted`: "
        "by the weights of the model list. `informative`: pairs whose votes tell the table most, and one draw in ten "
        "equal. The chance is stored with each vote; models that are down are left out.",
    )
    categories: tuple[CategorySetting, ...] = Field(
        default=(),
        max_length=20,
        description="Categories of your own, each with `id`, `title`, and words: `any` or `all` of them put a prompt "
        "into it; a `*` in a word stands for any letters. In the variable as JSON.",
    )
    category_model: str | None = Field(
        default=None,
        description="A model of the model list that is asked, after each vote, which topics its prompts are in; by "
        "default the rules alone decide. The prompts go to that model's provider, and its calls are booked.",
    )
    standings_every: Annotated[float, Field(ge=1)] = Field(
        default=3600.0,
        description="Seconds between the standings' regular runs; after a vote the table moves at once.",
    )
    cors_origins: tuple[str, ...] = Field(
        default=(),
        description="Other origins whose pages may call the API, as `https://example.org`; comma-separated.",
    )
    import_max_rows: Annotated[int, Field(ge=1)] = Field(
        default=20_000_000,
        description="How many rows a file of votes may have that is imported.",
    )
    import_memory_mb: Annotated[int, Field(ge=256)] = Field(
        default=1024,
        description="How many megabytes of memory the process may take that unpacks a Parquet file of votes.",
    )
    max_connections: Annotated[int, Field(ge=16)] = Field(
        default=10_000,
        description="Connections held open at once, of which the last 32 take no streams, so that votes have room; "
        "fewer where the process may not open three times as many files (`ulimit -n`).",
    )
    max_connections_per_address: Annotated[int, Field(ge=16)] = Field(
        default=10_000,
        description="The same for one address. A reverse proxy on this computer, and everybody behind it, is one.",
    )
    max_header_bytes: Annotated[int, Field(ge=4096, le=1 << 20)] = Field(
        default=65_536, description="The largest head of a request, its address and headers together."
    )
    max_headers: Annotated[int, Field(ge=20)] = Field(
        default=100, description="How many headers a request may have."
    )
    head_timeout: Annotated[float, Field(gt=0)] = Field(
        default=20.0, description="Seconds in which the head of a request has to come."
    )
    body_timeout: Annotated[float, Field(gt=0)] = Field(
        default=30.0,
        description="Seconds in which the body of a request, or the next 64 kB of it, has to come.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="How much is logged."
    )
    open_browser: bool = Field(
        default=True, description="Open the page in a browser on start, where there is a desktop."
    )
    stop_grace: Annotated[float, Field(ge=0, le=60)] = Field(
        default=3.0, description="Seconds that open streams get to end when the server stops."
    )

    @property
    def models_file(self) -> Path:
        """Where the model list is read from, or would be if it were there."""
        return self.models or self.data_dir / "models.yaml"

    @property
    def file_limits(self) -> FileLimits:
        """How much of a file of votes is read."""
        return FileLimits(rows=self.import_max_rows, memory_mb=self.import_memory_mb)

    @property
    def url(self) -> str:
        """The address of the page and the API."""
        host = self.host.removeprefix("[").removesuffix("]")
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    @field_validator("host")
    @classmethod
    def _only_loopback(cls, host: str) -> str:
        if not _is_loopback(host):
            raise ValueError(
                f"{host} is not a loopback address. In personal mode everyone who reaches Parley is its owner, "
                "so it listens on this computer only. Use 127.0.0.1, and from elsewhere an SSH tunnel "
                "(ssh -L 8400:127.0.0.1:8400 this-computer)."
            )
        return host

    @field_validator("data_dir")
    @classmethod
    def _absolute(cls, folder: Path) -> Path:
        return folder.expanduser().absolute()

    @field_validator("config", "models")
    @classmethod
    def _home(cls, path: Path | None) -> Path | None:
        return path.expanduser() if path else None

    @field_validator("database_url")
    @classmethod
    def _driver(cls, url: str) -> str:
        scheme, separator, rest = url.partition("://")
        driver = _DRIVERS.get(scheme)
        if not separator or driver is None:
            raise ValueError("must begin with sqlite:/// or postgresql://")
        return f"{driver}://{rest}"

    @field_validator("categories", mode="before")
    @classmethod
    def _from_json(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        try:
            return msgspec.json.decode(value)
        except msgspec.DecodeError:
            raise ValueError("must be a list in JSON") from None

    @field_validator("categories")
    @classmethod
    def _once(cls, categories: tuple[CategorySetting, ...]) -> tuple[CategorySetting, ...]:
        ids = [category.id for category in categories]
        if twice := next((category_id for category_id in ids if ids.count(category_id) > 1), None):
            raise ValueError(f"“{twice}” is there twice")
        return categories

    @field_validator("cors_origins", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return (
            [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value
        )

    @field_validator("cors_origins")
    @classmethod
    def _origins(cls, origins: tuple[str, ...]) -> tuple[str, ...]:
        for origin in origins:
            parts = urlsplit(origin)
            if parts.scheme not in ("http", "https") or origin != f"{parts.scheme}://{parts.netloc}":
                raise ValueError("must be origins: scheme, host and port only, as in https://example.org")
        return origins


_DRIVERS = {
    "sqlite": "sqlite",
    "sqlite+aiosqlite": "sqlite",
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
    "postgresql+asyncpg": "postgresql+asyncpg",
}


def environment() -> Mapping[str, str]:
    """Return the process's environment as it is now: the one place where it is read."""
    return dict(os.environ)  # noqa: TID251


def variable_names() -> tuple[str, ...]:
    """Return the name of every environment variable that is a setting."""
    return tuple(PREFIX + name.upper() for name in Settings.model_fields)


def load_settings(overrides: Mapping[str, object], variables: Mapping[str, str] | None = None) -> Settings:
    """Read the settings: `overrides` (flags; None means not given), then the environment, the file, defaults.

    Relative paths in the file are relative to the file, all others to the working directory.

    Raises SettingsError that names every wrong flag, variable, or line and field of the file.
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
        origins = _Origins(path, located, frozenset(from_environment), frozenset(flags))
        raise origins.explain(error) from None
    return _with_models(settings)


def _refuse_unknown(variables: Mapping[str, str]) -> None:
    """A mistyped variable would be passed over in silence: refuse it."""
    known = variable_names()
    unknown = sorted(name for name in variables if name.startswith(PREFIX) and name not in known)
    if unknown:
        raise _error([f"{name}: is not a setting{did_you_mean(name, known)}." for name in unknown])


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.removeprefix("[").removesuffix("]")).is_loopback
    except ValueError:
        return False


def _config_path(given: object) -> Path | None:
    if given is not None:
        return Path(str(given)).expanduser()
    default = Path("parley.yaml")
    return default if default.is_file() else None


def _read_file(path: Path, variables: Mapping[str, str]) -> Located:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise SettingsError(f"The settings file {path} is not there.") from None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise SettingsError(f"The settings file {path} cannot be read: {reason}.") from None
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
    for name in ("data_dir", "models"):
        value = values.get(name)
        if isinstance(value, str):
            values[name] = str(path.parent / Path(value).expanduser())
    return {name: value for name, value in values.items() if value is not None}


def _with_models(settings: Settings) -> Settings:
    if settings.models is None:
        for candidate in (Path("config/models.yaml"), settings.data_dir / "models.yaml"):
            if candidate.is_file():
                return settings.model_copy(update={"models": candidate})
        return settings
    if not settings.models.is_file():
        raise SettingsError(
            f"The model list {settings.models} is not there.",
            "Make the file, or leave the setting “models” out to start with the demo models.",
        )
    return settings


class _Origins:
    """Knows where each value came from, to say what is wrong where."""

    def __init__(
        self, path: Path | None, located: Located, variables: frozenset[str], flags: frozenset[str]
    ) -> None:
        self._path = path
        self._located = located
        self._variables = variables
        self._flags = flags

    def explain(self, error: ValidationError) -> SettingsError:
        found: list[tuple[int, str]] = []
        for detail in error.errors(include_url=False, include_input=False):
            if detail["type"] != "default_factory_not_called":
                path = detail["loc"]
                known = Settings.model_fields if len(path) == 1 else CategorySetting.model_fields
                words = in_plain_words(detail, known)
                found.append((self._located.place(path).line, f"{self._origin(path)}: {words}"))
        return _error([line for _, line in sorted(found)])

    def _origin(self, path: tuple[int | str, ...]) -> str:
        field, inner = (
            str(path[0]),
            "".join(f"[{it}]" if isinstance(it, int) else f".{it}" for it in path[1:]),
        )
        if field in self._flags:
            return f"--{field.replace('_', '-')}{inner}"
        if field in self._variables:
            return PREFIX + field.upper() + inner
        return f"{self._path}:{self._located.place(path).line}: {field}{inner}"


def _error(lines: list[str]) -> SettingsError:
    return SettingsError(lines[0], "\n".join(lines[1:]) or None)
