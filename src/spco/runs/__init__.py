"""The run engine: runs as data, the processes that carry them out, and the stores that keep them.

spec         RunSpec: one run as data, which makes its estimator; Run: its result
store        Store: what every store can do; MemoryStore
run_folder   FolderStore: embeddings, models, histories and scores, as ``spco train --out`` writes them
ledger       Ledger: one JSON line per run
destination  Destination: which folder may be used, resumed or overwritten
performing   perform: train once, measure the cost, score
workers      carry_out: make the runs that a store does not hold, several at a time if wanted
comparing    compare: methods × seeds on a graph, with baselines and paired statistics
results      RunResults: what a page about runs shows
"""

from typing import TYPE_CHECKING

from .._lazy import lazy_names

if TYPE_CHECKING:
    from .comparing import compare as compare
    from .ledger import Ledger as Ledger
    from .performing import RunOptions as RunOptions
    from .performing import perform as perform
    from .results import RunResults as RunResults
    from .results import read_runs as read_runs
    from .run_folder import FolderStore as FolderStore
    from .spec import Run as Run
    from .spec import RunSpec as RunSpec
    from .store import MemoryStore as MemoryStore
    from .workers import Outcome as Outcome
    from .workers import carry_out as carry_out

_HOMES = {
    "FolderStore": "run_folder",
    "Ledger": "ledger",
    "MemoryStore": "store",
    "Outcome": "workers",
    "Run": "spec",
    "RunOptions": "performing",
    "RunResults": "results",
    "RunSpec": "spec",
    "carry_out": "workers",
    "compare": "comparing",
    "perform": "performing",
    "read_runs": "results",
}
__all__ = sorted(_HOMES)
__getattr__, __dir__ = lazy_names(__name__, _HOMES)
