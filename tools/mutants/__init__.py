"""A sample of mutants of the product, drawn by a seed, and the tests that notice them.

Two maintained tools provide the operators: Cosmic Ray for Python, and Stryker for the page. Cosmic
Ray, as it changes one place of a file, which processes that a test starts notice, too; mutmut puts
all mutants of a function beside it, and draws no sample. The draw and the runs are this package's
own for both: neither tool draws a sample by a seed, or runs the tests that mirror a module before
the others. Cython has no tool; a few operators on tokens stand in for it.
"""
