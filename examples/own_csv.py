"""From your own CSV files to embeddings and predictions: text ids, missing labels, spare columns.

python examples/own_csv.py
"""

# %% A shop: which articles were bought together, what is known of them, and the kind of some.
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
from sklearn.linear_model import LogisticRegression

import spco

folder = Path(mkdtemp())
rng = np.random.default_rng(0)
kinds = np.repeat(["book", "tool", "toy"], 60)
names = [f"article {number}" for number in range(1, len(kinds) + 1)]
alike = kinds[:, None] == kinds[None, :]
bought = np.argwhere(np.triu(rng.random(alike.shape) < np.where(alike, 0.10, 0.01), 1))
prices = np.searchsorted(["book", "tool", "toy"], kinds)[:, None] + rng.normal(0, 0.8, (len(kinds), 4))

edges = [f"{names[a]};{names[b]};till {rng.integers(9)}" for a, b in bought]
(folder / "bought.csv").write_text("\n".join(["article;with;till", *edges]))
rows = [f"{name};{';'.join(f'{x:.2f}' for x in row)}" for name, row in zip(names, prices, strict=True)]
(folder / "articles.csv").write_text("\n".join(["article;price;weight;size;rating", *rows]))
known = [f"{name};{kind}" for name, kind in zip(names, kinds, strict=True) if rng.random() < 0.3]
(folder / "kinds.csv").write_text("\n".join(["article;kind", *known]))

# %% Read them. What was understood is said; nothing is guessed in silence.
graph = spco.read_graph(
    folder / "bought.csv",
    features=folder / "articles.csv",
    labels=folder / "kinds.csv",
    source="article",
    target="with",
    node_id="article",
    label="kind",
    tell=print,
)
print(graph)

# %% What is the graph like, and what suits it?
print(spco.advise(graph))

# %% Embed every article; labels are not needed for that.
embedder = spco.Embedder(epochs=30)  # method="auto": what the advice says
Z = embedder.fit_transform(graph)

# %% Predict the kind of the articles that have none.
has_kind = graph.labels >= 0
model = LogisticRegression(max_iter=1000).fit(Z[has_kind], graph.labels[has_kind])
probabilities = model.predict_proba(Z)
predicted = graph.label_names[model.classes_[probabilities.argmax(1)]]

lines = ["article,kind,probability"]
for name, kind, sure in zip(graph.node_ids, predicted, probabilities.max(1), strict=True):
    lines.append(f"{name},{kind},{sure:.3f}")
(folder / "predicted.csv").write_text("\n".join(lines))

# %% Here the truth is known, so the predictions can be checked.
truth = dict(zip(names, kinds, strict=True))
right = [truth[name] == kind for name, kind in zip(graph.node_ids, predicted, strict=True)]
accuracy = float(np.mean(np.array(right)[~has_kind]))
print(f"{accuracy:.1%} of the {(~has_kind).sum()} articles without a kind are predicted right")
print(f"the predictions are in {folder / 'predicted.csv'}")
