"""Version of the installed package."""

from importlib.metadata import entry_points


def installed_version() -> str:
    """Return the version of the package that provides the command `arena`, or "unknown"."""
    commands = entry_points(group="console_scripts", name="arena")
    found = [command.dist.version for command in commands if command.dist]
    return found[0] if found else "unknown"
