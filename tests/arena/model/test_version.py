"""Name and version of the installed package."""

from importlib.metadata import version

import pytest

from arena.model.version import installed_version, package_name


def test_version_of_the_installed_package() -> None:
    assert package_name() == "take-stones-arena"
    assert installed_version() == version(package_name())


def test_version_without_an_installed_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.model.version.entry_points", lambda **_: [])
    assert (package_name(), installed_version()) == ("unknown", "unknown")
