"""Everything that the paper numbers, in its order: who makes it, and what a folder of results says about it.

For a verdict, write a function of the folder that returns a :class:`Finding`, and name it in :data:`ITEMS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from .case_study.experiments import PAIR_GRAPHS
from .claims import epsilon_claim, eta_claim, learnt_claim, nine_views_claim, target_claim, two_hop_claim
from .classification import SPCO_METHODS
from .verdicts import Committed, Finding, augmentations, bands, claimed, classified, pairs, stated


@dataclass(frozen=True)
class Item:
    """Something that the paper numbers.

    Attributes
    ----------
    name : str
        Such as "Figure 4".
    section, title : str
    finding : function of a folder of results
    target : str or None
        The target of ``spco reproduce`` that makes it.
    where : str
        The module or test that has it, if no target makes it.
    """

    name: str
    section: str
    title: str
    finding: Callable[[Path], Finding]
    target: str | None = None
    where: str = ""


@dataclass(frozen=True)
class Entry:
    """An item and what a folder of results says about it."""

    item: Item
    committed: Committed
    verdict: str

    def to_dict(self) -> dict[str, Any]:
        """Return it as a JSON document."""
        about = {name: getattr(self.item, name) for name in ("name", "section", "title", "target")}
        return {
            **about,
            "where": self.item.where or None,
            "committed": self.committed,
            "verdict": self.verdict,
        }


def contents(folder: Path) -> Iterator[Entry]:
    """Yield everything in the paper's order, with what a folder such as ``results/`` says about it."""
    for item in ITEMS:
        found = item.finding(folder)
        yield Entry(item, found.committed, found.verdict)


_DIAGRAM = stated("an illustration")
_THEORY = "docs/theory.md"

#: Everything that the paper numbers, counted as LaTeX counts it, in the order of its sections.
ITEMS: tuple[Item, ...] = (
    Item("Figure 1", "1", "The framework of graph contrastive learning", _DIAGRAM),
    Item("Figure 2", "3", "The case study's model", _DIAGRAM, where="spco.paper.case_study.model"),
    Item("Figure 3", "3", "The generation of V", _DIAGRAM, where="spco.views.BandPass"),
    Item(
        "Figure 4",
        "3",
        "The case study: V keeps a part of the spectrum, lowest frequencies first",
        partial(bands, order="low-to-high", graphs=PAIR_GRAPHS),
        "fig4",
    ),
    Item(
        "Figure 5",
        "3",
        "The spectrum of A and V",
        stated("not drawn: V is 1 or 0 by construction"),
        where="tests/views/test_band.py",
    ),
    Item(
        "Figure 6",
        "4",
        "The spectra of nine augmentations",
        claimed(nine_views_claim, "figures/spectra-cora.svg"),
        "fig-spectra",
    ),
    Item("Table 1", "4", "Nine augmentations, each contrasted with A", augmentations, "table1"),
    Item(
        "Theorem 1",
        "4",
        "Contrastive invariance",
        stated(f"fails as printed where λθγ < 0; corrected in {_THEORY}"),
        "theorems",
    ),
    Item(
        "Figure 7", "5", "SpCo combined with a contrastive method", _DIAGRAM, where="spco.training.schedule"
    ),
    Item(
        "Theorem 2",
        "5",
        "Existence of a maximum",
        stated(f"right for ε = 2 only; corrected in {_THEORY}"),
        "theorems",
    ),
    Item(
        "Theorem 3",
        "5",
        "Distance of successive plans",
        stated(f"fails on one edge; corrected in {_THEORY}"),
        "theorems",
    ),
    Item(
        "Algorithm 1",
        "5",
        "Sinkhorn's iteration",
        stated("equals the dense algorithm in the tests"),
        where="spco.transport.sinkhorn",
    ),
    Item(
        "Algorithm 2",
        "5",
        "SpCo",
        stated("equals the dense algorithm in the tests"),
        where="spco.SpectralPair",
    ),
    Item("Table 2", "6", "Node classification, 20 labels per class", classified("train20"), "table2"),
    Item(
        "Figure 8",
        "6",
        "The spectra of A, A_, V1 and V2 on Citeseer",
        claimed(
            partial(learnt_claim, graph="citeseer"),
            *(f"figures/learnt-{method}-citeseer.svg" for method in SPCO_METHODS),
        ),
        "fig-learnt",
    ),
    Item(
        "Figure 9",
        "6",
        "Three candidates for C, on Cora and BlogCatalog",
        claimed(target_claim, "figures/target-cora.svg", "figures/target-blogcatalog.svg"),
        "fig-target",
    ),
    Item(
        "Figure 10",
        "6",
        "Sensitivity to ε on BlogCatalog",
        claimed(partial(epsilon_claim, graphs=["blogcatalog"]), "figures/epsilon-blogcatalog.svg"),
        "fig-epsilon",
    ),
    Item(
        "Theorem 4",
        "A.1",
        "M = UΘUᵀ",
        stated(f"holds where all frequencies differ, which real graphs do not meet, see {_THEORY}"),
        "theorems",
    ),
    Item(
        "Theorem 5",
        "A.2",
        "The total change of eigenvalues",
        stated(f"its inequality holds, its equivalence fails; corrected in {_THEORY}"),
        "theorems",
    ),
    Item(
        "Theorem 6",
        "A.2",
        "A maximised eigenspace excludes the others",
        stated(f"fails with bounded entries, see {_THEORY}"),
        where=_THEORY,
    ),
    Item(
        "Figure 11",
        "B.2",
        "The generation of V, highest frequencies first",
        _DIAGRAM,
        where="spco.views.BandPass",
    ),
    Item(
        "Figure 12",
        "B.2",
        "The case study on Cora, highest frequencies first",
        partial(bands, order="high-to-low", graphs=("cora",)),
        "fig4",
    ),
    Item(
        "Figure 13",
        "C",
        "The spectra of A and A²",
        claimed(two_hop_claim, "figures/two-hop-cora.svg"),
        "fig-two-hop",
    ),
    Item("Table 3", "C", "A & A, A & A², A² & A²", pairs, "table-pairs"),
    Item(
        "Table 4",
        "D.2",
        "The statistics of the graphs",
        stated("the same graphs; `num_edges` counts an edge once"),
        where="spco datasets",
    ),
    Item(
        "Table 5",
        "D.3",
        "Settings on Cora, Citeseer, BlogCatalog and Flickr",
        stated("every value is that of a preset, by a test"),
        where="tests/presets/test_families.py",
    ),
    Item(
        "Table 6",
        "D.3",
        "Settings on PubMed",
        stated("every value is that of a preset, by a test"),
        where="tests/presets/test_families.py",
    ),
    Item(
        "Table 7",
        "D.4",
        "Node classification, 5 and 10 labels per class",
        classified("train5", "train10"),
        "table-rates",
    ),
    Item(
        "Figure 14",
        "D.4",
        "The spectra of A, A_, V1 and V2 on Cora",
        claimed(
            partial(learnt_claim, graph="cora"),
            *(f"figures/learnt-{method}-cora.svg" for method in SPCO_METHODS),
        ),
        "fig-learnt",
    ),
    Item(
        "Figure 15",
        "D.4",
        "Sensitivity to ε on Cora",
        claimed(partial(epsilon_claim, graphs=["cora"]), "figures/epsilon-cora.svg"),
        "fig-epsilon",
    ),
    Item(
        "Figure 16",
        "D.4",
        "Sensitivity to η on Cora and BlogCatalog",
        claimed(eta_claim, "figures/eta-cora.svg", "figures/eta-blogcatalog.svg"),
        "fig-eta",
    ),
)
