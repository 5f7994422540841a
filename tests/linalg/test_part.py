"""Parts of matrices against NumPy's own indexing."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from spco.linalg import Part

from ..conftest import awkward_adjacency


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("wide", [np.int32, np.int64])
def test_a_part_of_one_hop_is_all_that_is_between_its_nodes(seed, wide):
    dense = awkward_adjacency(seed)
    matrix = sp.csr_array(dense)
    matrix.indptr, matrix.indices = matrix.indptr.astype(wide), matrix.indices.astype(wide)
    rng = np.random.default_rng(seed)
    for size in (1, len(dense) // 2, len(dense)):
        nodes = rng.choice(len(dense), size, replace=False)
        np.testing.assert_array_equal(Part.of(nodes).cut(matrix).toarray(), dense[np.ix_(nodes, nodes)])
        in_order = Part.of(np.sort(nodes)).cut(matrix)
        in_order.check_format(full_check=True)
        assert in_order.has_canonical_format


@pytest.mark.parametrize("seed", range(6))
def test_rows_hear_one_hop_further_out_and_the_last_hop_hears_nobody(seed):
    dense = awkward_adjacency(seed)
    rng = np.random.default_rng(seed)
    hops = [np.sort(hop) for hop in np.array_split(rng.permutation(len(dense))[:-2], 3)]
    nodes, hop_of = np.concatenate(hops), np.repeat(np.arange(3), [len(hop) for hop in hops])
    part = Part(nodes, tuple(np.cumsum([len(hop) for hop in hops])))
    kept = (hop_of[None, :] <= hop_of[:, None] + 1) & (hop_of[:, None] < 2)
    cut = part.cut(sp.csr_array(dense))
    np.testing.assert_array_equal(cut.toarray(), dense[np.ix_(nodes, nodes)] * kept)
    assert cut.has_canonical_format
    assert part.seeds.tolist() == list(range(len(hops[0])))
