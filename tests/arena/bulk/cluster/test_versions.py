"""Comparison of versions."""

import platform

import msgspec
from distributed.versions import get_versions

from arena.bulk.cluster.versions import (
    difference,
    installed_versions,
    reported_versions,
    required_packages,
)

HERE = {"python": "3.11.7", "msgspec": "0.20.0"}


def test_dask_reports_the_versions_that_are_installed() -> None:
    packages = required_packages()
    here = installed_versions(packages)
    assert here["python"] == platform.python_version()
    assert here["msgspec"] == msgspec.__version__
    assert difference(here, reported_versions(get_versions(packages))) is None


def test_missing_packages_have_no_version() -> None:
    assert installed_versions(["no-such-package"])["no-such-package"] is None


def test_other_packages_are_not_compared() -> None:
    assert difference(HERE, {**HERE, "numpy": "2.0"}) is None


def test_difference_names_both_versions() -> None:
    there = {**HERE, "msgspec": "0.19.0"}
    assert difference(HERE, there) == "msgspec is 0.19.0 there and 0.20.0 here"


def test_difference_names_a_missing_package() -> None:
    assert difference(HERE, {"python": "3.11.7"}) == "msgspec is missing there and 0.20.0 here"
    missing = {**HERE, "msgspec": None}
    assert difference(missing, HERE) == "msgspec is 0.20.0 there and missing here"
