"""Shares of programs with one change that the diagnosis names rightly and wrongly.

    python -m bench.grading.diagnosis [--others 80] [--seed 1] [--held-out] [--jobs 2]

It needs Java, Node.js and a C compiler. A third of the programs is held out: only `--held-out`
shows it, and nothing is adapted to it. A name is right if it is the name of the change and if
further cases, which the diagnosis has not seen, do not contradict it.
"""

import argparse
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from arena.grading.cases import Case, make_cases
from arena.grading.diagnosis.diagnose import Diagnosis, diagnose
from arena.grading.diagnosis.fit import Sample
from arena.grading.diagnosis.search import Searches
from bench.grading.mutants import Mutant, mutants
from bench.grading.running import run_all
from core.take_stones.six_lines import LABELS, find_values

CASES, SEED, SECONDS = 20, 4711, 0.05  # of the diagnosis
FURTHER, FURTHER_SEED, FURTHER_SECONDS = 40, 99, 0.01
UNUSABLE = ("no answer", "equivalent", "not shown")


def main() -> None:
    """Diagnose the programs and print the shares."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--others", type=int, default=80, help="changes without a name")
    parser.add_argument("--seed", type=int, default=1, help="seed of the others and of the third")
    parser.add_argument("--held-out", action="store_true", help="the third that is held out")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    chosen = [
        mutant
        for mutant in mutants(arguments.others, arguments.seed)
        if mutant.is_held_out(arguments.seed) == arguments.held_out
    ]
    cases = make_cases(CASES, SEED, SECONDS)
    known = {case.position for case in cases}
    further = make_cases(FURTHER, FURTHER_SEED, FURTHER_SECONDS)
    further = [case for case in further if case.position not in known]
    _print_shares(chosen, cases, further, _outputs(chosen, [*cases, *further], arguments.jobs))


def _outputs(chosen: Sequence[Mutant], cases: Sequence[Case], jobs: int) -> list[list[str]]:
    folder = Path(tempfile.mkdtemp())
    try:
        files = [folder / mutant.write(folder) / mutant.file for mutant in chosen]
        return run_all(files, [case.arguments for case in cases], jobs)
    finally:
        shutil.rmtree(folder)


def _print_shares(
    chosen: Sequence[Mutant],
    cases: Sequence[Case],
    further: Sequence[Case],
    outputs: Sequence[Sequence[str]],
) -> None:
    searches, tally = Searches(), Counter[tuple[bool, str]]()
    begin = time.monotonic()
    for mutant, texts in zip(chosen, outputs, strict=True):
        seen = answered(cases, texts)
        unseen = answered(further, texts[len(cases) :])
        diagnosis = diagnose(seen, searches)
        verdict = verdict_on(mutant, seen, unseen, diagnosis, searches)
        tally[bool(mutant.name), verdict] += 1
        if verdict not in ("right", "equivalent"):
            print(
                f"{verdict:12} {mutant.file:15} {mutant.name or mutant.change}: {_said(diagnosis)}"
            )
    print(f"{time.monotonic() - begin:.1f} s for {len(chosen)} diagnoses, each made twice\n")
    for is_named, title in ((True, "changes with a name"), (False, "other changes")):
        counts = {verdict: n for (named, verdict), n in tally.items() if named == is_named}
        usable = sum(n for verdict, n in counts.items() if verdict not in UNUSABLE)
        print(f"{title}: {usable} that change a line of these cases")
        for verdict, number in sorted(counts.items(), key=lambda item: -item[1]):
            share = "" if verdict in UNUSABLE else f" ({number / usable:.1%})"
            print(f"  {verdict}: {number}{share}")


def answered(cases: Sequence[Case], texts: Sequence[str]) -> list[Sample]:
    """Return the cases that a program has answered."""
    answers = [(case, find_values(text)) for case, text in zip(cases, texts, strict=False)]
    return [
        Sample(
            case.number,
            case.position,
            case.nodes,
            case.expected,
            tuple(values[label] for label in LABELS),
        )
        for case, values in answers
        if values.keys() >= {*LABELS}
    ]


def verdict_on(
    mutant: Mutant,
    seen: Sequence[Sample],
    unseen: Sequence[Sample],
    diagnosis: Diagnosis,
    searches: Searches,
) -> str:
    """Return what a diagnosis is worth."""
    if not seen:
        return "no answer"
    if not _is_wrong(seen):
        return "not shown" if _is_wrong(unseen) else "equivalent"
    names = _names(diagnosis)
    if diagnosis.is_certain:
        longer = diagnose([*seen, *unseen], searches)
        is_kept = longer.is_certain and _names(longer) == names
        formats = {finding.name for finding in diagnosis.formats}
        is_name = names == [{mutant.name}] if names else mutant.name in formats
        return "right" if is_kept and (is_name or not mutant.name) else "WRONG"
    if any(mutant.name in alternative for alternative in names):
        return "suspected"
    return "other guess" if names else "silent"


def _is_wrong(samples: Sequence[Sample]) -> bool:
    return any(sample.got != sample.expected for sample in samples)


def _names(diagnosis: Diagnosis) -> list[set[str]]:
    return [{finding.name for finding in found} for found in diagnosis.alternatives]


def _said(diagnosis: Diagnosis) -> str:
    found = " or ".join(" + ".join(sorted(names)) for names in _names(diagnosis))
    return f"{found or '-'} {diagnosis.agreeing}"


if __name__ == "__main__":
    main()
