"""Chebyshev polynomials of a constant operator times dense tensors: several filters from one recurrence.

T_0 = 1,  T_1 = x,  T_{k+1} = 2x·T_k − T_{k−1},     x an operator whose eigenvalues lie in [−1, 1]

:mod:`spco.linalg.chebyshev` has the same recurrence on a few columns of NumPy arrays, without gradients.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from .sparse import Operator


def chebyshev_terms(operator: Operator, dense: Tensor, degree: int) -> Tensor:
    """Return T_0(M)·H, ..., T_degree(M)·H, (degree + 1, N, C), without autograd.

    >>> import scipy.sparse as sp, torch
    >>> from spco.nn import SparseMatrix
    >>> half = SparseMatrix(sp.csr_array([[0.5]]))
    >>> chebyshev_terms(half, torch.ones(1, 1), 3).flatten().tolist()           # 1, x, 2x² − 1, 4x³ − 3x
    [1.0, 0.5, -0.5, -1.0]
    """
    terms = dense.new_empty((degree + 1, *dense.shape))
    terms[0] = dense.detach()
    for k in range(1, degree + 1):
        if k == 1:
            terms[1] = _product(operator, terms[0])
        else:
            terms[k] = _product(operator, terms[k - 1]).mul_(2.0).sub_(terms[k - 2])
    return terms


def combined(terms: Tensor, coefficients: Tensor) -> Tensor:
    """Return Σ_k c_bk·T_k for each filter b, (B, N, C), differentiable in the (B, degree + 1) numbers c."""
    return (coefficients @ terms.flatten(1)).view(-1, *terms.shape[1:])


def chebyshev_filters(operator: Operator, dense: Tensor, coefficients: Tensor) -> Tensor:
    """Return h_b(M)·H with h_b = Σ_k c_bk·T_k for each filter b, differentiable in H and in c.

    All filters share the products T_k(M)·H, and one recurrence with Mᵀ gives the gradient of H for all of
    them: 2·degree products of H's width per step, however many filters there are.

    Parameters
    ----------
    operator : (N, N) Operator
        Eigenvalues within [−1, 1], or the terms grow exponentially.
    dense : (N, C)
    coefficients : (B, degree + 1)

    Returns
    -------
    (B, N, C)

    Examples
    --------
    >>> import scipy.sparse as sp, torch
    >>> from spco.nn import SparseMatrix
    >>> half, filters = SparseMatrix(sp.csr_array([[0.5]])), torch.eye(3)
    >>> chebyshev_filters(half, torch.ones(1, 1), filters).flatten().tolist()
    [1.0, 0.5, -0.5]
    """
    found: Tensor = _Filters.apply(operator, dense, coefficients)  # type: ignore[no-untyped-call]
    return found


class _Filters(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, operator: Operator, dense: Tensor, coefficients: Tensor) -> Tensor:
        terms = chebyshev_terms(operator, dense, coefficients.shape[1] - 1)
        ctx.operator = operator
        ctx.save_for_backward(terms, coefficients)
        return combined(terms, coefficients)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[None, Tensor | None, Tensor | None]:
        terms, coefficients = ctx.saved_tensors
        of_dense = of_coefficients = None
        if ctx.needs_input_grad[1]:
            of_dense = _transposed_sum(ctx.operator, gradient, coefficients)
        if ctx.needs_input_grad[2]:
            of_coefficients = gradient.flatten(1) @ terms.flatten(1).T
        return None, of_dense, of_coefficients


def _transposed_sum(operator: Operator, gradient: Tensor, coefficients: Tensor) -> Tensor:
    """Return Σ_k T_k(Mᵀ)·G_k with G_k = Σ_b c_bk·G_b by Clenshaw's recurrence, which keeps two terms only.

    B_k = G_k + 2·Mᵀ·B_{k+1} − B_{k+2},     sum = G_0 + Mᵀ·B_1 − B_2
    """
    flat = gradient.flatten(1)

    def weighted(k: int) -> Tensor:
        return (coefficients[:, k] @ flat).view(gradient.shape[1:])

    later = following = torch.zeros_like(gradient[0])
    for k in range(coefficients.shape[1] - 1, 0, -1):
        product = _product(operator, later, transposed=True)
        later, following = weighted(k).add_(product, alpha=2.0).sub_(following), later
    return weighted(0).add_(_product(operator, later, transposed=True)).sub_(following)


def _product(operator: Operator, dense: Tensor, *, transposed: bool = False) -> Tensor:
    """Return M^power·dense, a new tensor, without autograd."""
    for _ in range(operator.power):
        dense = operator.transpose_times(dense) if transposed else operator.times(dense)
    return dense if operator.power else dense.clone()
