"""Compiles core/. Everything else about the project stands in pyproject.toml."""

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

# `make coverage` sets this: every line of the compiled modules then reports that it ran.
TRACE = os.environ.get("ARENA_TRACE") == "1"

SOURCES = sorted(Path("core").rglob("*.pyx"))

setup(
    ext_modules=cythonize(
        [
            Extension(
                ".".join(source.with_suffix("").parts),
                [str(source)],
                extra_compile_args=["-O1"] if TRACE else ["-O3"],
                define_macros=[("CYTHON_TRACE_NOGIL", "1")] if TRACE else [],
            )
            for source in SOURCES
        ],
        build_dir=None if TRACE else "build/cython",
        compiler_directives={
            "language_level": 3,
            "linetrace": TRACE,
            "autotestdict": False,
            "freethreading_compatible": True,  # tests/core/test_free_threading.py
        },
    ),
    options={"build_ext": {"parallel": os.cpu_count()}},
)
