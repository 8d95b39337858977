"""Commands `arena tournament` and `arena class`.

Their options are in tournament_options; the help imports no module that plans or plays.
"""

from dataclasses import dataclass

from arena.cli.tournament_options import ClassConfig, TournamentConfig


@dataclass(frozen=True)
class TournamentCommand(TournamentConfig):
    """Command `arena tournament`."""

    def run(self) -> int:
        """Play the tournament, or the rest of it, and return the exit status."""
        from arena.cli.playing import play

        return play(self)


@dataclass(frozen=True, kw_only=True)
class ClassCommand(ClassConfig):
    """Command `arena class`."""

    def run(self) -> int:
        """Build the programs, play the tournament or the rest of it, and return the exit status."""
        from arena.cli.class_tournament import prepare
        from arena.cli.playing import play

        with prepare(self) as config:
            return play(config, are_checked=True)
