"""Version of the installed package."""

from importlib.metadata import version

import pytest

from arena.model.version import installed_version


def test_version_of_the_installed_package() -> None:
    assert installed_version() == version("take-stones-arena")


def test_version_without_an_installed_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.model.version.entry_points", lambda **_: [])
    assert installed_version() == "unknown"
