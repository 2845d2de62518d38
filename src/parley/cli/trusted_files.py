"""The addresses that a file would send questions to, told to the person who is about to trust it."""

from pathlib import Path


def addresses_of(file: Path, content: bytes) -> list[str]:
    """Return the addresses of a model list with the variables of their keys; none for settings.

    Raises ParleyError for a file that can't be used when it is found in a folder.
    """
    from parley.features.catalog.opening import build_registry
    from parley.features.catalog.service import read_entries
    from parley.settings import SettingsError
    from parley.settings_loading import check_found_settings, environment
    from parley.text.located_yaml import LocatedError, parse_yaml

    try:
        text = content.decode()
        if file.name == "parley.yaml":
            check_found_settings(file, parse_yaml(text, environment()))
            return []
    except (UnicodeDecodeError, LocatedError) as error:
        raise SettingsError(f"{file}: {error}.", "It was not trusted.") from None
    connectors = build_registry().connectors.keys()
    entries = read_entries(
        text, source=str(file), connectors=connectors, variables=environment(), restricted=True
    )
    return [
        f"{provider.base_url or provider.connector}{' with a key' if provider.api_key else ''}"
        for provider in entries.providers
    ]
