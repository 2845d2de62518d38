"""Settings: read once from flags, the environment and a file, then passed as arguments."""

import ipaddress
from pathlib import Path
from typing import Any, Literal, Self, TypeAlias

import platformdirs
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PrivateAttr,
    SecretStr,
    ValidationInfo,
    field_validator,
)

from parley.connectors.kubernetes.setting import ABOUT, KubernetesJson
from parley.kernel.errors import ParleyError
from parley.storage.addresses import DatabaseUrl, FilesUrl, checked_shared_url
from parley.storage.redis_answers import CacheUrl, RedisUrl
from parley.text.categories.setting import CategorySetting, check_distinct
from parley.text.json_lists import read_json_list
from parley.wire.collector import CollectorUrl
from parley.wire.identity import IdentitySetting
from parley.wire.listening import check_bare_origin, checked_host, checked_origin
from parley.wire.proxies import ProxyChoice, hosts_of
from parley.wire.tool_servers import ToolServerSetting

PREFIX = "PARLEY_"
DATABASE_FILE = "parley.db"


Found: TypeAlias = Literal["models", "data"]


class SettingsError(ParleyError):
    """A setting is invalid; the title names the flag, the variable, or the file with line and field."""

    code = "invalid_settings"


def _default_data_dir() -> Path:
    return platformdirs.user_data_path("parley", appauthor=False)


def _default_database_url(values: dict[str, Any]) -> str:
    folder: Path = values.get("data_dir") or _default_data_dir()
    return f"sqlite:///{(folder / DATABASE_FILE).as_posix()}"


class Settings(BaseModel):
    """All settings. `load_settings` makes them; the model itself reads nothing."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    mode: Literal["personal", "shared"] = Field(
        default="personal",
        description="`personal`: everyone who reaches Parley is its one owner. `shared`: people sign in.",
    )
    public_url: str | None = Field(
        default=None,
        description="The address under which people open Parley in `shared` mode, such as "
        "`https://parley.example.org`. By default only this computer can.",
    )
    host: str = Field(
        default="127.0.0.1",
        description="Address to listen on: a loopback address, or in `shared` mode with a `public_url` any.",
    )
    port: int = Field(default=8400, ge=0, le=65535, description="Port to listen on; 0 is any free one.")
    data_dir: Path = Field(
        default_factory=_default_data_dir, description="The folder of the database and all other data."
    )
    config: Path | None = Field(
        default=None,
        description="The settings file; by default `./parley.yaml`, if you trust it (`parley trust`). Not allowed in "
        "the file.",
    )
    models: Path | None = Field(
        default=None,
        description="The model list; else `./config/models.yaml`, if you trust it (`parley trust`), or `models.yaml` "
        "in `data_dir`.",
    )
    database_url: DatabaseUrl = Field(
        default_factory=_default_database_url,
        repr=False,
        description="SQLite or PostgreSQL; by default `parley.db` in the data folder. "
        "`postgresql://user:password@host/name` is enough.",
    )
    trusted_proxies: tuple[str, ...] = Field(
        default=(),
        description="Addresses and networks of the reverse proxies in front of Parley, comma-separated. Theirs is the "
        "only X-Forwarded-For that counts.",
    )
    guests: Literal["off", "on"] = Field(
        default="off", description="`on`: in `shared` mode people may use Parley without an account."
    )
    guest_votes: Literal["counted", "not_counted"] = Field(
        default="counted",
        description="`not_counted`: blind votes of guests are saved, but move neither ratings nor the leaderboard.",
    )
    sign_up: Literal["invitation", "open"] = Field(
        default="invitation", description="`open`: in `shared` mode everybody may make an account."
    )
    sign_in_with: tuple[IdentitySetting, ...] = Field(
        default=(),
        max_length=10,
        repr=False,
        description="Providers that people sign in with in `shared` mode, each with `id`, `name`, `issuer`, "
        "`client_id` and `client_secret` (`kind: github` needs no issuer). As an environment variable: JSON.",
    )
    tool_servers: tuple[ToolServerSetting, ...] = Field(
        default=(),
        repr=False,
        description="Servers of tools (MCP), each with `name`, and `url` or the `command` of a program, as JSON.",
    )
    demo_models: Literal["auto", "on", "off"] = Field(
        default="auto", description="Built-in demo models; `auto` shows them until a model is configured."
    )
    battle_pacing: Literal["even", "natural"] = Field(
        default="even", description="`even`: both sides of a battle appear at one rate, which hides speed."
    )
    battle_sampling: Literal["equal", "weighted", "informative"] = Field(
        default="equal",
        description="How the models of a battle are drawn. `equal`: every pair is equally likely. `weighted`: by the "
        "weights in the model list. `informative`: prefers pairs whose votes improve the ratings most, with one draw "
        "in ten equal. The probability is stored with each vote. Models that are down are left out.",
    )
    categories: tuple[CategorySetting, ...] = Field(
        default=(),
        max_length=20,
        description="Your own categories, each with `id`, `title` and words: a prompt belongs to it if it has `any` "
        "or `all` of them. A `*` in a word stands for any letters. As an environment variable: JSON.",
    )
    category_model: str | None = Field(
        default=None,
        description="A model that decides after each vote which topics its prompts belong to. By default, rules "
        "decide. The prompts are sent to that model's provider, and the calls are recorded.",
    )
    title_model: str | None = Field(
        default=None,
        description="A model that titles new sessions by their first question. By default, a rule takes its first "
        "line. The question is sent to that model's provider, and the calls are recorded.",
    )
    auto_model: str | None = Field(
        default=None,
        description="A small model that tells Auto the kind of a question where its rules are unsure. By default, "
        "rules alone decide. The question is sent to that model's provider, and the calls are recorded.",
    )
    moderation: Literal["auto", "on"] = Field(
        default="auto",
        description="`on`: rules may hold or flag prompts and replies, with a queue for review, in `personal` mode "
        "too. By default only in `shared` mode.",
    )
    standings_every: float = Field(
        default=3600.0, ge=1, description="Seconds between full updates of the standings. Votes show at once."
    )
    cors_origins: tuple[str, ...] = Field(
        default=(),
        description="Origins of other sites that may call the API, such as `https://example.org`; comma-separated.",
    )
    discover_at: tuple[str, ...] | None = Field(
        default=None,
        description="Addresses where the page looks for model servers, comma-separated. By default the usual ports of "
        "Ollama, LM Studio, vLLM, llama.cpp, Jan and LocalAI on this computer. `none` turns this off, and servers are "
        "not asked how many questions they answer at once.",
    )
    import_max_rows: int = Field(
        default=20_000_000, ge=1, description="Maximum rows in an imported file of votes."
    )
    import_memory_mb: int = Field(
        default=1024,
        ge=256,
        description="Memory limit of the process that unpacks Parquet files, in megabytes.",
    )
    attachment_max_mb: int = Field(
        default=20, ge=1, le=500, description="Maximum size of an attachment, in megabytes."
    )
    files_url: FilesUrl | None = Field(
        default=None,
        description="Where pictures and files are stored: `s3://bucket/prefix`, with access and server in the usual "
        "`AWS_` variables, or `file:///folder`. By default in the data folder.",
    )
    secret_key: SecretStr | None = Field(
        default=None,
        description="32 bytes in base64 that encrypt saved provider keys. By default `secret.key` in the "
        "data folder. With several, comma-separated, the first encrypts and all decrypt.",
    )
    proxy: ProxyChoice = Field(
        default="off",
        repr=False,
        description="The HTTP proxy to model servers: its address, `environment` for HTTPS_PROXY, HTTP_PROXY and "
        "NO_PROXY, or `off`. Loopback never goes through it. The proxy, not Parley, then resolves names.",
    )
    no_proxy: tuple[str, ...] = Field(
        default=(),
        description="Servers to reach without the proxy, comma-separated: names (including subdomains), "
        "addresses, networks such as `10.0.0.0/8`.",
    )
    ca_file: Path | None = Field(
        default=None,
        description="A file of certificates in PEM format to trust in addition to the system's.",
    )
    region: str | None = Field(
        default=None,
        description="Where Parley runs. Among routes with equal priority, providers in this `region` come first.",
    )
    kubernetes: KubernetesJson = Field(default=None, description=ABOUT)
    redis_url: RedisUrl | None = Field(
        default=None,
        repr=False,
        description="A Redis server, `redis://host:6379/0` or `rediss://…`, which needs `pip install 'parley[redis]'`. "
        "With it several servers may share one PostgreSQL database; they need `secret_key` and `files_url` too.",
    )
    cache_url: CacheUrl = Field(
        default_factory=lambda values: values.get("redis_url") or "memory",
        repr=False,
        description="The cache of answers of models with `cache_s`, unencrypted: `memory` (64 MB), or a Redis server. "
        "By default `redis_url`, else `memory`.",
    )
    max_connections: int = Field(
        default=10_000,
        ge=16,
        description="Maximum open connections. 32 of them take no streams, so that votes always get "
        "through. Fewer if the process may not open three times as many files (`ulimit -n`).",
    )
    max_connections_per_address: int = Field(
        default=10_000, ge=16, description="Maximum open connections per address. A reverse proxy is one."
    )
    max_header_bytes: int = Field(
        default=65_536, ge=4096, le=1 << 20, description="Maximum bytes of a request's URL and headers."
    )
    max_headers: int = Field(default=100, ge=20, description="Maximum number of headers in a request.")
    head_timeout: float = Field(default=20.0, gt=0, description="Seconds for a request's headers to arrive.")
    body_timeout: float = Field(default=30.0, gt=0, description="Seconds for a body's next 64 kB to arrive.")
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="The log level."
    )
    log_format: Literal["text", "json"] = Field(
        default="text", description="`json`: an object per line, with the `x-request-id` of its response."
    )
    metrics_key: SecretStr | None = Field(
        default=None, min_length=16, description="Opens `GET /metrics`, as a bearer token; off without one."
    )
    otlp_url: CollectorUrl | None = Field(
        default=None,
        repr=False,
        description="A collector of OpenTelemetry (OTLP over HTTP) for traces and metrics, such as "
        "`http://localhost:4318`. Needs `pip install 'parley[otel]'`. By default OTEL_EXPORTER_OTLP_ENDPOINT.",
    )
    otlp_texts: Literal["off", "on"] = Field(
        default="off", description="`on`: traces hold prompts and replies."
    )
    open_browser: bool = Field(
        default=True, description="Open the page in a browser on start, if there is a desktop."
    )
    stop_grace: float = Field(
        default=3.0, ge=0, le=60, description="Seconds that open streams get to end when the server stops."
    )

    _found: frozenset[Found] = PrivateAttr(default=frozenset())

    @property
    def found(self) -> frozenset[Found]:
        """Settings of trusted files that were found in the working directory, not named by a flag or variable.

        `models`: the model list is such a file. `data`: one chose the data folder or the database.
        """
        return self._found

    def having_found(self, *settings: Found) -> Self:
        """Return the same settings with `found`."""
        same = self.model_copy()
        same._found = frozenset(settings)  # noqa: SLF001 - a copy of this object
        return same

    @property
    def models_file(self) -> Path:
        """The path of the model list, which may not exist."""
        return self.models or self.data_dir / "models.yaml"

    @property
    def url(self) -> str:
        """The address of the page and the API."""
        host = self.host.strip("[]")
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    @property
    def is_shared(self) -> bool:
        """People sign in."""
        return self.mode == "shared"

    @property
    def people_url(self) -> str:
        """The address under which people open the page."""
        return self.public_url or self.url

    @field_validator("host")
    @classmethod
    def _reachable(cls, host: str, info: ValidationInfo) -> str:
        return checked_host(
            host, is_shared=info.data.get("mode") == "shared", url=info.data.get("public_url")
        )

    @field_validator("public_url")
    @classmethod
    def _origin(cls, url: str | None) -> str | None:
        return None if url is None else checked_origin(url)

    @field_validator("trusted_proxies")
    @classmethod
    def _networks(cls, networks: tuple[str, ...]) -> tuple[str, ...]:
        for network in networks:
            ipaddress.ip_network(network, strict=False)
        return networks

    @field_validator("data_dir")
    @classmethod
    def _absolute(cls, folder: Path) -> Path:
        return folder.expanduser().absolute()

    @field_validator("config", "models", "ca_file")
    @classmethod
    def _home(cls, path: Path | None) -> Path | None:
        return path.expanduser() if path else None

    _from_json = field_validator("categories", "sign_in_with", "tool_servers", mode="before")(read_json_list)

    _shared = field_validator("redis_url")(checked_shared_url)
    _once = field_validator("categories")(check_distinct)

    @field_validator("cors_origins", "discover_at", "no_proxy", "trusted_proxies", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        return [part.strip() for part in value.split(",") if part.strip() not in ("", "none")]

    @field_validator("no_proxy")
    @classmethod
    def _hosts(cls, hosts: tuple[str, ...]) -> tuple[str, ...]:
        return hosts_of(",".join(hosts))

    @field_validator("cors_origins")
    @classmethod
    def _origins(cls, origins: tuple[str, ...]) -> tuple[str, ...]:
        for origin in origins:
            check_bare_origin(origin)
        return origins
