"""Architecture: the diagram has the packages at the levels that import-linter checks."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "contributing" / "architecture.md").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def diagram_levels() -> list[set[str]]:
    """Return the packages of each level of the diagram, from the highest."""
    blocks = re.findall(r"subgraph L\d \[.*?\]\n(.*?)    end\n", TEXT, re.S)
    return [{*re.findall(r"^ +(\w+)\[", block, re.M)} for block in blocks]


def test_the_diagram_has_all_packages_and_the_modules_exist() -> None:
    contracts = PROJECT["tool"]["importlinter"]["contracts"]
    [layers] = [contract["layers"] for contract in contracts if contract.get("containers")]
    levels = [{*re.findall(r"\w+", layer)} for layer in layers]
    assert diagram_levels() == [level for level in levels if level != {"__main__"}]
    packages = {path.parent.name for path in (ROOT / "arena").glob("*/__init__.py")}
    assert packages <= set().union(*diagram_levels())
    steps = TEXT.split("1. A frame")[1].split("## ")[0]
    modules = re.findall(r"`(\w+)\.(\w+)`", steps)
    assert len(modules) > 5
    for package, module in modules:
        assert (ROOT / "arena" / package / f"{module}.py").exists()
