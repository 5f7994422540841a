"""The compiled half-steps against dense NumPy: one block and several, narrow and wide row pointers."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from spco.transport import plain_kernels as kernels

SIZE = 300


@pytest.fixture(params=[np.uint32, np.uint64], ids=["narrow", "wide"])
def parts(request):
    rng = np.random.default_rng(0)
    half = sp.random_array((SIZE, SIZE), density=0.05, rng=rng, format="csr")
    cost = sp.csr_array(half + half.T)
    cost.sort_indices()
    pattern = (cost.indptr.astype(request.param), cost.indices.astype(np.uint32))
    target, vector = rng.random(SIZE), rng.random(SIZE)
    target[::7] = 0.0
    return cost, pattern, target, vector


@pytest.mark.parametrize("blocks", [[0, SIZE], [0, 10, 120, SIZE]], ids=["one", "three"])
def test_half_steps(parts, blocks):
    cost, (indptr, indices), target, vector = parts
    blocks = np.array(blocks)
    sums, ratios = np.empty(len(blocks) - 1), np.empty(len(blocks) - 1)
    kernel = np.exp(0.5 * cost.toarray())
    excess, out = np.expm1(0.5 * cost.data), np.empty(SIZE)
    total = vector.sum()
    kernels.half_step(blocks, indptr, indices, excess, vector, total, target, out, sums, ratios)
    product = kernel @ vector
    np.testing.assert_allclose(out, target / product, rtol=1e-13)
    assert sums.sum() == pytest.approx(out.sum(), rel=1e-13)
    assert ratios.min() == pytest.approx((product / total)[target > 0].min(), rel=1e-13)


@pytest.mark.parametrize("blocks", [[0, SIZE], [0, 10, 120, SIZE]], ids=["one", "three"])
def test_plans(parts, blocks):
    cost, (indptr, indices), target, v = parts
    blocks, u = np.array(blocks), np.random.default_rng(1).random(SIZE)
    dense = u[:, None] * np.exp(0.5 * cost.toarray()) * v
    plan = dense[np.repeat(np.arange(SIZE), np.diff(cost.indptr)), cost.indices]
    overlap, error = cost.data @ plan, np.abs(dense.sum(axis=1) - target).sum()

    excess = np.expm1(0.5 * cost.data)
    formed = excess.copy()
    found = kernels.form_plan(blocks, indptr, indices, cost.data, formed, u, v, v.sum(), target)
    np.testing.assert_allclose(formed, plan, rtol=1e-13)
    assert found == pytest.approx((overlap, error), rel=1e-12)

    other_u, other_v = np.random.default_rng(2).random((2, SIZE))
    other_dense = other_u[:, None] * np.exp(-0.3 * cost.toarray()) * other_v
    other_plan = other_dense[np.repeat(np.arange(SIZE), np.diff(cost.indptr)), cost.indices]
    columns, row_sums = np.empty(2 * SIZE), np.empty(SIZE)
    found, other_found = kernels.form_difference(
        blocks, indptr, indices, cost.data, excess, np.expm1(-0.3 * cost.data), u, v, other_u, other_v,
        (v.sum(), other_v.sum()), target, columns, row_sums,
    )  # fmt: skip
    np.testing.assert_allclose(excess, plan - other_plan, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(
        row_sums, np.add.reduceat(np.abs(plan - other_plan), cost.indptr[:-1]), rtol=1e-12
    )
    assert found == pytest.approx((overlap, error), rel=1e-12)
    other_error = np.abs(other_dense.sum(axis=1) - target).sum()
    assert other_found == pytest.approx((cost.data @ other_plan, other_error), rel=1e-12)


@pytest.mark.parametrize("scale", [0.5, -0.3])
@pytest.mark.parametrize("blocks", [[0, SIZE], [0, 10, 120, SIZE]], ids=["one", "three"])
def test_the_whole_iteration(parts, blocks, scale):
    cost, (indptr, indices), target, _ = parts
    kernel = np.exp(scale * cost.toarray())
    expected_u, expected_v = np.full(SIZE, 1 / SIZE), target / kernel.mean(axis=1)
    smallest = kernel.mean(axis=1)[target > 0].min()
    excess, u, v = np.empty(cost.nnz), np.empty(SIZE), np.empty(SIZE)
    for iterations in range(3):
        places = (np.array(blocks), indptr, indices, cost.data)
        found = kernels.solve(*places, scale, target, target, iterations, excess, u, v)
        np.testing.assert_allclose(excess, np.expm1(scale * cost.data), rtol=1e-14)
        np.testing.assert_allclose(v, expected_v, rtol=1e-13)
        assert found == pytest.approx((expected_v.sum(), smallest), rel=1e-12)
        expected_u = target / (kernel @ expected_v)
        products = kernel @ expected_v, kernel @ expected_u
        smallest = min(
            smallest,
            *(
                (x / y.sum())[target > 0].min()
                for x, y in zip(products, (expected_v, expected_u), strict=True)
            ),
        )
        expected_v = target / products[1]
