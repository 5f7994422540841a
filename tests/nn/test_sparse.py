"""Sparse products against dense ones, forward and backward."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import torch

from spco.errors import InvalidParameterError
from spco.linalg import Part, renormalized
from spco.nn import FeatureMatrix, GCNEncoder, SparseMatrix, SparseSum
from spco.nn.sparse import _CompiledProduct, _TorchProduct

from ..conftest import awkward_adjacency


def random_csr(rows, columns, seed=0):
    return sp.csr_array(sp.random_array((rows, columns), density=0.3, rng=np.random.default_rng(seed)))


@pytest.mark.parametrize("shape", [(6, 4), (1, 5), (300, 7)])
def test_product_and_gradient_equal_dense(shape):
    matrix = random_csr(*shape)
    dense = torch.randn(shape[1], 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    dense.requires_grad_()
    ours = SparseMatrix(matrix) @ dense
    theirs = torch.from_numpy(matrix.toarray()) @ dense
    torch.testing.assert_close(ours, theirs)
    weight = torch.randn_like(theirs)
    torch.testing.assert_close(
        torch.autograd.grad((ours * weight).sum(), dense)[0],
        torch.autograd.grad((theirs * weight).sum(), dense)[0],
    )


def test_product_passes_gradcheck():
    matrix = SparseMatrix(random_csr(5, 4))
    assert torch.autograd.gradcheck(
        lambda x: matrix @ x, torch.randn(4, 2, dtype=torch.float64, requires_grad=True)
    )


def test_a_vector_is_a_matrix_with_one_column():
    matrix = random_csr(5, 4)
    vector = torch.randn(4, dtype=torch.float64, requires_grad=True)
    product = SparseMatrix(matrix) @ vector
    torch.testing.assert_close(product, torch.from_numpy(matrix.toarray()) @ vector)
    assert torch.autograd.gradcheck(lambda x: SparseMatrix(matrix) @ x, vector)


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("power", [1, 2, 3])
def test_a_power_is_so_many_products_forward_and_backward(power, symmetric):
    matrix = random_csr(6, 6)
    if symmetric:
        matrix = sp.csr_array(matrix + matrix.T)
    product = SparseMatrix(matrix, symmetric=symmetric, power=power)
    dense = torch.randn(6, 2, dtype=torch.float64, requires_grad=True)
    expected = np.linalg.matrix_power(matrix.toarray(), power)
    torch.testing.assert_close(product @ dense, torch.from_numpy(expected) @ dense)
    assert torch.autograd.gradcheck(lambda x: product @ x, dense)
    some = np.array([0, 2, 5])
    part = torch.from_numpy(np.linalg.matrix_power(matrix.toarray()[np.ix_(some, some)], power))
    torch.testing.assert_close(product.between(Part.of(some)) @ dense[:3], part @ dense[:3])


def test_only_a_square_matrix_has_powers():
    with pytest.raises(InvalidParameterError, match=r"'power' .* must be an integer >= 1"):
        SparseMatrix(random_csr(4, 4), power=0)
    with pytest.raises(InvalidParameterError, match=r"'power' .* must be 1 for a matrix of shape \(5, 4\)"):
        SparseMatrix(random_csr(5, 4), power=2)


@pytest.mark.parametrize("shape", [(), (3,), (5,), (3, 2), (5, 2), (4, 2, 2)])
def test_other_shapes_are_refused(shape):
    # The compiled pass would read beyond the end of too short a tensor.
    with pytest.raises(InvalidParameterError, match=r"be a matrix with 4 rows or a vector .* Got shape \("):
        SparseMatrix(random_csr(5, 4)) @ torch.ones(shape)


def test_a_symmetric_matrix_is_its_own_transpose():
    adjacency = awkward_adjacency(2)
    matrix = SparseMatrix(sp.csr_array(adjacency), symmetric=True)
    dense = torch.randn(len(adjacency), 3, dtype=torch.float64, requires_grad=True)
    (matrix @ dense).pow(2).sum().backward()
    a = torch.from_numpy(adjacency)
    torch.testing.assert_close(dense.grad, 2 * a.T @ (a @ dense.detach()))


@pytest.mark.parametrize("ends", [(6,), (2, 6)])
@pytest.mark.parametrize("is_scaled", [False, True])
def test_the_gradient_of_a_part_is_that_of_its_transpose(ends, is_scaled):
    dense = awkward_adjacency(3)
    whole = SparseMatrix(renormalized(sp.csr_array(dense)), symmetric=True)
    nodes = np.argsort(-dense.sum(1), kind="stable")[:6]
    nodes = np.concatenate([np.sort(nodes[: ends[0]]), np.sort(nodes[ends[0] :])])
    factors = np.linspace(1.0, 3.0, 6) if is_scaled else None
    part = whole.between(Part(nodes, ends), row_factors=factors)
    formed = part.matrix.toarray()
    if is_scaled or len(ends) > 1:
        assert not np.array_equal(formed, formed.T)
    rows = torch.eye(6, dtype=torch.float64, requires_grad=True)
    weights = torch.from_numpy(np.random.default_rng(0).random((6, 6)))
    ((part @ rows) * weights).sum().backward()
    np.testing.assert_allclose(rows.grad.numpy(), formed.T @ weights.numpy(), rtol=1e-12)


def test_the_product_for_other_devices_is_the_same():
    matrix = random_csr(20, 9)
    dense = torch.randn(9, 4)
    torch.testing.assert_close(
        _TorchProduct(matrix, torch.device("cpu"))(dense, None),
        SparseMatrix(matrix) @ dense,
        rtol=1e-5,
        atol=1e-6,
    )


@pytest.mark.parametrize("product", [_CompiledProduct, lambda m: _TorchProduct(m, torch.device("cpu"))])
def test_a_product_can_be_added_to_a_tensor(product):
    matrix, dense, start = random_csr(20, 9), torch.randn(9, 4), torch.randn(20, 4)
    expected = start + torch.from_numpy(matrix.toarray()).float() @ dense
    onto = start.clone()
    assert product(matrix)(dense, onto) is onto
    torch.testing.assert_close(onto, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("size", [1, 6, 300])
def test_a_sum_multiplies_as_the_formed_matrix_forward_and_backward(size):
    first, second = random_csr(size, size), random_csr(size, size, seed=1)
    symmetric = sp.csr_array(first + first.T)
    ours = SparseSum(SparseMatrix(symmetric, symmetric=True), SparseMatrix(second), SparseMatrix(first))
    formed = SparseMatrix(sp.csr_array(symmetric + second + first))
    dense = torch.randn(size, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    dense.requires_grad_()
    torch.testing.assert_close(ours @ dense, formed @ dense)
    weight = torch.randn(size, 3, dtype=torch.float64)
    gradients = [torch.autograd.grad((one @ dense * weight).sum(), dense)[0] for one in (ours, formed)]
    torch.testing.assert_close(*gradients)
    if size < 10:
        assert torch.autograd.gradcheck(lambda x: ours @ x, dense)


def test_the_terms_of_a_sum_fit_each_other():
    square = SparseMatrix(random_csr(4, 4))
    with pytest.raises(InvalidParameterError, match=r"'others' .* must have the shape \(4, 4\)"):
        SparseSum(square, SparseMatrix(random_csr(5, 4)))
    with pytest.raises(InvalidParameterError, match=r"'terms' .* must have power 1"):
        SparseSum(square, SparseMatrix(random_csr(4, 4), power=2))


@pytest.mark.parametrize("sparse", [True, False])
def test_masking_columns_equals_masking_the_features(sparse):
    x = random_csr(12, 6).astype(np.float32)
    kept = np.array([True, False, True, True, False, True])
    weight = torch.randn(6, 3, requires_grad=True)
    features = FeatureMatrix(x if sparse else x.toarray())
    ours = features.times(weight, kept)
    theirs = torch.from_numpy(x.toarray() * kept) @ weight
    torch.testing.assert_close(ours, theirs)
    torch.testing.assert_close(
        torch.autograd.grad(ours.sum(), weight)[0], torch.autograd.grad(theirs.sum(), weight)[0]
    )


@pytest.mark.parametrize("weight", [1.0, 0.3, 12.0])
@pytest.mark.parametrize("seed", range(6))
def test_renormalized_equals_dense(seed, weight):
    adjacency = awkward_adjacency(seed)
    if seed == 5:
        adjacency[0, 1] = -0.4  # a learnt view may have negative and asymmetric entries
    looped = adjacency + weight * np.eye(len(adjacency))
    degrees = np.abs(looped).sum(1)
    expected = looped / np.sqrt(degrees[:, None] * degrees[None, :])
    found = renormalized(sp.csr_array(adjacency), self_loops=weight)
    np.testing.assert_allclose(found.toarray(), expected, atol=1e-15)


def test_gcn_encoder_equals_the_formula():
    adjacency = awkward_adjacency(1)
    size = len(adjacency)
    x = random_csr(size, 5).astype(np.float32)
    encoder = GCNEncoder(5, (4, 3), activation="relu", generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        for bias in encoder.biases:
            bias.uniform_(-1, 1)
    operator = torch.from_numpy(renormalized(sp.csr_array(adjacency)).toarray()).float()
    expected = torch.from_numpy(x.toarray())
    for weight, bias in zip(encoder.weights, encoder.biases, strict=True):
        expected = torch.relu(operator @ expected @ weight + bias)
    ours = encoder(FeatureMatrix(x), SparseMatrix(renormalized(sp.csr_array(adjacency))))
    torch.testing.assert_close(ours, expected, rtol=1e-5, atol=1e-6)


def test_gcn_encoder_equals_pyg():
    from torch_geometric.nn import GCNConv

    adjacency = awkward_adjacency(4)  # unweighted, no self loops
    np.fill_diagonal(adjacency, 0)
    matrix = sp.coo_array(adjacency)
    x = random_csr(len(adjacency), 5).astype(np.float32)
    encoder = GCNEncoder(5, (4,), activation="identity", generator=torch.Generator().manual_seed(0))
    layer = GCNConv(5, 4)
    with torch.no_grad():
        layer.lin.weight.copy_(encoder.weights[0].T)
    edges = torch.from_numpy(np.stack(matrix.coords)).long()
    theirs = layer(torch.from_numpy(x.toarray()), edges)
    ours = encoder(FeatureMatrix(x), SparseMatrix(renormalized(sp.csr_array(adjacency))))
    torch.testing.assert_close(ours, theirs, rtol=1e-5, atol=1e-6)


def test_same_generator_same_weights():
    first, second, third = (
        GCNEncoder(5, (4,), generator=torch.Generator().manual_seed(seed)).weights[0] for seed in (1, 1, 2)
    )
    assert torch.equal(first, second)
    assert not torch.equal(first, third)


def test_the_last_layer_can_be_linear():
    encoder = GCNEncoder(3, (4, 2), last_activation=False, generator=torch.Generator().manual_seed(0))
    out = encoder(
        FeatureMatrix(-np.eye(3, dtype=np.float32)), SparseMatrix(renormalized(sp.csr_array((3, 3))))
    )
    assert (out < 0).any() or (out == 0).all()


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("rows", [4, 20])
@pytest.mark.parametrize("shuffled", [False, True])
def test_a_projection_is_multiplied_from_either_side(rows, sparse, shuffled):
    """Whether X·W is formed or M·X comes first, the product and its gradient are the same."""
    matrix, features = random_csr(rows, 20), random_csr(20, 6, seed=1)
    given = features if sparse else features.toarray()
    weight = torch.randn(6, 3, dtype=torch.float64, requires_grad=True)
    kept, order = np.array([1, 0, 1, 1, 0, 1], dtype=bool), torch.randperm(20)
    projected = FeatureMatrix(given).projection(weight, kept)
    inputs = torch.from_numpy(features.toarray() * kept)
    if shuffled:
        projected, inputs = projected[order], inputs[order]
    found = SparseMatrix(matrix) @ projected
    expected = torch.from_numpy(matrix.toarray()) @ inputs @ weight
    torch.testing.assert_close(found, expected)
    seed = torch.randn_like(expected)
    for ours, theirs in zip(
        *(torch.autograd.grad(values, weight, seed) for values in (found, expected)), strict=True
    ):
        torch.testing.assert_close(ours, theirs)
