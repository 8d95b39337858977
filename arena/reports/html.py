"""Report on a tournament as a self-contained HTML file that loads nothing from the network."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TextIO

from arena.analysis.accuracy import Accuracy
from arena.model.results import FORFEITS, MatchRecord
from arena.protocol.plots import Panel
from arena.reports.chart import rating_chart
from arena.reports.crosstable import side_texts
from arena.reports.plots.panel import SIZE
from arena.reports.text import (
    GameStandings,
    accuracy_percent,
    counted,
    disconnected_groups_text,
    first_move_text,
    matches_text,
    rating_text,
)
from arena.tournament.plan import Plan
from arena.tournament.standings import head_to_head

if TYPE_CHECKING:
    from jinja2 import Template

GAMES_PER_BATCH = 100  # laid out together by the browser, once they are scrolled into view


@dataclass(frozen=True)
class Report:
    """Contents of a report as plain data, without HTML.

    Attributes:
        title: Title and main heading.
        facts: Name and text of each fact about the tournament.
        games: Standings by the name of the game.
        matches: Matches with their moves, read once.
        sprt_lines: State of the sequential test, if there is one.
        blocks: Heading and preformatted text of further sections.
        left_out: Number of matches that the page does not show.
        export: Command that exports all matches.
        plots: The plots by the name of the game.
    """

    title: str
    facts: Sequence[tuple[str, str]]
    games: Mapping[str, GameStandings]
    matches: Iterable[MatchRecord]
    sprt_lines: Sequence[str] = ()
    blocks: Sequence[tuple[str, str]] = ()
    left_out: int = 0
    export: str = ""
    plots: Mapping[str, Sequence[Panel]] = field(default_factory=dict)


def plan_facts(plan: Plan, finished: int | None = None) -> list[tuple[str, str]]:
    """Return the facts about a tournament, each a name and a text.

    Args:
        plan: The plan.
        finished: The number of finished matches to name; None for none.
    """
    matches = f"at most {plan.matches}" if plan.may_end_early else f"{plan.matches}"
    openings = f"{', '.join(map(str, plan.plies))} random plies"
    if plan.format == "grid":
        openings += ", another opening for each pair of matches"
    setups = "; ".join(
        ", ".join(f"{name} {value}" for name, value in setup.items()) for setup in plan.setups
    )
    facts = {
        "Bots": ", ".join(
            name if name == spec else f"{name} ({spec})" for name, spec in plan.bots.items()
        ),
        "Matches": matches if finished is None else f"{finished} of {matches}",
        "Time": plan.times_text,
        "Openings": f"a book of {len(plan.book)}" if plan.book else openings,
        "Setups": "" if plan.book else setups,
        "Seed": f"{plan.seed}",
    }
    return [(name, text) for name, text in facts.items() if text]


def write_report(out: TextIO, report: Report) -> None:
    """Write a report as HTML piece by piece, with one batch of games in memory at a time."""
    template = load_template(
        "report.html",
        FORFEITS=sorted(FORFEITS),
        GAMES_PER_BATCH=GAMES_PER_BATCH,
        NO_ACCURACY=Accuracy(),
        accuracy_percent=accuracy_percent,
        counted=counted,
        disconnected_groups_text=disconnected_groups_text,
        first_move_text=first_move_text,
        head_to_head=head_to_head,
        heat=heat,
        matches_text=matches_text,
        move_list=move_list,
        rating_chart=rating_chart,
        plot_size=SIZE,
        rating_text=rating_text,
        side_texts=side_texts,
    )
    out.writelines(template.generate(report=report))


def load_template(name: str, package: str = "arena.reports", **names: object) -> Template:
    """Return a template of a report, which may extend `page.html`.

    Args:
        name: The name of its file.
        package: The package that it belongs to.
        names: Functions and constants that it uses.
    """
    import jinja2  # slow to import, and needed only here

    environment = jinja2.Environment(
        loader=jinja2.ChoiceLoader(
            [jinja2.PackageLoader(package), jinja2.PackageLoader("arena.reports")]
        ),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals = names
    return environment.get_template(name)


def heat(chance: float) -> int:
    """Return the strength of a probability's background color in percent.

    It is 0 for a probability of one half, and 50 for certainty, so that the text stays readable.
    """
    return round(100 * abs(chance - 0.5))


def move_list(record: MatchRecord) -> str:
    """Format the moves as lines, with times in milliseconds; moves of the opening have none.

    Each line, including the header, has the seven columns that the script of the page parses.
    """
    rows = [_line("ply", "player", "move", "elapsed", "credit", "charged", "lag")]
    rows += [
        _line(ply, 1 + ply % 2, move, ".", ".", ".", ".")
        for ply, move in enumerate(record.pairing.opening)
    ]
    for played in record.moves:
        times = (played.elapsed, played.credit, played.charged, played.lag)
        milliseconds = (f"{1000 * seconds:.1f}" for seconds in times)
        rows.append(_line(played.ply, 1 + played.ply % 2, played.move, *milliseconds))
    return "\n".join(rows)


def _line(*words: object) -> str:
    return "{:>4} {:>6} {:>6} {:>9} {:>7} {:>9} {:>7}".format(*words)
