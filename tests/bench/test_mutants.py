"""Programs with one change: the changes apply, and the diagnosis names them."""

from collections import Counter
from pathlib import Path

import pytest

from arena.grading.cases import make_cases
from arena.grading.diagnosis.diagnose import FORMATS, diagnose
from arena.grading.diagnosis.explanation import MERGED, ROUNDINGS
from arena.grading.diagnosis.lines import FORMS, FORMULAS
from arena.grading.diagnosis.search import Searches
from arena.grading.diagnosis.variants import VARIANTS
from bench.grading.diagnosis import answered, verdict_on
from bench.grading.mutants import PROGRAMS, exchanged, mutants, named_mutants
from bench.grading.running import run_all

NAMES = {
    *(variant.name for variant in VARIANTS),
    *(form.name for forms in FORMS.values() for form in forms),
    *(formula.name for formula in FORMULAS),
    *(part.name for part in ROUNDINGS.values()),
    *(part.name for part in MERGED.values()),
    *(part.name for part, _ in FORMATS),
}


def test_every_change_is_one_of_a_known_misreading() -> None:
    found = [mutant for path in PROGRAMS for mutant in named_mutants(path)]
    assert len(found) > 300
    assert {mutant.name for mutant in found} <= NAMES
    assert len({mutant.text for mutant in found}) == len(found)


def test_operators_are_exchanged_one_at_a_time() -> None:
    for path in PROGRAMS:
        text = path.read_text().splitlines()
        for mutant in exchanged(path):
            changed = [
                old for old, new in zip(text, mutant.text.splitlines(), strict=True) if old != new
            ]
            assert len(changed) == 1


def test_a_third_is_held_out_and_others_are_drawn() -> None:
    found = mutants(others=50, seed=1)
    assert found == mutants(others=50, seed=1)
    assert sum(not mutant.name for mutant in found) == 50
    assert 0.25 < sum(mutant.is_held_out(1) for mutant in found) / len(found) < 0.42


@pytest.mark.slow
@pytest.mark.unmeasured
def test_single_changes_in_python_are_named(tmp_path: Path) -> None:
    found = [one for one in named_mutants(PROGRAMS[-1]) if not one.is_held_out(1)][::3]
    files = [tmp_path / mutant.write(tmp_path) / mutant.file for mutant in found]
    cases = make_cases(20, seed=4711, seconds=0.003)
    further = make_cases(10, seed=99, seconds=0.001)
    outputs = run_all(files, [case.arguments for case in (*cases, *further)], jobs=1)
    searches, verdicts = Searches(), Counter[str]()
    for mutant, texts in zip(found, outputs, strict=True):
        seen, unseen = answered(cases, texts), answered(further, texts[len(cases) :])
        verdicts[verdict_on(mutant, seen, unseen, diagnose(seen, searches), searches)] += 1
    assert not verdicts["WRONG"]
    assert verdicts["right"] >= 0.9 * len(found)
