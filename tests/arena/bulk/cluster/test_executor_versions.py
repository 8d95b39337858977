"""Comparison of versions."""

from typing import Any

import msgspec
import pytest
from distributed.versions import get_versions

from arena.bulk.cluster.executor import difference, required_packages


def there(**packages: str | None) -> dict[str, Any]:
    """Return the report of a process that differs from this one in some packages."""
    report = get_versions(required_packages())
    return {"packages": {**report["packages"], **packages}}


@pytest.mark.parametrize(
    ("packages", "expected"),
    [
        ({}, None),
        ({"numpy": "0.1"}, None),
        ({"msgspec": "0.1"}, f"msgspec is 0.1 there and {msgspec.__version__} here"),
        ({"msgspec": None}, f"msgspec is missing there and {msgspec.__version__} here"),
    ],
)
def test_difference_names_both_versions(
    packages: dict[str, str | None], expected: str | None
) -> None:
    assert difference(there(**packages)) == expected


def test_python_must_be_the_same() -> None:
    found = difference(there(python="3.9.1.final.0"))
    assert found
    assert found.startswith("python is 3.9.1.final.0 there and ")
