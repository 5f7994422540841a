"""The learnt slope against torch's own module."""

from __future__ import annotations

import pytest
import torch

from spco.nn.layers import PReLU


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
