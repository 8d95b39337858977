"""The knockout system: who loses a meeting is out, until one bot is left.

The bracket follows from nothing but the bots in order and the scores. So the order in which scores
arrive does not matter, and a tournament is resumed by running it anew. Pure.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, TypeVar

from arena.tournament.round_robin import Encounter, Scores, check_bots

T = TypeVar("T")


class Decision(StrEnum):
    """How a meeting was decided."""

    PLAYED = "played"
    SUDDEN_DEATH = "sudden death"
    SEED = "seed"
    BYE = "bye"


class Meeting(NamedTuple):
    """Two bots of which one goes on; None stands for one that is not yet known, or for a bye.

    `wins` are the matches that each has won so far. `winner` and `decided` are None until the
    meeting is over.
    """

    players: tuple[str | None, str | None]
    wins: tuple[int, int] = (0, 0)
    winner: str | None = None
    decided: Decision | None = None


NOTES: dict[Decision | None, str] = {
    Decision.SUDDEN_DEATH: "  (sudden death)",
    Decision.SEED: "  (level, better seed)",
}
TITLES = {1: "Final", 2: "Semifinals", 4: "Quarterfinals"}


def most_encounters(bots: int, pairs: int) -> int:
    """The most encounters that a knockout can have, and the highest number that one can have."""
    return (bots - 1) * 2 * pairs


def knockout(bots: Sequence[str], pairs: int, scores: Scores) -> Iterator[Encounter | None]:
    """The encounters of a knockout; None says that the next depend on scores that are not in yet.

    See `Knockout` for the rules and the ValueErrors.
    """
    return Knockout(bots, pairs, scores).encounters()


def bracket(bots: Sequence[str], pairs: int, scores: Scores) -> list[list[Meeting]]:
    """The meetings of each round after these scores, the final last. See `Knockout`."""
    return Knockout(bots, pairs, scores).bracket()


class Knockout:
    """A knockout of bots in order of seeding; `scores` may grow meanwhile.

    The two best seeds can meet only in the final, the best four only in the semifinals, and so on.
    If the number of bots is no power of two, the best seeds have a bye in the first round.

    A meeting is the best of `pairs` encounters, and over as soon as one bot cannot be caught up
    with. If it is level after them, the next encounter that is not 1-1 decides. Perfect bots would
    go on for ever, so after as many encounters again the better seed goes on.

    ValueError for fewer than 2 bots or a name that is there twice.
    """

    def __init__(self, bots: Sequence[str], pairs: int, scores: Scores) -> None:
        check_bots(bots)
        self._seeds = {bot: seed for seed, bot in enumerate(bots)}
        self._pairs = pairs
        self._scores = scores
        self._rounds = _empty(bots)
        contested = [
            (turn, place)
            for turn, meetings in enumerate(self._rounds)
            for place, meeting in enumerate(meetings)
            if not meeting.decided
        ]
        self._numbers = {
            where: range(block * 2 * pairs + 1, (block + 1) * 2 * pairs + 1)
            for block, where in enumerate(contested)
        }
        # The encounters of each meeting that are played, whatever the scores that are missing.
        self._wanted: dict[tuple[int, int], list[Encounter]] = {where: [] for where in contested}

    def encounters(self) -> Iterator[Encounter | None]:
        """All encounters; None while the next depend on missing scores.

        Meetings run side by side, each as soon as its players are known, and so do the encounters
        of a meeting that are needed whatever their scores. Every meeting owns as many numbers as it
        can need, so that there are gaps. All meetings of a round have the same openings.
        """
        asked = dict.fromkeys(self._wanted, 0)
        while True:
            over = self._is_over()
            new = [
                encounter
                for where, wanted in self._wanted.items()
                for encounter in wanted[asked[where] :]
            ]
            asked = {where: len(wanted) for where, wanted in self._wanted.items()}
            yield from new
            if over:
                return
            if not new:
                yield None

    def bracket(self) -> list[list[Meeting]]:
        """The meetings of each round after the scores so far, the final last."""
        self._is_over()
        return [[*meetings] for meetings in self._rounds]

    def _is_over(self) -> bool:
        """Bring the bracket up to date with the scores. Returns whether there is a champion."""
        for turn, place in self._numbers:
            meeting = self._rounds[turn][place]
            if turn and not meeting.decided:
                above, below = self._rounds[turn - 1][2 * place : 2 * place + 2]
                meeting = Meeting((above.winner, below.winner))
            one, two = meeting.players
            if not meeting.decided and one is not None and two is not None:
                meeting = self._judged(turn, place, (one, two))
            self._rounds[turn][place] = meeting
        return self._rounds[-1][0].decided is not None

    def _judged(self, turn: int, place: int, players: tuple[str, str]) -> Meeting:
        """The meeting of these players after the scores so far, once it wants what it needs."""
        numbers = self._numbers[turn, place]
        scores = [
            score and _turned(score, pair)
            for pair, score in enumerate(map(self._scores.get, numbers))
        ]
        needed, lead = _needed(scores)
        wanted = self._wanted[turn, place]
        for pair in range(len(wanted), needed):
            opening = turn * 2 * self._pairs + pair
            wanted.append(Encounter(numbers[pair], _turned(players, pair), opening))
        known = [score for score in scores if score]
        wins = sum(one for one, _ in known), sum(two for _, two in known)
        if None in scores[:needed]:
            return Meeting(players, wins)
        if not lead:
            better = min(players, key=self._seeds.__getitem__)
            return Meeting(players, wins, better, Decision.SEED)
        decided = Decision.SUDDEN_DEATH if needed > self._pairs else Decision.PLAYED
        return Meeting(players, wins, players[lead < 0], decided)


def _empty(bots: Sequence[str]) -> list[list[Meeting]]:
    """The rounds of a bracket before the first score, in which the first has its players."""
    seeds = [0]
    while len(seeds) < len(bots):
        worst = 2 * len(seeds) - 1
        seeds = [seed for better in seeds for seed in (better, worst - better)]
    first = [
        Meeting((bots[better], bots[worse]))
        if worse < len(bots)
        else Meeting((bots[better], None), winner=bots[better], decided=Decision.BYE)
        for better, worse in zip(seeds[::2], seeds[1::2], strict=True)
    ]
    rounds = [first]
    while len(rounds[-1]) > 1:
        rounds.append([Meeting((None, None))] * (len(rounds[-1]) // 2))
    return rounds


def _turned(both: tuple[T, T], pair: int) -> tuple[T, T]:
    """What belongs to the players of a meeting, swapped in every other of its encounters."""
    return (both[1], both[0]) if pair % 2 else both


def _needed(scores: Sequence[tuple[int, int] | None]) -> tuple[int, int]:
    """How many encounters of a meeting are played for sure, and the first bot's lead after them.

    The lead is in matches, after the scores that are in before the first that is missing.
    """
    pairs = len(scores) // 2
    lead, needed = 0, min(pairs // 2 + 1, len(scores))
    for played, score in enumerate(scores, 1):
        if score is None or played > needed:
            break
        lead += score[0] - score[1]
        # Each encounter more adds at most two to the lead, and takes two from what can be made up.
        certain = (2 * max(0, pairs - played) - abs(lead)) // 4 + 1
        needed = min(played + certain, len(scores))
    return needed, lead


def bracket_text(bots: Sequence[str], pairs: int, scores: Scores) -> str:
    """The bracket after these scores as text, round by round, with the seeds beside the names.

    Ends with the champion, if there is one. See `Knockout`.
    """
    rounds = bracket(bots, pairs, scores)
    seeds: dict[str | None, int] = {bot: seed for seed, bot in enumerate(bots, 1)}
    width = max(map(len, bots))
    lines: list[str] = []
    for meetings in rounds:
        lines.append(TITLES.get(len(meetings), f"Round of {2 * len(meetings)}"))
        lines += [_line(meeting, seeds, width) for meeting in meetings]
        lines.append("")
    champion = rounds[-1][0].winner
    if champion is not None:
        lines.append(f"Champion: {champion}")
    return "\n".join(lines).rstrip("\n") + "\n"


def _line(meeting: Meeting, seeds: Mapping[str | None, int], width: int) -> str:
    """A meeting as a line; the first of its names takes up so many columns."""
    one, two = meeting.players
    left = f"{seeds.get(one, ''):>3} {one or '?':{width}}"
    if meeting.decided is Decision.BYE:
        return f"{left}  bye"
    score = "  -  " if None in meeting.players else f"{meeting.wins[0]} - {meeting.wins[1]}"
    right = f"{two or '?'} {seeds.get(two, '')}".rstrip()
    note = NOTES.get(meeting.decided, "")
    return f"{left}  {score}  {right}{note}"
