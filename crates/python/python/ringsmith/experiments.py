"""Experiments on schemes: decryption failures and noise, computed in Rust.

Work is shipped as seeds and comes back as counts, so that it costs nothing to spread. A seed is an integer of
64 bits; what comes of it depends on nothing else, neither on threads nor on a scheduler.

>>> failures("NewHope-Compact-512", seeds(100))
0
>>> histogram = noise("ML-KEM-768", seeds(10))
>>> int(histogram.counts.sum())
2560

See ``docs/python.md`` for the same on Dask.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ringsmith import _ringsmith
from ringsmith._plan import _axes
from ringsmith._ringsmith import Error

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes

    from ringsmith._types import Seeds

MODELS: tuple[str, ...] = tuple(_ringsmith.MODELS)
"""The schemes of which there is a model of noise."""


def seeds(count: int, root: int = 0, *, first: int = 0) -> Seeds:
    """So many seeds, all different: those numbered from ``first`` on, of a root.

    >>> bool(np.all(seeds(5, first=3) == seeds(8)[3:]))
    True
    """
    # A bijection of 64 bits (SplitMix64's), so that seeds of a root differ.
    x = np.arange(first, first + count, dtype=np.uint64)
    x = x * np.uint64(0x9E3779B97F4A7C15) + np.uint64(root % (1 << 64))
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@dataclass(frozen=True)
class Model:
    """Noise of a scheme over (module) learning with errors, without hashes: noise is drawn.

    With centred binomial ``s``, ``e``, ``r`` (of ``eta``), ``e1``, ``e2`` (of ``eta_ciphertext``) and a uniform
    matrix A of ``rank`` columns: t = A s + e, u = A^T r + e1, v = t^T r + e2 + floor(q/2) m. ``bits_u`` and
    ``bits_v`` are the bits to which u and v are compressed, 0 where they are not. A bit of m stands in ``copies``
    coefficients. The noise is v - s^T u - floor(q/2) m.
    """

    ring: str
    rank: int = 1
    eta: int = 2
    eta_ciphertext: int = 2
    bits_u: int = 0
    bits_v: int = 0
    copies: int = 1

    @classmethod
    def of(cls, scheme: str) -> Model:
        """That of a scheme.

        >>> Model.of("NewHope-Compact-512").copies
        2
        """
        ring, rank, etas, bits, copies = _ringsmith.NoiseModel.named(scheme).parameters
        return cls(ring, rank, etas[0], etas[1], bits[0], bits[1], copies)

    def _rust(self) -> _ringsmith.NoiseModel:
        etas, bits = [self.eta, self.eta_ciphertext], [self.bits_u, self.bits_v]
        return _ringsmith.NoiseModel(self.ring, self.rank, etas, bits, self.copies)


@dataclass(frozen=True, eq=False)
class Histogram:
    """How often each noise occurs, from ``low`` on."""

    name: str
    low: int
    counts: npt.NDArray[np.uint64]

    @property
    def values(self) -> npt.NDArray[np.int64]:
        """The noises that the counts are of."""
        return np.arange(self.low, self.low + len(self.counts))

    def variance(self) -> float:
        """The mean of squares less the square of the mean."""
        weights = self.counts / self.counts.sum()
        mean = (weights * self.values).sum()
        return float((weights * (self.values - mean) ** 2).sum())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Histogram):
            return NotImplemented
        return (self.name, self.low) == (other.name, other.low) and np.array_equal(self.counts, other.counts)

    def __add__(self, other: Histogram) -> Histogram:
        if not isinstance(other, Histogram):
            return NotImplemented
        if (self.name, self.low, len(self.counts)) != (other.name, other.low, len(other.counts)):
            raise Error(f"histograms of different models have no sum: {self.name} and {other.name}")
        return Histogram(self.name, self.low, self.counts + other.counts)

    def plot(self, ax: Axes | None = None) -> Axes:
        """The histogram, by Matplotlib."""
        ax = _axes(ax)
        seen = np.flatnonzero(self.counts)
        low, high = (int(seen[0]), int(seen[-1]) + 1) if len(seen) else (0, 1)
        ax.stairs(self.counts[low:high], np.arange(low, high + 1) + self.low - 0.5, fill=True)
        ax.set_xlabel("noise of a coefficient")
        ax.set_ylabel("how often")
        ax.set_title(self.name)
        return ax


def _seeds(of: npt.ArrayLike) -> Seeds:
    given = np.atleast_1d(np.asarray(of)).ravel()
    if given.dtype.kind not in "iu" or (given.size and given.min() < 0):
        raise Error("seeds are integers from 0 to 2^64 - 1")
    return np.ascontiguousarray(given, np.uint64)


def failures(scheme: str | Model, seeds: npt.ArrayLike, *, threads: int = 1) -> int:
    """How many of these seeds make a scheme fail.

    Of a name: the scheme itself generates a key, encapsulates (encrypts, exchanges) and decapsulates, and fails
    where both sides differ. Of a model: a bit of the message is read wrongly.
    """
    if isinstance(scheme, Model):
        return scheme._rust().failures(_seeds(seeds), threads=threads)[0]
    return _ringsmith.scheme_failures(scheme, _seeds(seeds), threads=threads)


def bit_failures(model: str | Model, seeds: npt.ArrayLike, *, threads: int = 1) -> int:
    """How many bits of messages are read wrongly, of a model or the model of a scheme."""
    model = Model.of(model) if isinstance(model, str) else model
    return model._rust().failures(_seeds(seeds), threads=threads)[1]


def noise(scheme: str | Model, seeds: npt.ArrayLike, *, threads: int = 1) -> Histogram:
    """How often each noise occurs in all coefficients of these seeds, of a scheme's model or of another."""
    model = Model.of(scheme) if isinstance(scheme, str) else scheme
    counts = model._rust().histogram(_seeds(seeds), threads=threads)
    name = scheme if isinstance(scheme, str) else f"{model.ring}, eta {model.eta}"
    return Histogram(name, -(len(counts) // 2), counts)
