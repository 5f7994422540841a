"""Write pickles as Python 2 wrote them, opcode by opcode: today's pickle module cannot."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import scipy.sparse as sp


def array(values: np.ndarray) -> bytes:
    """The opcodes of an int32, int64 or float32 array."""
    shape = b"".join(b"I%d\n" % size for size in values.shape)
    kind = b"%c%d" % (values.dtype.kind.encode(), values.dtype.itemsize)
    content = repr(np.ascontiguousarray(values).tobytes())[1:].encode()
    return (
        b"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\ntS'b'\ntR(I1\n(" + shape + b"t"
        b"cnumpy\ndtype\n(S'" + kind + b"'\nI0\nI1\ntR(I3\nS'<'\nNNNI-1\nI-1\nI0\ntb"
        b"I00\nS" + content + b"\ntb"
    )


def csr(matrix: sp.csr_array) -> bytes:
    """The opcodes of a ``scipy.sparse.csr.csr_matrix``."""
    shape = b"(I%d\nI%d\nt" % matrix.shape
    fields = {b"data": matrix.data, b"indices": matrix.indices, b"indptr": matrix.indptr}
    state = (
        b"S'_shape'\n" + shape + b"".join(b"S'%s'\n" % name + array(part) for name, part in fields.items())
    )
    return b"\x80\x02cscipy.sparse.csr\ncsr_matrix\n)\x81}(" + state + b"ub"


def lists(neighbours: Mapping[int, list[int]]) -> bytes:
    """The opcodes of a ``defaultdict(list)``."""
    items = b"".join(
        b"I%d\n(l" % node + b"".join(b"I%d\na" % other for other in others)
        for node, others in neighbours.items()
    )
    return b"ccollections\ndefaultdict\n(c__builtin__\nlist\ntR(" + items + b"u"


def save(path: Path, opcodes: bytes) -> Path:
    path.write_bytes(opcodes + b".")
    return path
