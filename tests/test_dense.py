"""Dense products: the fast library agrees with torch's own and gives way where it is missing."""

from __future__ import annotations

import pytest
import torch

from spco import dense


@pytest.mark.parametrize("transposed", [(False, False), (False, True), (True, False), (True, True)])
def test_agrees_with_float64_in_every_layout(transposed: tuple[bool, bool]) -> None:
    generator = torch.Generator().manual_seed(0)
    left = torch.randn((7, 300) if not transposed[0] else (300, 7), generator=generator)
    right = torch.randn((300, 5) if not transposed[1] else (5, 300), generator=generator)
    left, right = (left.T if transposed[0] else left), (right.T if transposed[1] else right)
    found = dense.product(left, right)
    torch.testing.assert_close(found.double(), left.double() @ right.double(), rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize(("rows", "columns"), [(0, 3), (3, 0), (1, 1)])
def test_empty_and_single(rows: int, columns: int) -> None:
    found = dense.product(torch.ones(rows, 2), torch.ones(2, columns))
    assert torch.equal(found, torch.full((rows, columns), 2.0))


def test_other_types_are_left_to_torch() -> None:
    left = torch.tensor([[1.0, 1e-12]], dtype=torch.float64)
    assert dense.product(left, left.T).item() == 1.0 + 1e-24


def test_gives_way_where_the_library_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.backends.mkldnn, "is_available", lambda: False)
    dense._onednn_linear.cache_clear()
    try:
        assert dense._onednn_linear() is None
        assert dense.product(torch.eye(2), torch.ones(2, 1)).tolist() == [[1.0], [1.0]]
    finally:
        dense._onednn_linear.cache_clear()


@pytest.mark.parametrize("needs", [(True, True), (True, False), (False, True)])
def test_gradients_of_both_factors(needs: tuple[bool, bool]) -> None:
    generator = torch.Generator().manual_seed(1)
    left, right = (
        torch.randn(shape, generator=generator, dtype=torch.float64, requires_grad=wanted)
        for shape, wanted in zip(((4, 3), (3, 2)), needs, strict=True)
    )
    assert torch.autograd.gradcheck(dense.times, (left, right))
    dense.times(left, right).sum().backward()
    assert ((left.grad is not None), (right.grad is not None)) == needs


def test_gradients_by_the_fast_library_are_those_of_torch() -> None:
    generator = torch.Generator().manual_seed(2)
    left, right = torch.randn(50, 30, generator=generator), torch.randn(30, 20, generator=generator)
    found = []
    for multiply in (dense.times, torch.mm):
        pair = [factor.clone().requires_grad_() for factor in (left, right)]
        multiply(*pair).square().sum().backward()
        found.append([factor.grad for factor in pair])
    torch.testing.assert_close(found[0], found[1], rtol=1e-4, atol=1e-3)
