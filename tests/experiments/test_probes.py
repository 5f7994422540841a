from __future__ import annotations

import numpy as np
import torch

from spco.experiments.probes import restarted_probe

rng = np.random.default_rng(0)
LABELS = rng.integers(0, 3, 60)
EMBEDDING = torch.tensor(np.eye(3)[LABELS] + rng.normal(0, 0.6, (60, 3)), dtype=torch.float32)
TRAIN, TEST = np.arange(30), np.arange(30, 60)


def accuracies(restarts=4, steps=40, labels=LABELS, test=TEST):
    return restarted_probe(
        EMBEDDING,
        labels,
        train=TRAIN,
        test=test,
        steps=steps,
        restarts=restarts,
        learning_rate=0.05,
        generator=torch.Generator().manual_seed(3),
    )


def alone(weight, steps):
    """One restart by itself."""
    weight = weight.clone().requires_grad_()
    bias = torch.zeros(3, requires_grad=True)
    optimizer = torch.optim.Adam([weight, bias], lr=0.05)
    for _ in range(steps):
        optimizer.zero_grad()
        scores = EMBEDDING[TRAIN] @ weight + bias
        torch.nn.functional.cross_entropy(scores, torch.tensor(LABELS[TRAIN])).backward()
        optimizer.step()
    guess = (EMBEDDING[TEST] @ weight + bias).argmax(1).numpy()
    return float((guess == LABELS[TEST]).mean())


def test_restarts_together_are_restarts_one_by_one():
    from spco.nn import glorot

    generator = torch.Generator().manual_seed(3)
    starts = [glorot(3, 3, generator).detach() for _ in range(4)]
    for steps in (1, 40):
        np.testing.assert_allclose(accuracies(steps=steps), [alone(start, steps) for start in starts])
    assert len(set(accuracies(steps=1))) > 1


def test_the_labels_of_test_nodes_are_not_learnt_from():
    wrong = LABELS.copy()
    wrong[TEST] = (wrong[TEST] + 1) % 3
    right = accuracies()
    guesses_right_then_wrong = accuracies(labels=wrong)
    # The guesses stay the same, so what was right before is wrong now.
    assert (right > 0.5).all()
    assert (guesses_right_then_wrong <= 1 - right + 1e-12).all()
