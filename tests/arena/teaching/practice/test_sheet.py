from arena.teaching.practice import Sheet, Trees, exercises


def sheet(source: Trees, *, has_solutions: bool = False) -> Sheet:
    return Sheet("Title", [*exercises(source, 2, seed=1)], has_solutions)


def test_sheets_of_trees() -> None:
    assert not sheet(Trees(depth=2)).is_landscape
    assert sheet(Trees(depth=3, branching=(3, 3))).is_landscape
    empty, solved = sheet(Trees(depth=2)), sheet(Trees(depth=2), has_solutions=True)
    boxes = [row.value for figure in empty.figures(empty.exercises[0]) for row in figure.rows]
    values = [row.value for figure in solved.figures(solved.exercises[0]) for row in figure.rows]
    assert None in boxes
    assert None not in values


def test_exercises_have_tasks_and_an_example() -> None:
    page = sheet(Trees(depth=2))
    for item in page.exercises:
        assert [question.text for question in item.questions] == page.tasks
    example = Sheet.example()
    assert any(figure.is_cut_off for figure in example)
    assert any(figure.is_best for figure in example)
