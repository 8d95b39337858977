"""The modules of environments that the package has for each game."""

import re
import sys
from importlib import import_module
from subprocess import run

import pytest

import arena.integrations
from arena.integrations import isolation_v0, take_stones_v0
from arena.integrations.openspiel_family import INSTALL
from tests.support.cases import loop_over


def test_each_game_has_a_module() -> None:
    assert take_stones_v0.__name__ == "arena.integrations.take_stones_v0"
    assert take_stones_v0.env(stones=7).moves == range(1, 8)
    assert isolation_v0.raw_env().metadata["name"] == "isolation_v0"


@loop_over("name", ["take_stones", "take_stones_v1", "chess_v0", "_v0"])
def test_other_names_are_unknown(name: str) -> None:
    with pytest.raises(AttributeError, match=f"has no attribute '{name}'"):
        getattr(arena.integrations, name)


def test_the_libraries_are_imported_only_with_an_integration() -> None:
    libraries = ("gymnasium", "pettingzoo", "pyspiel")
    code = (
        "import sys, arena.integrations, arena.cli.parser;"
        f" print(set(sys.modules) & {{*{libraries}}})"
    )
    done = run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@loop_over(
    "integration, library, text",
    ("gymnasium", "gymnasium", "Gymnasium is not installed: pip install gymnasium"),
    ("pettingzoo", "pettingzoo", "PettingZoo is not installed: pip install petting"),
    ("openspiel", "pyspiel", INSTALL),
)
def test_a_missing_library_is_named(integration: str, library: str, text: str) -> None:
    module = f"arena.integrations.{integration}"
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in sys.modules if name.startswith(module)]:
            patch.delitem(sys.modules, name)
        patch.setitem(sys.modules, library, None)
        with pytest.raises(ModuleNotFoundError, match=f"^{re.escape(text)}"):
            import_module(module)
