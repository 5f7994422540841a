"""Embeddings in a scikit-learn pipeline, with a grid search over SpCo and the classifier.

python examples/sklearn_pipeline.py
"""

# %% To scikit-learn the samples are nodes: graph[rows] are some of them, with the whole graph around them.
import numpy as np
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import classification_report
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import Normalizer

import spco

graph = spco.load_dataset("wine")
train, test = graph.splits["train20"], graph.splits["test"]

# %% Three steps. An embedder is trained without labels; the classifier sees those of the training nodes.
pipeline = Pipeline(
    [
        ("embed", spco.Embedder("dgi", epochs=40, settings={"method": {"widths": [64]}})),
        ("unit rows", Normalizer()),
        ("classify", LogisticRegression(max_iter=1000)),
    ]
)
print(pipeline.fit(graph[train], graph.labels[train]).score(graph[test], graph.labels[test]))

# %% Search: settings of SpCo and of the classifier side by side, by the validation nodes that the graph has.
grid = {"embed__spectral__eta": [0.1, 0.5], "classify__C": [1.0, 100.0]}
split = [(train, graph.splits["val"])]
search = GridSearchCV(pipeline, grid, cv=split, refit=False).fit(graph, graph.labels)
found = search.cv_results_
for parameters, score in zip(found["params"], found["mean_test_score"], strict=True):
    print(f"{score:.3f} {parameters}")

# %% The best setting, fitted once more and tested once.
best = clone(pipeline).set_params(**search.best_params_).fit(graph[train], graph.labels[train])
predicted = best.predict(graph[test])
print(classification_report(graph.labels[test], predicted))
accuracy = float(np.mean(predicted == graph.labels[test]))

# %% Without splits of its own a graph is cut into folds, as any other data.
folds = StratifiedKFold(3, shuffle=True, random_state=0)
search = GridSearchCV(pipeline, {"embed__spectral": [True, False]}, cv=folds).fit(graph, graph.labels)
found = search.cv_results_
for parameters, score in zip(found["params"], found["mean_test_score"], strict=True):
    print(f"{score:.3f} {parameters}")
