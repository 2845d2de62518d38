"""`parley serve`: starts the server, prints its address, and opens the page."""

import asyncio
import errno
import socket
import sys
import threading
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from parley.cli.options import ConfigOption, DataDirOption, ModelsOption
from parley.cli.terminal import say, say_notice
from parley.cli.trust import offer_trust

if TYPE_CHECKING:
    from parley.features.catalog.service import CatalogService
    from parley.settings import Settings

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
        str | None, typer.Option(help="debug, info (default), warning or error.", show_default=False)
    ] = None,
) -> None:
    """Start Parley."""
    from parley.settings_loading import load_settings

    offer_trust(config, models)
    settings = load_settings(
        {
            "host": host,
            "port": port,
            "data_dir": data_dir,
            "config": config,
            "models": models,
            "open_browser": False if no_open else None,
            "log_level": log_level,
        },
        notify=say_notice,
    )
    settings = settings.model_copy(update={"port": free_port(settings.host, settings.port)})

    from parley.features.catalog.opening import read_catalog

    text = start_text(settings, asyncio.run(read_catalog(settings)))
    threading.Thread(target=_welcome, args=(settings, text), daemon=True).start()
    try:
        from parley.serving import run

        run(settings)
    except KeyboardInterrupt:
        say("Stopped.")


def free_port(host: str, port: int) -> int:
    """Return a port to listen on: the given one, or a free one for 0. Raises Unavailable."""
    from parley.kernel.errors import Unavailable

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        if sys.platform != "win32":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host.strip("[]"), port))
        except OSError as error:
            in_use = error.errno == errno.EADDRINUSE
            reason = "another program uses it" if in_use else error.strerror
            raise Unavailable(
                f"Can't listen on {host}, port {port}: {reason}.",
                f"{'Parley may be running already. Otherwise choose' if in_use else 'Choose'} another port: "
                "parley serve --port 8401",
                code="port_taken",
            ) from None
        return int(probe.getsockname()[1])


def start_text(settings: "Settings", catalog: "CatalogService") -> str:
    """Return what is printed once the server is up."""
    from parley import __version__

    models = [model for model in catalog.models() if model.enabled]
    if not models:
        words = f"none yet. Add them on the page, or in {settings.models_file}"
    elif catalog.demo_only:
        words = f"{len(models)} built-in demo models. Add your own on the page, or in {settings.models_file}"
    else:
        stored = sum(catalog.card(model).source == "database" for model in models)
        words = (
            f"{len(models)} from {settings.models_file}"
            if settings.models and not stored
            else str(len(models))
        )
    return (
        f"Parley {__version__} is ready.\n\n"
        f"  Page    {settings.url}\n"
        f"  Models  {words}\n"
        f"  Data    {settings.data_dir}\n\n"
        "Press Ctrl-C to stop."
    )


def _welcome(settings: "Settings", text: str) -> None:
    """Wait until the server answers, print the text, and open the page if there is a desktop."""
    import webbrowser

    from parley.settings_loading import environment

    deadline = time.monotonic() + START_LIMIT_S
    while time.monotonic() < deadline:
        try:
            socket.create_connection((settings.host.strip("[]"), settings.port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
            continue
        say(text)
        if settings.open_browser and has_desktop(sys.platform, environment()):
            webbrowser.open(settings.url)
        return


def has_desktop(platform: str, variables: Mapping[str, str]) -> bool:
    """Return whether a browser would open on the screen of the person who started Parley."""
    display = variables.get("DISPLAY") or variables.get("WAYLAND_DISPLAY")
    return "SSH_CONNECTION" not in variables and (platform in ("darwin", "win32") or bool(display))
