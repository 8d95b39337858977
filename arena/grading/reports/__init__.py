"""Reports of a grading: for the terminal, for students, for the teacher and for other programs."""
