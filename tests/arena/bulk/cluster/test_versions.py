"""Comparison of versions."""

import platform

import msgspec
import pytest
from distributed.versions import get_versions

from arena.bulk.cluster.versions import (
    difference,
    installed_versions,
    reported_versions,
    required_packages,
)

HERE = {"python": "3.11.7", "msgspec": "0.20.0"}


def test_versions_are_reported_if_there_are_any() -> None:
    packages = required_packages()
    here = installed_versions(packages)
    assert here["python"] == platform.python_version()
    assert here["msgspec"] == msgspec.__version__
    assert difference(here, reported_versions(get_versions(packages))) is None
    assert installed_versions(["no-such-package"])["no-such-package"] is None


@pytest.mark.parametrize(
    ("here", "there", "expected"),
    [
        (HERE, {**HERE, "numpy": "2.0"}, None),
        (HERE, {**HERE, "msgspec": "0.19.0"}, "msgspec is 0.19.0 there and 0.20.0 here"),
        (HERE, {"python": "3.11.7"}, "msgspec is missing there and 0.20.0 here"),
        ({**HERE, "msgspec": None}, HERE, "msgspec is 0.20.0 there and missing here"),
    ],
)
def test_difference_names_both_versions(
    here: dict[str, str | None], there: dict[str, str | None], expected: str | None
) -> None:
    assert difference(here, there) == expected
