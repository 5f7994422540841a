"""Each objective against a dense, slow version: values, gradients, and gradcheck in float64."""

from __future__ import annotations

import sys

import pytest
import torch

from spco.errors import InvalidParameterError
from spco.objectives import Scratch, binary_discrimination, cca, infonce, jsd, sampled_infonce, summary


def draw(*shape, seed=0, dtype=torch.float64):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def dense_infonce(first, second, temperature):
    """GRACE's loss as its paper prints it, with whole similarity matrices and a loop over nodes."""
    a = first / first.norm(dim=1, keepdim=True)
    b = second / second.norm(dim=1, keepdim=True)

    def semi(x, y):
        losses = []
        for i in range(len(x)):
            across = torch.exp(x[i] @ y.T / temperature)
            within = torch.exp(x[i] @ x.T / temperature)
            others = across.sum() + within[torch.arange(len(x)) != i].sum()
            losses.append(-torch.log(across[i] / others))
        return torch.stack(losses)

    return (semi(a, b) + semi(b, a)).mean() / 2


@pytest.mark.parametrize("kept_per_node", [0, 11, 3072])
@pytest.mark.parametrize("block", [1, 3, 7, 64])
@pytest.mark.parametrize("temperature", [0.01, 0.1, 0.5, 1.0])
def test_blocked_infonce_equals_dense(block, temperature, kept_per_node, monkeypatch):
    monkeypatch.setattr(sys.modules["spco.objectives.infonce"], "KEPT_PER_NODE", kept_per_node)
    a, b = draw(13, 5, seed=1).requires_grad_(), draw(13, 5, seed=2).requires_grad_()
    ours = infonce(a, b, temperature=temperature, block=block)
    theirs = dense_infonce(a, b, temperature)
    assert ours.item() == pytest.approx(theirs.item(), rel=1e-10)
    for left, right in zip(
        torch.autograd.grad(ours, (a, b)), torch.autograd.grad(theirs, (a, b)), strict=True
    ):
        torch.testing.assert_close(left, right, rtol=1e-8, atol=1e-10)


def test_a_gradient_may_be_asked_for_twice():
    a, b = draw(13, 5, seed=1).requires_grad_(), draw(13, 5, seed=2).requires_grad_()
    loss = infonce(a, b, temperature=0.5, block=4)
    first = torch.autograd.grad(loss, (a, b), retain_graph=True)
    second = torch.autograd.grad(loss, (a, b))
    for left, right in zip(first, second, strict=True):
        assert torch.equal(left, right)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_losses_that_share_scratch_memory_do_not_see_each_other(dtype):
    scratch = Scratch()
    sizes = (9, 13, 5)  # the second outgrows what the first has left behind
    pairs = [
        tuple(draw(size, 4, seed=seed, dtype=dtype).requires_grad_() for seed in (1, 2)) for size in sizes
    ]
    infonce(draw(9, 4), draw(9, 4), temperature=0.5, scratch=scratch)  # of another type
    losses = [infonce(a, b, temperature=0.5, block=4, scratch=scratch) for a, b in pairs]
    for pair, loss in zip(pairs, losses, strict=True):
        alone = infonce(*pair, temperature=0.5, block=4)
        assert loss.item() == alone.item()
        for left, right in zip(
            torch.autograd.grad(loss, pair), torch.autograd.grad(alone, pair), strict=True
        ):
            assert torch.equal(left, right)


@pytest.mark.parametrize("which", [0, 1])
def test_a_gradient_for_one_view_alone(which):
    views = [draw(9, 4, seed=1), draw(9, 4, seed=2)]
    views[which].requires_grad_()
    (ours,) = torch.autograd.grad(infonce(*views, temperature=0.5, block=4), views[which])
    (theirs,) = torch.autograd.grad(dense_infonce(*views, 0.5), views[which])
    torch.testing.assert_close(ours, theirs, rtol=1e-8, atol=1e-10)


def test_memory_of_inference_mode_is_not_written_to_outside_of_it():
    scratch = Scratch()
    a, b = draw(9, 4, seed=1), draw(9, 4, seed=2)
    with torch.inference_mode():
        inside = infonce(a, b, temperature=0.5, scratch=scratch).item()
    assert infonce(a, b, temperature=0.5, scratch=scratch).item() == inside


def test_a_second_derivative_is_refused():
    a, b = draw(5, 3, seed=1).requires_grad_(), draw(5, 3, seed=2)
    with pytest.raises(RuntimeError, match="no second derivative"):
        torch.autograd.grad(infonce(a, b, temperature=0.5), a, create_graph=True)


@pytest.mark.parametrize("block", [0, -1, 2.5])
def test_a_block_that_is_no_number_of_rows_is_refused(block):
    with pytest.raises(InvalidParameterError, match="block"):
        infonce(draw(5, 3), draw(5, 3), temperature=0.5, block=block)


def test_scratch_memory_is_used_again():
    scratch = Scratch()
    like = torch.zeros(1)
    first = scratch.take(10, like=like)
    assert len(first) == 10
    assert len(scratch.take(7, like=like)) == 7
    assert scratch.take(7, like=like).data_ptr() == first.data_ptr()
    assert scratch.take(11, like=like).data_ptr() != first.data_ptr()
    assert scratch.take(3, like=like.double()).dtype == torch.float64


def test_blocked_infonce_in_float32_keeps_five_digits():
    a, b = draw(300, 16, seed=3, dtype=torch.float32), draw(300, 16, seed=4, dtype=torch.float32)
    exact = dense_infonce(a.double(), b.double(), 0.4)
    assert infonce(a, b, temperature=0.4).item() == pytest.approx(exact.item(), rel=1e-5)


def test_blocked_infonce_passes_gradcheck():
    a, b = draw(9, 4, seed=5).requires_grad_(), draw(9, 4, seed=6).requires_grad_()
    assert torch.autograd.gradcheck(lambda x, y: infonce(x, y, temperature=0.3, block=4), (a, b))


def test_one_node_has_no_negatives_and_no_loss():
    a = draw(1, 4)
    assert infonce(a, a, temperature=0.5).item() == pytest.approx(0.0, abs=1e-12)


def test_sampling_all_nodes_gives_the_full_loss():
    a, b = draw(11, 4, seed=7), draw(11, 4, seed=8)
    full = infonce(a, b, temperature=0.5)
    sampled = sampled_infonce(a, b, temperature=0.5, negatives=torch.arange(11))
    assert sampled.item() == pytest.approx(full.item(), rel=1e-10)


@pytest.mark.parametrize("temperature", [0.01, 0.03, 0.05, 0.2])
def test_at_small_temperatures_float32_is_as_good_as_dense_float64(temperature):
    """Next to e^{1/τ}, the node with itself, all negatives are below float32's precision."""
    views = [draw(60, 32, seed=seed, dtype=torch.float32).requires_grad_() for seed in (1, 2)]
    wide = [view.detach().double().requires_grad_() for view in views]
    exact = dense_infonce(*wide, temperature)
    expected = torch.autograd.grad(exact, wide)
    for loss in (
        infonce(*views, temperature=temperature),
        sampled_infonce(*views, temperature=temperature, negatives=torch.arange(60)),
    ):
        assert loss.item() == pytest.approx(exact.item(), rel=1e-4)
        for left, right in zip(torch.autograd.grad(loss, views), expected, strict=True):
            torch.testing.assert_close(left.double(), right, rtol=1e-3, atol=1e-4 * right.abs().max().item())


def test_views_at_right_angles_have_a_finite_loss_at_the_smallest_temperature():
    a, b = torch.eye(8)[:4], torch.eye(8)[4:]
    every = torch.arange(4)
    expected = torch.tensor(7.0).log().item()  # of 4 + 3 pairs, all with a cosine of 0
    assert infonce(a, b, temperature=0.01).item() == pytest.approx(expected, rel=1e-5)
    assert sampled_infonce(a, b, temperature=0.01, negatives=every).item() == pytest.approx(
        expected, rel=1e-5
    )


@pytest.mark.parametrize("temperature", [0.0, -1.0, 0.005, float("nan"), "warm"])
def test_a_temperature_that_float32_cannot_take_is_refused(temperature):
    a = draw(5, 3)
    with pytest.raises(InvalidParameterError, match=r"'temperature' parameter of infonce must be >= 0\.01"):
        infonce(a, a, temperature=temperature)
    with pytest.raises(InvalidParameterError, match="'temperature' parameter of sampled_infonce"):
        sampled_infonce(a, a, temperature=temperature, negatives=torch.arange(5))


def test_views_of_different_nodes_are_refused():
    with pytest.raises(InvalidParameterError, match=r"'second'.*Got \(5, 3\) and \(4, 3\)"):
        infonce(draw(5, 3), draw(4, 3), temperature=0.5)


def test_sampled_denominators_are_right_on_average():
    a, b = draw(40, 4, seed=9), draw(40, 4, seed=10)
    full = infonce(a, b, temperature=1.0).item()
    generator = torch.Generator().manual_seed(0)
    losses = [
        sampled_infonce(a, b, temperature=1.0, negatives=torch.randperm(40, generator=generator)[:20]).item()
        for _ in range(300)
    ]
    assert sum(losses) / len(losses) == pytest.approx(full, rel=5e-3)


def test_sampled_infonce_passes_gradcheck():
    a, b = draw(9, 4, seed=5).requires_grad_(), draw(9, 4, seed=6).requires_grad_()
    chosen = torch.tensor([0, 3, 7])
    assert torch.autograd.gradcheck(
        lambda x, y: sampled_infonce(x, y, temperature=0.5, negatives=chosen), (a, b)
    )


def test_binary_discrimination_equals_torch():
    positive, negative = draw(8, seed=1), draw(8, seed=2)
    logits = torch.cat([positive, negative])
    truth = torch.cat([torch.ones(8), torch.zeros(8)]).double()
    theirs = torch.nn.functional.binary_cross_entropy_with_logits(logits, truth)
    assert binary_discrimination(positive, negative).item() == pytest.approx(theirs.item(), rel=1e-12)


def test_binary_discrimination_passes_gradcheck():
    p, n = draw(5, seed=1).requires_grad_(), draw(5, seed=2).requires_grad_()
    assert torch.autograd.gradcheck(binary_discrimination, (p, n))


def test_summary_is_the_sigmoid_of_the_mean():
    h = draw(6, 3)
    torch.testing.assert_close(summary(h), 1 / (1 + torch.exp(-h.mean(0))))


def slow_cca(first, second, decorrelation):
    size, width = first.shape

    def columns(h):
        return torch.stack([(h[:, k] - h[:, k].mean()) / h[:, k].std() for k in range(width)], 1)

    z1, z2 = columns(first), columns(second)
    invariance = sum((z1[:, k] * z2[:, k]).sum() / size for k in range(width))
    spread = 0.0
    for z in (z1, z2):
        for k in range(width):
            for m in range(width):
                spread = spread + ((1.0 if k == m else 0.0) - (z[:, k] * z[:, m]).sum() / size) ** 2
    return -invariance + decorrelation * spread


def test_cca_equals_the_slow_version():
    a, b = draw(12, 4, seed=1).requires_grad_(), draw(12, 4, seed=2).requires_grad_()
    ours, theirs = cca(a, b, decorrelation=0.02), slow_cca(a, b, 0.02)
    assert ours.item() == pytest.approx(theirs.item(), rel=1e-10)
    for left, right in zip(
        torch.autograd.grad(ours, (a, b)), torch.autograd.grad(theirs, (a, b)), strict=True
    ):
        torch.testing.assert_close(left, right, rtol=1e-8, atol=1e-10)


def test_cca_passes_gradcheck():
    a, b = draw(7, 3, seed=1).requires_grad_(), draw(7, 3, seed=2).requires_grad_()
    assert torch.autograd.gradcheck(lambda x, y: cca(x, y, decorrelation=0.1), (a, b))


def test_cca_is_finite_for_a_constant_column():
    a = draw(6, 3)
    a[:, 1] = 2.0
    a.requires_grad_()
    loss = cca(a, a, decorrelation=0.1)
    loss.backward()
    assert torch.isfinite(loss)
    assert torch.isfinite(a.grad).all()


def test_jsd_equals_a_loop_over_pairs():
    joint, product = draw(7, seed=20), draw(9, seed=21)
    slow = sum(torch.log1p(torch.exp(-value)) for value in joint) / 7
    slow = slow + sum(torch.log1p(torch.exp(value)) for value in product) / 9
    assert jsd(joint, product).item() == pytest.approx((slow - 2 * torch.tensor(2.0).log()).item(), rel=1e-6)


def test_jsd_with_the_best_critic_is_the_divergence_and_with_any_other_less():
    """Ten pairs with known frequencies: the loss is −2·JSD, computed from its definition."""
    p_counts, q_counts = torch.tensor([1, 2, 3, 4]), torch.tensor([4, 3, 2, 1])
    p, q = p_counts.double() / 10, q_counts.double() / 10
    mixture = (p + q) / 2
    divergence = ((p * (p / mixture).log()).sum() + (q * (q / mixture).log()).sum()) / 2
    best = (p / q).log()

    def loss(critic):
        return jsd(critic.repeat_interleave(p_counts), critic.repeat_interleave(q_counts)).item()

    assert loss(best) == pytest.approx(-2 * divergence.item(), rel=1e-12)
    for seed in range(5):
        assert loss(best + 0.3 * draw(4, seed=seed)) > loss(best)


def test_jsd_survives_huge_logits_and_passes_gradcheck():
    assert jsd(torch.tensor([1e4]), torch.tensor([-1e4])).item() == pytest.approx(-1.386294, rel=1e-5)
    joint, product = draw(6, seed=22).requires_grad_(), draw(8, seed=23).requires_grad_()
    assert torch.autograd.gradcheck(jsd, (joint, product))
