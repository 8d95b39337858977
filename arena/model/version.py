"""Name and version of the installed package."""

from importlib.metadata import entry_points


def package_name() -> str:
    """Return the name of the package that provides the command `arena`, or "unknown"."""
    return _installed()[0]


def installed_version() -> str:
    """Return the version of the package that provides the command `arena`, or "unknown"."""
    return _installed()[1]


def _installed() -> tuple[str, str]:
    commands = entry_points(group="console_scripts", name="arena")
    found = [(command.dist.name, command.dist.version) for command in commands if command.dist]
    return found[0] if found else ("unknown", "unknown")
