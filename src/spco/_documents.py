"""JSON that somebody else may have written, or that a disk has damaged."""

from __future__ import annotations

#: What is raised where such a file is read, parsed and taken for what it should be.
OF_OTHER_DOCUMENTS = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    SyntaxError,  # from NumPy, for names of types
    MemoryError,
    OSError,
)
