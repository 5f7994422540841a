"""When a schedule refreshes, with which θ, and that it goes on where it was left."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import spco
from spco.errors import IneffectiveSettingsWarning, InvalidParameterError
from spco.training import SpectralSchedule, SpectralSettings


@pytest.fixture(scope="module")
def wine():
    return spco.load_dataset("wine")


def refreshes(graph, epochs, **settings):
    """The epochs before which the view changes, with θ."""
    schedule = SpectralSchedule(graph, SpectralSettings(**settings), epochs=epochs)
    records = [(epoch, schedule.at(epoch).refresh) for epoch in range(epochs)]
    return [(epoch, record.theta) for epoch, record in records if record is not None]


def test_a_refresh_at_the_end_of_an_epoch_is_seen_in_the_next(wine):
    every = {"refresh_every": 3, "theta_epochs": 1}
    assert refreshes(wine, 8, **every) == [(0, 0.0), (3, 1.0), (6, 1.0)]
    assert refreshes(wine, 8, refresh_at="end", **every) == [(1, 0.0), (4, 1.0), (7, 1.0)]


def test_the_lagging_theta_is_that_of_the_refresh_before_and_has_no_bound(wine):
    found = refreshes(wine, 9, refresh_every=2, theta="lagged", theta_epochs=4)
    assert found == [(0, 0.0), (2, 0.0), (4, 0.5), (6, 1.0), (8, 1.5)]


def test_stored_views_are_those_of_ten_refreshes_in_a_row(wine):
    settings = {"stored_views": (0, 0, 2), "refresh_every": 2, "epsilon": 0.1}
    assert refreshes(wine, 9, **settings) == [(0, 0.0), (4, 0.2)]
    schedule = SpectralSchedule(wine, SpectralSettings(**settings), epochs=9)
    pair = [schedule.at(epoch) for epoch in range(9)][-1]
    expected = spco.SpectralPair(wine, epsilon=0.1)
    for theta in (0.0, 0.1, 0.2):
        expected.refresh(theta)
    np.testing.assert_array_equal(pair.partner.matrix.toarray(), expected.view.toarray())
    assert schedule.spectral_state.thetas == (0.0, 0.1, 0.2)
    replayed = schedule.spectral_state.replay(wine)
    np.testing.assert_array_equal(replayed.partner.matrix.toarray(), expected.view.toarray())


@pytest.mark.parametrize("stopped", range(1, 8))
@pytest.mark.parametrize(
    "settings",
    [
        {"stored_views": (0, 0, 2), "refresh_every": 2},
        {"refresh_at": "end", "theta": "lagged", "theta_epochs": 3, "refresh_every": 2},
    ],
    ids=["stored", "lagged"],
)
def test_a_schedule_goes_on_where_it_was_left(wine, settings, stopped):
    whole, first, second = (SpectralSchedule(wine, SpectralSettings(**settings), epochs=9) for _ in range(3))
    for epoch in range(stopped):
        first.at(epoch)
    second.restore(first.state())
    for epoch in range(9):
        expected = whole.at(epoch)
        if epoch >= stopped:
            found = second.at(epoch)
            np.testing.assert_array_equal(found.partner.matrix.toarray(), expected.partner.matrix.toarray())
    assert second.spectral_state == whole.spectral_state


def test_a_schedule_that_never_changes_the_view_warns(wine):
    for settings in ({"theta": "lagged", "refresh_every": 5}, {"stored_views": (0,)}):
        with pytest.warns(IneffectiveSettingsWarning, match="SpCo changes nothing in 9 epochs"):
            SpectralSchedule(wine, SpectralSettings(**settings), epochs=9)


@pytest.mark.parametrize("views", [(), (3, 1), (0, 10), (-1,), "0"])
def test_stored_views_are_rising_numbers_below_ten(views):
    with pytest.raises(InvalidParameterError, match="stored_views"):
        SpectralSettings(stored_views=views)


@pytest.mark.parametrize("way", ["fit", "fit_transform", "auto", "compare", "pipeline", "longer pipeline"])
def test_the_warning_points_at_the_line_of_the_user(wine, way):
    embedder = spco.Embedder("dgi", epochs=1)
    calls = {
        "fit": lambda: embedder.fit(wine),
        "fit_transform": lambda: embedder.fit_transform(wine),
        "auto": lambda: spco.Embedder(epochs=1).fit(wine),
        "compare": lambda: spco.compare(wine, {"dgi": embedder}, seeds=[0], baselines=False),
        "pipeline": lambda: make_pipeline(embedder).fit(wine),
        "longer pipeline": lambda: make_pipeline(embedder, StandardScaler()).fit(wine),
    }
    with pytest.warns(IneffectiveSettingsWarning, match="SpCo changes nothing") as caught:
        calls[way]()
    assert {warning.filename for warning in caught if "SpCo changes" in str(warning.message)} == {__file__}
