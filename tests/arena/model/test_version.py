"""Name and version of the installed package."""

from importlib.metadata import version

import pytest

from arena.model.version import installed_version, package_name


def test_version_of_the_package_if_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert package_name() == "take-stones-arena"
    assert installed_version() == version(package_name())
    monkeypatch.setattr("arena.model.version.entry_points", lambda **_: [])
    assert (package_name(), installed_version()) == ("unknown", "unknown")
