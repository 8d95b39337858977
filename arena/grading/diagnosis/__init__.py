"""Diagnosis of wrong programs: the misreading of the assignment that gives their exact numbers."""
