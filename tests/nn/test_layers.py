"""The learnt slope and the standardised columns against torch's own modules."""

from __future__ import annotations

import pytest
import torch

from spco.nn.layers import ColumnNorm, PReLU


@pytest.mark.parametrize("slope", [0.25, 0.0, -0.5, 1.5])
def test_values_and_gradients_are_those_of_torch(slope):
    values = torch.randn(40, 7, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    values[0, :3] = 0.0
    incoming = torch.randn(7, 40, generator=torch.Generator().manual_seed(1), dtype=torch.float64).T
    found = []
    for module in (PReLU(slope).double(), torch.nn.PReLU(init=slope).double()):
        leaf = values.clone().requires_grad_()
        out = module(leaf)
        out.backward(incoming)
        found.append((out, leaf.grad, module.weight.grad))
    for ours, theirs in zip(*found, strict=True):
        torch.testing.assert_close(ours, theirs)


def test_weights_of_torch_s_module_fit():
    PReLU().load_state_dict(torch.nn.PReLU(init=0.1).state_dict())


def test_passes_gradcheck():
    values = torch.randn(5, 3, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    module = PReLU().double()
    assert torch.autograd.gradcheck(module, (values.requires_grad_(),))


def test_columns_are_standardised_as_batch_normalisation_does_in_training():
    values = 3 + 5 * torch.randn(30, 4, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    ours, theirs = ColumnNorm(4).double(), torch.nn.BatchNorm1d(4).double()
    with torch.no_grad():
        for one, other in ((ours.scale, theirs.weight), (ours.shift, theirs.bias)):
            one.copy_(torch.randn(4, generator=torch.Generator().manual_seed(1)))
            other.copy_(one)
    torch.testing.assert_close(ours(values), theirs(values))
    torch.testing.assert_close(ours.eval()(values), ours.train()(values))


def test_a_single_row_becomes_the_shift():
    norm = ColumnNorm(2)
    with torch.no_grad():
        norm.shift.copy_(torch.tensor([1.0, -2.0]))
    assert norm(torch.tensor([[7.0, 8.0]])).tolist() == [[1.0, -2.0]]
