"""`parley share`: turns a personal installation into a shared one."""

from typing import TYPE_CHECKING

from parley.cli.options import with_settings
from parley.cli.terminal import say
from parley.cli.users import EmailOption, NameOption, PasswordOption
from parley.text.controls import in_one_line

if TYPE_CHECKING:
    from parley.settings import Settings


@with_settings(models=False)
def share(settings: "Settings", email: EmailOption, name: NameOption, password: PasswordOption) -> None:
    """Turn a personal installation into a shared one. You become its administrator and keep everything."""
    from parley.cli.client import ask_server

    account = {"email": email, "name": name, "password": password}
    ask_server(settings, lambda client: client.send("POST", "/api/me/account", account))
    say(
        f"{in_one_line(name)} is the administrator. Start Parley with PARLEY_MODE=shared, and with PARLEY_PUBLIC_URL "
        "if people reach it from elsewhere. Then sign in, and invite people under Settings, People."
    )
