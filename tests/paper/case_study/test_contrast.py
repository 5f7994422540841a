from __future__ import annotations

import pytest
import torch

from spco.objectives import Scratch
from spco.paper.case_study.contrast import infonce_between


def plain(a, b, temperature):
    """Eq. 1 spelt out, with the sign of a loss."""
    similarity = torch.nn.functional.cosine_similarity(a[:, None], b[None], dim=2) / temperature
    forth = similarity.diag() - similarity.logsumexp(1)
    back = similarity.diag() - similarity.logsumexp(0)
    return -(forth + back).mean() / 2


@pytest.mark.parametrize("size", [1, 5, 64, 65, 200])
def test_value_and_gradients_are_those_of_the_plain_formula(size):
    generator = torch.Generator().manual_seed(size)
    a, b = (torch.randn(size, 4, generator=generator, dtype=torch.float64).requires_grad_() for _ in range(2))
    loss = infonce_between(a, b, temperature=0.3)
    found = torch.autograd.grad(3.0 * loss, (a, b))
    expected = plain(a, b, 0.3)
    wanted = torch.autograd.grad(3.0 * expected, (a, b))
    torch.testing.assert_close(loss, expected)
    torch.testing.assert_close(found, wanted)


def test_losses_that_share_scratch_memory_do_not_see_each_other():
    scratch, generator = Scratch(), torch.Generator().manual_seed(0)
    pairs = [
        tuple(
            torch.randn(size, 4, generator=generator, dtype=torch.float64).requires_grad_() for _ in range(2)
        )
        for size in (9, 70)
    ]
    losses = [infonce_between(*pair, temperature=0.3, scratch=scratch) for pair in pairs]
    for pair, loss in zip(pairs, losses, strict=True):
        torch.testing.assert_close(
            torch.autograd.grad(loss, pair), torch.autograd.grad(plain(*pair, 0.3), pair)
        )


def test_one_embedding_on_both_sides_gets_both_gradients():
    a = torch.randn(30, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(0)).requires_grad_()
    (found,) = torch.autograd.grad(infonce_between(a, a, temperature=0.5), a)
    (wanted,) = torch.autograd.grad(plain(a, a, 0.5), a)
    torch.testing.assert_close(found, wanted)
