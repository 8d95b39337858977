"""The reference of the public Python API builds and has its names (`make docs`)."""

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
[MODULES] = [
    line.split() for line in re.findall(r"^API := (.+)$", (ROOT / "Makefile").read_text(), re.M)
]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the built reference."""
    folder = tmp_path_factory.mktemp("api")
    command = [sys.executable, "-m", "pdoc", "--docformat", "google", "--output-directory"]
    built = subprocess.run(
        [*command, str(folder), *MODULES], check=True, cwd=ROOT, capture_output=True, text=True
    )
    assert "Error parsing type stubs" not in built.stderr
    return folder


@pytest.mark.parametrize("module", MODULES)
def test_a_module_has_a_page_with_its_public_names(pages: Path, module: str) -> None:
    page = (pages / module.replace(".", "/")).with_suffix(".html").read_text()
    documented = set(re.findall(r'<section id="(\w+)"', page))
    public = getattr(importlib.import_module(module), "__all__", [])
    assert documented
    assert documented >= {*public}


@pytest.mark.parametrize("package", ["core", "arena", "bots"])
def test_a_package_with_public_modules_is_typed(package: str) -> None:
    assert (ROOT / package / "py.typed").exists()
