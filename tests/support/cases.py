"""Loops over the cases of a test: one test for pytest, and one report of all cases that fail.

`pytest.mark.parametrize` makes a test of each case. Each worker collects all of them, which takes
more time than most cases do; it remains for cases that take long, or that need fixtures of their
own.
"""

import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from tests.support.polling import in_event_loop

Fixtures = dict[str, Any]
Test = Callable[..., None]

PARAMETER_SET = type(pytest.param())


def loop_over(names: str | Sequence[str], *cases: Any) -> Callable[[Callable[..., Any]], Test]:
    """Run a test for each case, and raise the errors of all cases that fail as a group.

    Each case has a `tmp_path`, a `db`, a `monkeypatch` and, in an asynchronous test, an event loop
    of its own, and reads its own output.

    Args:
        names: Arguments of the test that the cases are for, as for `pytest.mark.parametrize`.
        cases: Value of the argument, or values of the arguments, for each case; or, as for `max`,
            one iterable of all of them.

    Raises:
        ValueError: There is no case.
        TypeError: A case is a `pytest.param`, which only a test of its own can be.
    """
    cases = cases if len(cases) > 1 else tuple(*cases)
    if any(isinstance(case, PARAMETER_SET) for case in cases):
        raise TypeError("a case of a loop cannot be a pytest.param")
    keys = names.replace(",", " ").split() if isinstance(names, str) else names
    is_single = isinstance(names, str) and len(keys) == 1
    arguments = [dict(zip(keys, (case,) if is_single else case, strict=True)) for case in cases]
    if not arguments:
        raise ValueError("no cases: the test would check nothing")

    def decorate(test: Callable[..., Any]) -> Test:
        run = in_event_loop(test) if inspect.iscoroutinefunction(test) else test

        @functools.wraps(run)
        def loop(**fixtures: Any) -> None:
            errors = [
                error
                for number, case in enumerate(arguments)
                if (error := _error_of(run, case, fixtures, number)) is not None
            ]
            if errors:
                message = f"{len(errors)} of {len(arguments)} cases fail"
                raise BaseExceptionGroup(message, errors)

        signature = inspect.signature(test)
        others = [value for key, value in signature.parameters.items() if key not in keys]
        vars(loop)["__signature__"] = signature.replace(parameters=others)
        return loop

    return decorate


def _error_of(test: Test, case: Fixtures, fixtures: Fixtures, number: int) -> BaseException | None:
    try:
        with _own(fixtures, number) as own:
            test(**own, **case)
    # A skip is an error: it would hide those of other cases.
    except (Exception, pytest.fail.Exception, pytest.skip.Exception) as error:
        error.add_note(f"in case {number}: {case}")
        return error
    return None


@contextmanager
def _own(fixtures: Fixtures, number: int) -> Iterator[Fixtures]:
    """Return the fixtures with those replaced that a case before may have changed."""
    own = dict(fixtures)
    if "tmp_path" in own:
        own["tmp_path"] /= str(number)
        own["tmp_path"].mkdir()
    if "db" in own:
        own["db"] = own["db"].with_name(f"{number}-{own['db'].name}")
    for name in {"capsys", "capfd", "capfdbinary"} & set(own):
        own[name].readouterr()
    with pytest.MonkeyPatch.context() as patch:
        yield own | ({"monkeypatch": patch} if "monkeypatch" in own else {})
