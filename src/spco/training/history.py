"""What happened during training."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class RefreshRecord:
    """Diagnostics of one refresh of the learnt view."""

    epoch: int
    theta: float
    scale_plus: float
    scale_minus: float
    marginal_error_plus: float
    marginal_error_minus: float
    log_domain: bool
    seconds: float


@dataclass
class History:
    """Losses, times and refreshes, epoch by epoch."""

    losses: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    refreshes: list[RefreshRecord] = field(default_factory=list)
    best_epoch: int | None = None
    stopped_early: bool = False

    @property
    def refresh_share(self) -> float:
        """The part of training time that went into refreshes."""
        total = sum(self.seconds)
        return sum(record.seconds for record in self.refreshes) / total if total else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> History:
        """Rebuild a history from :meth:`to_dict`."""
        records = [RefreshRecord(**record) for record in data["refreshes"]]
        return cls(**{**data, "refreshes": records})
