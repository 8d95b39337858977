"""The notebook in examples/ runs from its first cell to the last, and shows what it announces."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from traitlets.config import Config

FILE = Path(__file__).parents[2] / "examples" / "tournament.ipynb"
FOLDERS = ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")
LIMIT = 600  # seconds for a cell, and for the start of its process


def read() -> Any:
    return nbformat.read(FILE, as_version=4)  # type: ignore[no-untyped-call]


def execute(notebook: Any) -> list[dict[str, Any]]:
    """Execute a notebook; return what each output shows, by its type, from first to last."""
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        for name in FOLDERS:
            patch.setenv(name, folder)
        # Files, as ports that are free now may be taken before the kernel listens on them.
        sockets = Config(KernelManager={"transport": "ipc", "ip": f"{folder}/kernel"})
        client = NotebookClient(notebook, timeout=LIMIT, startup_timeout=LIMIT, config=sockets)
        client.execute(cwd=folder)
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return [dict(output.get("data", {})) for output in outputs]


def test_every_cell_shows_what_it_announces() -> None:
    shown = execute(read())
    [standings] = [
        data["text/html"] for data in shown if "<th>elo</th>" in data.get("text/html", "")
    ]
    for bot in ("random", "greedy", "spec:2", "spec:6", "perfect"):
        assert f"<td>{bot}</td>" in standings
    pictures = [data["text/plain"] for data in shown if "image/svg+xml" in data]
    assert [text[:12] for text in pictures] == ["<IPython.cor", "Board(24, ta", "Board(20, ta"]
    solution, found, is_winning = (data["text/plain"] for data in shown[-3:])
    assert solution.startswith("Solution(winner=1, winning_moves=[2, 12], ")
    assert found.startswith("SearchResult(move=2, value=")
    assert is_winning == "True"


def test_the_notebook_is_stored_without_outputs() -> None:
    cells = [cell for cell in read().cells if cell.cell_type == "code"]
    assert len(cells) > 10
    assert all(not cell.outputs and cell.execution_count is None for cell in cells)
