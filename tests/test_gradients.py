"""Every gradient written by hand × type × shape × awkward values, against torch's own and gradcheck."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
import torch
from torch import Tensor
from torch.nn import functional

import spco
from spco.dense import times
from spco.nn import SparseMatrix, chebyshev_filters
from spco.nn.layers import _PReLU
from spco.objectives import cca, infonce
from spco.paper.case_study.contrast import infonce_between
from spco.paper.case_study.model import _DenseTimesNarrow

SHAPES = [(1, 1), (1, 4), (6, 1), (7, 3), (3, 9), (40, 2)]
TEMPERATURE, DECORRELATION = 0.4, 0.1


@dataclass(frozen=True)
class Gradient:
    """A function with a gradient of its own, the same in plain torch, and how many tensors both take.

    ``smooth`` are the values where finite differences make sense; elsewhere there are kinks.
    """

    name: str
    ours: Callable[..., Tensor]
    plain: Callable[..., Tensor]
    tensors: int = 1
    smooth: tuple[str, ...] = ("usual", "tiny", "large")
    has_directions: bool = False


def matrix_of(rows: int) -> np.ndarray:
    rng = np.random.default_rng(rows)
    return rng.normal(size=(rows, rows)) * (rng.random((rows, rows)) < 0.5)


def torch_matrix(like: Tensor) -> Tensor:
    return torch.tensor(matrix_of(len(like)), dtype=like.dtype)


def sparse_matrix(like: Tensor, power: int = 1) -> SparseMatrix:
    matrix = sp.csr_array(
        matrix_of(len(like)).astype(np.float64 if like.dtype == torch.float64 else np.float32)
    )
    return SparseMatrix(matrix, power=power)


def contraction(like: Tensor) -> np.ndarray:
    dense = matrix_of(len(like))
    return dense / max(1.0, np.abs(dense).sum(axis=1).max())


COEFFICIENTS = [[0.5, -1.0, 0.25, 2.0], [1.0, 0.0, -0.5, 0.125]]


def our_filters(x: Tensor) -> Tensor:
    kind = np.float64 if x.dtype == torch.float64 else np.float32
    operator = SparseMatrix(sp.csr_array(contraction(x).astype(kind)))
    return chebyshev_filters(operator, x, torch.tensor(COEFFICIENTS, dtype=x.dtype))


def plain_filters(x: Tensor) -> Tensor:
    operator = torch.tensor(contraction(x), dtype=x.dtype)
    terms = [x, operator @ x]
    while len(terms) < len(COEFFICIENTS[0]):
        terms.append(2 * operator @ terms[-1] - terms[-2])
    return torch.stack([sum(c * term for c, term in zip(row, terms, strict=True)) for row in COEFFICIENTS])


def plain_cca(a: Tensor, b: Tensor) -> Tensor:
    def standardised(x: Tensor) -> Tensor:
        centred = x - x.mean(0)
        deviation = centred.square().sum(0).div(max(1, len(x) - 1))
        is_constant = (x.max(0).values - x.min(0).values).detach() <= 0
        return torch.where(is_constant, 0.0, centred / torch.where(is_constant, 1.0, deviation).sqrt())

    first, second = standardised(a), standardised(b)
    identity, size = torch.eye(a.shape[1], dtype=a.dtype), len(a)
    spread = sum((identity - z.T @ z / size).square().sum() for z in (first, second))
    return DECORRELATION * spread - (first * second).sum() / size


def plain_infonce(a: Tensor, b: Tensor) -> Tensor:
    a, b = functional.normalize(a, dim=1), functional.normalize(b, dim=1)

    def one_way(x: Tensor, y: Tensor) -> Tensor:
        own = (x @ x.T / TEMPERATURE).masked_fill(torch.eye(len(x), dtype=torch.bool), -torch.inf)
        return functional.cross_entropy(torch.cat([x @ y.T / TEMPERATURE, own], 1), torch.arange(len(x)))

    return (one_way(a, b) + one_way(b, a)) / 2


def plain_between(a: Tensor, b: Tensor) -> Tensor:
    logits = functional.normalize(a, dim=1) @ functional.normalize(b, dim=1).T / TEMPERATURE
    own = torch.arange(len(a))
    return (functional.cross_entropy(logits, own) + functional.cross_entropy(logits.T, own)) / 2


GRADIENTS = [
    Gradient("_Multiply", lambda x: sparse_matrix(x) @ x, lambda x: torch_matrix(x) @ x),
    Gradient(
        "_Multiply", lambda x: sparse_matrix(x, 2) @ x, lambda x: torch_matrix(x) @ (torch_matrix(x) @ x)
    ),
    Gradient(
        "_PReLU",
        lambda x, y: _PReLU.apply(x, y.reshape(-1)[:1]),
        lambda x, y: functional.prelu(x.reshape(-1), y.reshape(-1)[:1]).reshape(x.shape),
        tensors=2,
        smooth=("usual", "large"),
    ),
    Gradient("_Times", lambda x, y: times(x, y.T), lambda x, y: x @ y.T, tensors=2),
    Gradient("_Filters", our_filters, plain_filters),
    Gradient(
        "_DenseTimesNarrow",
        lambda x: _DenseTimesNarrow.apply(torch_matrix(x), x),
        lambda x: torch_matrix(x) @ x,
    ),
    Gradient(
        "_InfoNCEBetween",
        lambda a, b: infonce_between(a, b, temperature=TEMPERATURE),
        plain_between,
        tensors=2,
        smooth=("usual",),
        has_directions=True,
    ),
    Gradient("_SoftCCA", lambda a, b: cca(a, b, decorrelation=DECORRELATION), plain_cca, 2, ("usual",)),
    Gradient(
        "_BlockedInfoNCE",
        lambda a, b: infonce(a, b, temperature=TEMPERATURE, block=4),
        plain_infonce,
        tensors=2,
        smooth=("usual",),
        has_directions=True,
    ),
]


def values(kind: str, shape: tuple[int, int], dtype: torch.dtype, seed: int) -> Tensor:
    x = torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    if kind == "zeros":
        x = torch.zeros_like(x)
    elif kind == "some zeros":
        x[::2] = 0.0
    elif kind == "equal rows":
        x = x[:1].expand(shape)
    elif kind in ("tiny", "large"):
        x = x * (1e-6 if kind == "tiny" else 1e4)
    elif kind == "a column of its own kind":
        x[:, 0] = 3.0
    elif kind == "transposed":
        x = x.T.contiguous().T
    return x.to(dtype).clone(memory_format=torch.preserve_format)


KINDS = [
    "usual",
    "tiny",
    "large",
    "zeros",
    "some zeros",
    "equal rows",
    "a column of its own kind",
    "transposed",
]


def gradients(function: Callable[..., Tensor], tensors: list[Tensor]) -> list[Tensor]:
    given = [tensor.detach().clone().requires_grad_() for tensor in tensors]
    result = function(*given)
    weights = torch.linspace(0.5, 2.0, result.numel(), dtype=result.dtype).reshape(result.shape)
    return [result.detach(), *torch.autograd.grad((result * weights).sum(), given)]


def _usable(gradient: Gradient, tensors: list[Tensor], result: Tensor) -> Tensor:
    """The rows to compare: a row of zeros has no direction, and torch's normalize divides by 1e-12 there."""
    if gradient.has_directions and result.ndim == 2:
        return (tensors[0] != 0).any(1) | (tensors[0] == 0).all()
    return torch.ones(result.shape, dtype=torch.bool)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("gradient", GRADIENTS, ids=lambda gradient: gradient.name)
def test_values_and_gradients_equal_those_of_plain_torch(gradient, kind):
    for shape in SHAPES:
        for dtype, tolerance in ((torch.float64, 1e-8), (torch.float32, 2e-3)):
            tensors = [values(kind, shape, dtype, seed) for seed in range(gradient.tensors)]
            found = gradients(gradient.ours, tensors)
            expected = gradients(gradient.plain, [tensor.double() for tensor in tensors])
            # What a gradient that cancels to 0 is made of: the value over the size of the numbers.
            size = max(float(tensor.abs().max()) for tensor in tensors) or 1.0
            natural = max(1.0, float(expected[0].abs().max())) / size
            for ours, plain in zip(found, expected, strict=True):
                assert ours.dtype == dtype
                assert torch.isfinite(ours).all(), (shape, dtype)
                scale = max(natural, float(plain.abs().max()))
                difference = float((ours.double() - plain)[_usable(gradient, tensors, plain)].abs().max())
                assert difference <= tolerance * scale, (shape, dtype, difference, scale)


@pytest.mark.parametrize("shape", [(1, 4), (6, 1), (7, 3)])
@pytest.mark.parametrize("gradient", GRADIENTS, ids=lambda gradient: gradient.name)
def test_gradcheck_agrees_where_there_is_no_kink(gradient, shape):
    for kind in gradient.smooth:
        tensors = [
            values(kind, shape, torch.float64, seed).requires_grad_() for seed in range(gradient.tensors)
        ]
        step = 1e-6 * float(tensors[0].detach().abs().max())
        assert torch.autograd.gradcheck(gradient.ours, tensors, eps=step, atol=1e-5, rtol=1e-3), kind


def test_the_table_has_every_gradient_that_is_written_by_hand():
    found = set()
    for path in Path(spco.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef) and any("Function" in ast.unparse(base) for base in node.bases):
                found.add(node.name)
    # A sum over processes needs several of them: tests of the execution have it.
    assert found - {"_Sum"} == {gradient.name for gradient in GRADIENTS}
