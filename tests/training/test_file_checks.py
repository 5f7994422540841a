"""Damaged and forged model and checkpoint files: a named error, or the very contents that were written."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import spco
from spco.errors import CheckpointError, SpcoError
from spco.training.checkpoint import Checkpoint, read_checkpoint, write_checkpoint
from spco.training.file_checks import digest_of_contents

FLIPS = 300
SETTINGS = {"method": {"widths": (8,)}, "spectral": {"refresh_every": 1}}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with a small model and the checkpoint of its training."""
    folder = tmp_path_factory.mktemp("model")
    emb = spco.Embedder("cca_ssg", epochs=2, settings=SETTINGS)
    emb.fit(spco.load_dataset("wine"), checkpoint=folder / "checkpoint.safetensors").save(folder)
    return folder


def same_contents(first, second):
    """Whether two checkpoints hold the same bits."""
    if first.document != second.document or first.tensors.keys() != second.tensors.keys():
        return False
    return all(
        tensor.dtype == second.tensors[name].dtype and torch.equal(tensor, second.tensors[name])
        for name, tensor in first.tensors.items()
    )


@pytest.mark.parametrize("name", ["model.safetensors", "checkpoint.safetensors"])
def test_a_flipped_bit_is_named_or_changes_nothing(made, tmp_path, name):
    whole = (made / name).read_bytes()
    written, path, rng = read_checkpoint(made / name), tmp_path / name, np.random.default_rng(0)
    header = 8 + int.from_bytes(whole[:8], "little")
    # A third of them in the header: it is short beside the tensors and has more ways to go wrong.
    places = [*rng.integers(0, 8 * header, FLIPS // 3), *rng.integers(0, 8 * len(whole), FLIPS - FLIPS // 3)]
    refused = 0
    for place in places:
        damaged = bytearray(whole)
        damaged[place // 8] ^= 1 << (place % 8)
        path.write_bytes(damaged)
        try:
            assert same_contents(read_checkpoint(path), written), f"bit {place} went unnoticed"
        except CheckpointError:
            refused += 1
    assert refused > 0.95 * FLIPS


@pytest.mark.parametrize("name", ["model.safetensors", "checkpoint.safetensors"])
def test_a_file_that_was_cut_short_is_named(made, tmp_path, name):
    whole, path = (made / name).read_bytes(), tmp_path / name
    for length in (0, 1, 7, 8, 9, 100, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(CheckpointError):
            read_checkpoint(path)


def forged(made, folder, *, tensors=None, document=None):
    """Write a model with other contents and a digest that fits them."""
    saved = read_checkpoint(made / "model.safetensors")
    parts = {**saved.tensors, **(tensors or {})}
    kept = {name: tensor for name, tensor in parts.items() if tensor is not None}
    write_checkpoint(folder / "model.safetensors", Checkpoint(kept, {**saved.document, **(document or {})}))
    return folder


def changed(tensor, place, value):
    copy = tensor.clone()
    copy[place] = value
    return copy


VIEWS = {
    "index beyond the last node": ("view.indices", lambda t: changed(t, 3, 10**6), "must be <"),
    "negative index": ("view.indices", lambda t: changed(t, 3, -5), "not a matrix of 178 nodes"),
    "unsorted row": ("view.indices", lambda t: changed(t, 0, int(t[1]) + 1), "not sorted"),
    "end beyond the last entry": (
        "view.indptr",
        lambda t: changed(t, -1, 10**6),
        "not a matrix of 178 nodes",
    ),
    "falling row ends": ("view.indptr", lambda t: changed(t, 5, 10**6), "not a matrix of 178 nodes"),
    "falling row ends without entries": (
        "view.indptr",
        lambda t: changed(changed(t, -1, 0), 5, 10**6),
        "descends",
    ),
    "fewer rows": ("view.indptr", lambda t: t[:-1].clone(), "do not fit together"),
    "indices of 16 bits": ("view.indices", lambda t: t.to(torch.int16), "32 or 64 bits"),
    "infinite weight": ("view.data", lambda t: changed(t, 0, float("inf")), "NaN or infinite"),
    "whole numbers as weights": ("view.data", lambda t: t.to(torch.int64), "finite real numbers"),
    "no indices": ("view.indices", lambda _: None, "did not write"),
}


@pytest.mark.parametrize(("name", "change", "said"), VIEWS.values(), ids=VIEWS)
def test_a_forged_view_never_reaches_the_compiled_passes(made, tmp_path, name, change, said):
    saved = read_checkpoint(made / "model.safetensors")
    folder = forged(made, tmp_path, tensors={name: change(saved.tensors[name])})
    with pytest.raises(CheckpointError, match=said):
        spco.Embedder.load(folder)


def test_forged_weights_are_refused(made, tmp_path):
    weights = {n: t for n, t in read_checkpoint(made / "model.safetensors").tensors.items() if "model." in n}
    name, weight = max(weights.items(), key=lambda item: item[1].ndim)
    for other in (weight[:-1].clone(), weight.to(torch.float64), None):
        with pytest.raises(CheckpointError, match=r"of the model must be float32 .* Got"):
            spco.Embedder.load(forged(made, tmp_path, tensors={name: other}))
    with pytest.raises(CheckpointError, match="NaN or infinite"):
        spco.Embedder.load(forged(made, tmp_path, tensors={name: changed(weight, 0, float("nan"))}))


DOCUMENTS = {
    "history": [None, 3, {"losses": 1, "epochs": 2}],
    "sizes": [None, "two", [], [-3], [[1]]],
    "parameters": [None, {}, {"method": "cca_ssg", "colour": "red"}],
    "preset": [None, {"training": 3}],
    "spectral_state": [{}, 7, {"settings": {}, "thetas": 3, "scales": 1}],
    "scaling": [None, ["rows"]],
}


@pytest.mark.parametrize(
    ("key", "value"), [(key, value) for key, values in DOCUMENTS.items() for value in values], ids=str
)
def test_a_forged_document_is_a_named_error(made, tmp_path, key, value):
    with pytest.raises(SpcoError):
        spco.Embedder.load(forged(made, tmp_path, document={key: value}))


def test_forged_sizes_allocate_no_more_than_the_file_holds(made, tmp_path):
    with pytest.raises(CheckpointError, match="which the file lacks"):
        spco.Embedder.load(forged(made, tmp_path, document={"sizes": [10**9]}))
    preset = read_checkpoint(made / "model.safetensors").document["preset"]
    wide = {**preset, "method": {**preset["method"], "widths": [10**5, 10**5]}}
    with pytest.raises(CheckpointError, match="which the file lacks"):
        spco.Embedder.load(forged(made, tmp_path, document={"preset": wide}))


def test_forged_arrays_beside_the_model_are_refused(made, tmp_path):
    for name, array, said in (
        ("directions.features", torch.zeros(7, 2), "directions of the features must be float32"),
        ("directions.embedding", torch.zeros(7, 2), "directions of the embedding must be float32"),
        ("directions.colour", torch.zeros(2, 2), "no directions of 'colour'"),
        ("scaler.directions", torch.zeros(20, 2), "the scaler's directions must be float32"),
        ("scaler.mean", torch.zeros(2), r"the mean must be float32 \(13,\)"),
        ("scaler.deviation", None, "a mean and a deviation, or neither"),
        ("embedding", torch.zeros(178), "the embedding must be float32"),
    ):
        with pytest.raises(CheckpointError, match=said):
            spco.Embedder.load(forged(made, tmp_path, tensors={name: array}))


def test_directions_for_rows_of_another_width_are_refused_when_they_are_read(made, tmp_path):
    embedding = read_checkpoint(made / "model.safetensors").tensors["embedding"]
    directions = torch.zeros(embedding.shape[1] + 1, embedding.shape[1])
    emb = spco.Embedder.load(forged(made, tmp_path, tensors={"directions.embedding": directions}))
    with pytest.raises(CheckpointError, match="directions of the embedding must be float32"):
        emb.transform(spco.load_dataset("wine"))


def test_forged_classes_are_refused(tmp_path):
    graph = spco.load_dataset("wine")
    classifier = spco.NodeClassifier("gcn", epochs=1, settings={"method": {"hidden": (4,)}})
    classifier.fit(graph, train=np.arange(0, 178, 3)).save(tmp_path / "made")
    for name, array in (("probabilities", torch.zeros(178, 2)), ("classes", torch.arange(9))):
        with pytest.raises(CheckpointError, match="must be"):
            spco.NodeClassifier.load(forged(tmp_path / "made", tmp_path / "other", tensors={name: array}))


@pytest.mark.parametrize("key", ["rng", "epoch", "schedule", "history", "fingerprint"])
def test_a_forged_checkpoint_is_a_named_error(made, tmp_path, key):
    saved = read_checkpoint(made / "checkpoint.safetensors")
    path = tmp_path / "checkpoint.safetensors"
    for value in (None, "x", {"before": 3}):
        write_checkpoint(path, Checkpoint(saved.tensors, {**saved.document, key: value}))
        with pytest.raises(SpcoError):
            resumed(path)


def test_moments_of_another_shape_are_refused(made, tmp_path):
    saved = read_checkpoint(made / "checkpoint.safetensors")
    path = tmp_path / "checkpoint.safetensors"
    name = next(name for name in saved.tensors if name.endswith("exp_avg"))
    write_checkpoint(path, Checkpoint({**saved.tensors, name: torch.zeros(1)}, saved.document))
    with pytest.raises(CheckpointError, match="of the optimizer must be"):
        resumed(path)


def resumed(path):
    emb = spco.Embedder("cca_ssg", epochs=2, settings=SETTINGS)
    return emb.fit(spco.load_dataset("wine"), checkpoint=path, resume=True)


def test_the_digest_tells_names_types_shapes_and_bits_apart():
    base = torch.tensor([[1.0, 0.0]])
    others = [
        ({"b": base}, "{}"),
        ({"a": base.T.contiguous()}, "{}"),
        ({"a": base.view(torch.int32)}, "{}"),
        ({"a": torch.tensor([[1.0, -0.0]])}, "{}"),
        ({"a": base, "b": torch.zeros(0)}, "{}"),
        ({"a": base}, "{} "),
    ]
    digests = {digest_of_contents(*other) for other in [({"a": base}, "{}"), *others]}
    assert len(digests) == 1 + len(others)
    assert digest_of_contents({"a": torch.tensor(3.0)}, "") != digest_of_contents(
        {"a": torch.tensor([3.0])}, ""
    )
