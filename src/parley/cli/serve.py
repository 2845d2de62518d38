"""`parley serve`: starts the server, says where it is, and opens the page."""

import errno
import socket
import sys
import threading
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from parley.cli.options import ConfigOption, DataDirOption, ModelsOption
from parley.cli.terminal import say

if TYPE_CHECKING:
    from parley.settings import Settings
    from parley.workspace.catalog.service import CatalogService

START_LIMIT_S = 30.0


def serve(
    host: Annotated[
        str | None, typer.Option(help="Address to listen on (127.0.0.1).", show_default=False)
    ] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on (8400).", show_default=False)] = None,
    data_dir: DataDirOption = None,
    config: ConfigOption = None,
    models: ModelsOption = None,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open the page in a browser.")] = False,
    log_level: Annotated[
        str | None, typer.Option(help="debug, info (usual), warning or error.", show_default=False)
    ] = None,
) -> None:
    """Start Parley."""
    from parley.settings import load_settings

    settings = load_settings(
        {
            "host": host,
            "port": port,
            "data_dir": data_dir,
            "config": config,
            "models": models,
            "open_browser": False if no_open else None,
            "log_level": log_level,
        }
    )
    settings = settings.model_copy(update={"port": claim_port(settings.host, settings.port)})

    from parley import wiring

    text = start_text(settings, wiring.build_catalog(settings))
    threading.Thread(target=_welcome, args=(settings, text), daemon=True).start()
    try:
        from parley.api import server

        server.run(settings)
    except KeyboardInterrupt:
        say("Stopped.")


def claim_port(host: str, port: int) -> int:
    """Return a port that can be listened on: the given one, or a free one for 0. Raises Unavailable."""
    from parley.kernel.errors import Unavailable

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        if sys.platform != "win32":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((_bare(host), port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                title = f"Port {port} on {host} is taken."
                detail = "Is Parley running already? Otherwise choose another one: parley serve --port 8401"
            else:
                title = f"Cannot listen on {host}, port {port}: {error.strerror}."
                detail = "Choose another one: parley serve --port 8401"
            raise Unavailable(title, detail, code="port_taken") from None
        return int(probe.getsockname()[1])


def start_text(settings: "Settings", catalog: "CatalogService") -> str:
    """Return what a person reads when the server is up."""
    from parley import __version__

    models = [model for model in catalog.models() if model.enabled]
    if not models:
        words = f"none yet: describe them in {settings.models_file}"
    elif catalog.demo_only:
        words = (
            f"{len(models)} built-in demo models; to meet real ones, describe them in {settings.models_file}"
        )
    else:
        words = f"{len(models)} from {settings.models_file}" if settings.models else str(len(models))
    lines = [
        f"Parley {__version__} is ready.",
        "",
        f"  Page    {settings.url}",
        f"  Models  {words}",
        f"  Data    {settings.data_dir}",
        "",
        "Ctrl-C stops it.",
    ]
    return "\n".join(lines)


def _welcome(settings: "Settings", text: str) -> None:
    """Once the server answers, say so and open the page where there is a desktop."""
    import webbrowser

    from parley.settings import environment

    deadline = time.monotonic() + START_LIMIT_S
    while time.monotonic() < deadline:
        try:
            socket.create_connection((_bare(settings.host), settings.port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
            continue
        say(text)
        if settings.open_browser and has_desktop(sys.platform, environment()):
            webbrowser.open(settings.url)
        return


def has_desktop(platform: str, variables: Mapping[str, str]) -> bool:
    """Tell whether a browser window can open here and be seen by whoever started Parley."""
    if "SSH_CONNECTION" in variables:
        return False
    return platform in ("darwin", "win32") or bool(
        variables.get("DISPLAY") or variables.get("WAYLAND_DISPLAY")
    )


def _bare(host: str) -> str:
    return host.removeprefix("[").removesuffix("]")
