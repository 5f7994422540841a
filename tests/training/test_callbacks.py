"""Callbacks: what they are told, that they change nothing, and what their mistakes do."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.neighbors import NearestNeighbors

import spco
from spco.errors import CallbackError, InvalidLabelsError, InvalidParameterError, NonFiniteLossError
from spco.training import Callback, KNNScore
from spco.training.callbacks import Audience, Moment, ProgressBar
from spco.training.checkpoint import read_checkpoint

SMALL = {"method": {"widths": [8]}, "spectral": {"refresh_every": 2}}


@pytest.fixture(scope="module")
def graph():
    return spco.load_dataset("wine")


class Diary(Callback):
    """Writes down all that happens."""

    def __init__(self):
        self.pages = []

    def on_start(self, moment):
        self.pages.append(("start", moment))

    def measure(self, moment):
        return {"size": float(np.abs(moment.embedding).mean())}

    def on_refresh(self, moment):
        self.pages.append(("refresh", moment))

    def on_epoch(self, moment):
        self.pages.append(("epoch", moment))

    def on_end(self, moment):
        self.pages.append(("end", moment))
        self.last = moment.embedding

    def epochs_of(self, kind):
        return [moment.epoch for event, moment in self.pages if event == kind]


class Failing(Callback):
    def __init__(self, event, at=2):
        self.at = at
        setattr(self, event, self._fail)

    def _fail(self, moment):
        if moment.epoch >= self.at:
            raise ZeroDivisionError("never divide")
        return {}


def embedder(**parameters):
    return spco.Embedder(**{"method": "dgi", "epochs": 5, "settings": SMALL, **parameters})


def test_they_are_told_of_everything_and_change_nothing(graph):
    diary = Diary()
    watched = embedder(callbacks=[diary]).fit(graph)
    plain = embedder().fit(graph)
    assert np.array_equal(watched.embedding_, plain.embedding_)
    assert watched.history_.losses == plain.history_.losses
    assert diary.epochs_of("start") == [0]
    assert diary.epochs_of("epoch") == [1, 2, 3, 4, 5]
    assert diary.epochs_of("refresh") == [1, 3, 5]
    assert diary.epochs_of("end") == [5]
    told = [moment for event, moment in diary.pages if event == "epoch"]
    assert [moment.loss for moment in told] == plain.history_.losses
    assert told[0].refresh == watched.history_.refreshes[0]
    assert told[1].refresh is None
    assert all(moment.run == "dgi+spco/seed-0" and moment.epochs == 5 for moment in told)
    assert tuple(told[0].settings["method"]["widths"]) == (8,)
    assert np.array_equal(diary.last, plain.embedding_)
    assert (diary.pages[-1][1].view != plain.view_).nnz == 0


def test_what_one_measures_all_are_told_whatever_the_order(graph):
    first, second = Diary(), Diary()
    second.measure = lambda moment: {"epoch": float(moment.epoch)}
    embedder(epochs=2, callbacks=[first, second]).fit(graph)
    for diary in (first, second):
        found = [moment.metrics for event, moment in diary.pages if event == "epoch"]
        assert [set(metrics) for metrics in found] == [{"size", "epoch"}] * 2


def test_the_embedding_is_read_once_for_all_and_only_if_asked_for():
    calls = []
    audience = Audience([Diary(), Diary()], "x", read=lambda: calls.append(1) or np.ones((2, 2)))
    audience.tell_of_epoch(Moment("x", 1, 2, _read=audience.once_read()))
    assert calls == [1]
    audience.tell("on_start", Moment("x", 0, 2, _read=audience.once_read()))
    assert calls == [1]
    with pytest.raises(InvalidParameterError, match="'embedding' parameter of Moment"):
        _ = Moment("x", 0, 2).embedding


@pytest.mark.parametrize("event", ["measure", "on_refresh", "on_epoch"])
def test_a_mistake_ends_training_by_name_and_the_checkpoint_goes_on(graph, tmp_path, event):
    place, diary = tmp_path / "c.safetensors", Diary()
    with pytest.raises(
        CallbackError, match=rf"Failing failed in {event} after 3 epochs: Zero.*never"
    ) as found:
        embedder(callbacks=[Failing(event, at=3), diary]).fit(graph, checkpoint=place)
    assert f"hint: the checkpoint is at {place}" in str(found.value)
    assert isinstance(found.value.__cause__, ZeroDivisionError)
    assert read_checkpoint(place).document["epoch"] == 3
    assert diary.pages[-1][1].ending == "failed"
    resumed = embedder().fit(graph, checkpoint=place, resume=True)
    assert np.array_equal(resumed.embedding_, embedder().fit(graph).embedding_)


def test_a_mistake_at_the_end_hides_no_other_error(graph):
    wild = {"training": {"learning_rate": 1e30}}
    loud = embedder(spectral=False, callbacks=[Failing("on_end", at=0)], settings=wild)
    with pytest.warns(RuntimeWarning, match="Failing failed in on_end"), pytest.raises(NonFiniteLossError):
        loud.fit(graph)
    with pytest.raises(CallbackError, match="on_end"):
        embedder(epochs=1, spectral=False, callbacks=[Failing("on_end", at=0)]).fit(graph)


def test_they_are_told_how_training_ended(graph):
    diary = Diary()
    stopping = {"training": {"patience": 1, "learning_rate": 10.0}}
    embedder(epochs=50, spectral=False, settings=stopping, callbacks=[diary]).fit(graph)
    assert diary.pages[-1][1].ending == "stopped early"

    class Impatient(Callback):
        def on_epoch(self, _):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        embedder(spectral=False, callbacks=[diary, Impatient()]).fit(graph)
    assert diary.pages[-1][1].ending == "interrupted"


def test_a_clone_has_the_same_callbacks_and_a_saved_model_none(graph, tmp_path):
    diary = Diary()
    emb = embedder(epochs=1, spectral=False, callbacks=[diary, "csv"])
    again = clone(emb)
    assert again.callbacks == [diary, "csv"]
    assert again.callbacks[0] is diary
    emb.set_params(callbacks=(diary,)).fit(graph).save(tmp_path)
    assert spco.Embedder.load(tmp_path).callbacks is None


def test_auto_tells_of_every_candidate(graph, monkeypatch):
    monkeypatch.setattr("spco.estimators.candidates._CANDIDATES", ("dgi", "cca_ssg"))
    diary, known = Diary(), np.where(np.arange(178) % 3 == 0, graph.labels, -1)
    spco.Embedder(epochs=1, spectral=False, callbacks=[diary]).fit(graph, known)
    assert {moment.run for _, moment in diary.pages} == {"dgi/seed-0", "cca_ssg/seed-0"}


def test_a_classifier_tells_its_probabilities(graph):
    diary = Diary()
    model = spco.NodeClassifier("gcn", epochs=3, callbacks=[diary])
    model.fit(graph, train=graph.splits["train20"], val=graph.splits["val"])
    assert np.array_equal(diary.last, model.probabilities_)
    assert diary.pages[0][1].run == "gcn/seed-0"


@pytest.mark.parametrize(
    ("callbacks", "message"),
    [
        ("csv", "be a list of Callback objects"),
        ([print], "be a list of Callback objects"),
        ([Diary], r"hint: Diary\(...\), not the class"),
        (["tensorbord"], "did you mean 'tensorboard'"),
    ],
)
def test_what_is_no_callback_is_refused(graph, callbacks, message):
    with pytest.raises(ValueError, match=message):
        embedder(callbacks=callbacks).fit(graph)


def test_neighbours_vote_as_if_counted_by_hand(graph):
    train, val = graph.splits["train10"], graph.splits["val"]
    rows = np.random.default_rng(0).normal(size=(178, 5)) + 2 * np.eye(3, 5)[graph.labels]
    rows[val[0]] = 0  # a node of no direction
    found = KNNScore(graph.labels, train, val, neighbours=3).score(rows)
    unit = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)
    _, nearest = NearestNeighbors(n_neighbors=3, algorithm="brute").fit(unit[train]).kneighbors(unit[val])
    votes = [np.bincount(graph.labels[train[row]], minlength=3).argmax() for row in nearest]
    assert found == pytest.approx(np.mean(np.array(votes) == graph.labels[val]))
    few = KNNScore(graph.labels, train[[0, -1]], val, neighbours=50)  # more than there are
    assert 0 <= few.score(rows) <= 1


def test_the_score_looks_at_no_test_node(graph):
    train, val, test = (graph.splits[name] for name in ("train20", "val", "test"))
    hidden = graph.labels.copy()
    hidden[test] = -1
    knns = [KNNScore(labels, train, val, every=2) for labels in (graph.labels, hidden)]
    embedder(epochs=5, spectral=False, callbacks=knns).fit(graph)
    assert list(knns[0].scores) == [2, 4]
    assert knns[0].scores == knns[1].scores
    assert KNNScore.of(graph).val.tolist() == val.tolist()


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda g: KNNScore(g.labels, [0, 177], [2], every=0), InvalidParameterError, "'every' parameter"),
        (lambda g: KNNScore(g.labels, [0, 99, 177], [0]), ValueError, "'val'|share|both"),
        (lambda _: KNNScore(None, [0], [1]), InvalidLabelsError, "'labels' parameter of KNNScore"),
        (
            lambda g: KNNScore(g.labels[:100], [0, 99], [3]).score(np.ones((178, 2))),
            InvalidLabelsError,
            "178",
        ),
    ],
)
def test_mistakes_in_a_score_are_named(graph, make, error, message):
    with pytest.raises(error, match=message):
        make(graph)


def test_the_bar_shows_the_last_measurements(monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    bar = ProgressBar()
    bar.on_start(Moment("dgi+spco/seed-0", 0, 3))
    bar.on_epoch(Moment("dgi+spco/seed-0", 1, 3, 0.5, metrics={"knn_accuracy": 0.75}))
    bar.on_epoch(Moment("dgi+spco/seed-0", 2, 3, 0.25))
    shown = str(bar._bar)
    bar.on_end(Moment("dgi+spco/seed-0", 2, 3, ending="finished"))
    assert "dgi+spco" in shown
    assert "loss 0.2500, knn_accuracy 0.750" in shown
    ProgressBar().on_end(Moment("x", 0, 3, ending="failed"))  # never started
