"""The checks that scikit-learn runs on estimators, and why some cannot apply to graphs."""

from __future__ import annotations

import pytest

import spco

pytest.importorskip("sklearn", minversion="1.8", reason="scikit-learn has strict excuses from 1.8 on")

from sklearn.utils.estimator_checks import estimator_checks_generator, parametrize_with_checks


class OnMatrices:
    """The checks hand in arrays. Those of an estimator on similarities are square: adjacency matrices."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = tags.input_tags.positive_only = True
        return tags


class MatrixEmbedder(OnMatrices, spco.Embedder):
    pass


class MatrixClassifier(OnMatrices, spco.NodeClassifier):
    pass


SQUARE = "hands in arrays that are not square, which are no adjacency"
WORDS = "asks for other words: errors have one shape in spco"
WHOLE = "takes rows of X for samples apart: a node without its neighbours is another graph"
EXCUSES = {
    "check_n_features_in": "counts columns of X: those of an adjacency are nodes, not features",
    "check_n_features_in_after_fitting": "counts columns of X: those of an adjacency are nodes, not features",
    "check_positive_only_tag_during_fit": WORDS,
    "check_complex_data": WORDS,
    "check_fit2d_1sample": WORDS,
    "check_dtype_object": "hands in objects: weights are numbers",
    "check_estimators_empty_data_messages": SQUARE,
    "check_estimators_nan_inf": SQUARE,
    "check_fit2d_predict1d": SQUARE,
    "check_fit_idempotent": SQUARE,
    "check_methods_sample_order_invariance": WHOLE,
    "check_methods_subset_invariance": WHOLE,
}
LISTS = "hands in lists or another container: an adjacency is a matrix of NumPy or SciPy"
OF_EMBEDDERS = {"check_transformer_data_not_an_array": LISTS}
OF_CLASSIFIERS = {
    "check_classifier_data_not_an_array": LISTS,
    "check_classifiers_train": LISTS,
    "check_classifiers_classes": "hands in class names: the error says how to number them",
    "check_supervised_y_2d": "hands in a matrix of labels: a node has one",
    "check_fit2d_1feature": "hands in labels of one class",
    "check_classifiers_regression_target": WORDS,
    "check_requires_y_none": WORDS,
}


ESTIMATORS = [
    MatrixEmbedder("dgi", epochs=1, features="degree", settings={"method": {"widths": [4]}}),
    MatrixClassifier(epochs=30, features="degree", settings={"method": {"hidden": [4]}}),
]


def excuses(estimator):
    """Return the checks that must fail, each with its reason; one that passes fails the test."""
    return EXCUSES | (OF_EMBEDDERS if isinstance(estimator, spco.Embedder) else OF_CLASSIFIERS)


@pytest.mark.filterwarnings("ignore::spco.errors.IneffectiveSettingsWarning")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=excuses, xfail_strict=True)
def test_it_passes_or_has_an_excuse(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=["embedder", "classifier"])
def test_every_excuse_is_of_a_check_that_runs(estimator):
    names = {check.func.__name__ for _, check in estimator_checks_generator(estimator)}
    assert set(excuses(estimator)) <= names
