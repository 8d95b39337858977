"""Random exercises on alpha-beta on sheets to print, `arena practice`.

A seed and the other options give the same exercises on every machine and in all later versions.
"""

from arena.teaching.practice.exercises import Exercise, NoExercise, Sheet, exercises
from arena.teaching.practice.source import Positions, Trees

__all__ = ["Exercise", "NoExercise", "Positions", "Sheet", "Trees", "exercises"]
