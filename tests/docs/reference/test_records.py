"""Match records: the examples and tables of the page are correct."""

import csv
import io
import re
from pathlib import Path

from arena.cli.commands.records import COLUMNS, FORMATS
from arena.model.results import MatchRecord
from arena.model.time_control import Charge
from arena.storage import jsonl, pgn
from arena.storage.record import ROSTER
from arena.storage.verify import ROUNDING, find_differences
from tests.support.cases import loop_over

DOCS = Path(__file__).parents[3] / "docs" / "reference"
TEXT = (DOCS / "records.md").read_text()
PARSERS = {"pgn": pgn.parse, "jsonl": jsonl.parse}


def example(name: str) -> str:
    """Return the example of a format."""
    [found] = re.findall(rf"^```{name}\n(.*?)^```$", TEXT, re.M | re.S)
    return str(found)


def parsed(name: str) -> tuple[str | None, list[MatchRecord]]:
    plan, records = PARSERS[name](example(name).splitlines())
    return plan, [record for _, record in records]


def column(place: int) -> set[str]:
    """Return the names in a column of the table of fields."""
    table = TEXT.split("| pgn | jsonl | csv | meaning |\n")[1].split("\n\n")[0].splitlines()[1:]
    return {name for row in table for name in re.findall(r"`(\w+)`", row.split("|")[place])}


@loop_over("name", FORMATS)
def test_an_example_is_written_as_shown(name: str) -> None:
    plan, records = parsed("jsonl")
    assert plan
    chosen = FORMATS[name]
    written = chosen.head + chosen.plan(plan) + "".join(map(chosen.match, records))
    assert written == example(name)


def test_examples_agree_and_everything_is_explained() -> None:
    assert parsed("pgn") == parsed("jsonl")
    assert [find_differences(record) for record in parsed("pgn")[1]] == [[], []]
    assert [record.fault is None for record in parsed("pgn")[1]] == [True, False]
    assert column(1) == {*pgn.TAG_PARSERS, *ROSTER}
    assert column(2) == {*jsonl.MatchLine.__struct_fields__} - {"moves", "fault"}
    assert column(3) == {*COLUMNS} - {"moves", "charged1", "charged2", "credit1", "credit2"}
    assert next(csv.reader(io.StringIO(example("csv")))) == [*COLUMNS]
    assert re.findall(r"^\| `(\w+)` \| [^|]+ \|$", TEXT, re.M) == [*Charge.__struct_fields__]
    assert (ROUNDING, "a microsecond" in TEXT) == (1e-6, True)
    links = re.findall(r"\]\((.+?)#(.+?)\)", TEXT)
    settings = ("../guide/run-a-tournament.md", "settings-of-single-bots")
    sections = ("finished", "resign", "move")
    assert links == [*(("protocol.md", section) for section in sections), settings]
    for section in sections:
        assert f"\n### {section}\n" in (DOCS / "protocol.md").read_text()
    assert "\n### Settings of single bots\n" in (DOCS / settings[0]).read_text()
