"""Which version of the program this is."""


def version() -> str:
    """The installed version; a checkout that is not installed has none of its own."""
    from importlib import metadata

    try:
        return metadata.version("reviser-bot")
    except metadata.PackageNotFoundError:
        return "0+checkout"
