"""Measured products, beside other libraries that are installed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ringsmith._plan import _axes
from ringsmith._ringsmith import Error

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ringsmith._ring import Ring


@dataclass(frozen=True)
class Timing:
    """What a product takes, in microseconds: the least of several runs. ``right`` says whether it is right."""

    name: str
    microseconds: float
    right: bool = True


@dataclass(frozen=True)
class Bench:
    """Times of products in a ring, in one run on this machine: compare their ratios."""

    ring: str
    timings: tuple[Timing, ...]

    @classmethod
    def of(cls, ring: Ring, against: tuple[str, ...], *, batch: int, seconds: float) -> Bench:
        """Those of a ring and of other libraries."""
        a, b = ring.random(batch, rng=1), ring.random(batch, rng=2)
        out = np.empty_like(a)
        one = (a[0].copy(), b[0].copy())
        timings = [
            Timing("ringsmith, one product", _least(lambda: ring.mul(*one), seconds)),
            Timing(f"ringsmith, {batch} products", _least(lambda: ring.mul(a, b, out), seconds) / batch),
        ]
        for name in against:
            if name not in OTHERS:
                raise Error(f"nothing is named '{name}' to measure against; there are: {', '.join(OTHERS)}")
            run, check = OTHERS[name](ring, a, b)
            # None of them takes batches: one product of this batch is measured.
            timings.append(Timing(name, _least(run, seconds), bool(np.array_equal(check(), out[0]))))
        return cls(ring.expression, tuple(timings))

    def ratio(self, name: str) -> float:
        """How many times as long as a product of a batch one takes by another library."""
        times = {timing.name: timing.microseconds for timing in self.timings}
        return times[name] / self.timings[1].microseconds

    def __str__(self) -> str:
        width = max(len(timing.name) for timing in self.timings)
        rows = (
            f"{of.name:<{width}}  {of.microseconds:>10.2f} us{'' if of.right else '  (wrong)'}"
            for of in self.timings
        )
        return "\n".join([self.ring, *rows])

    def plot(self, ax: Axes | None = None) -> Axes:
        """A bar for each, by Matplotlib."""
        ax = _axes(ax)
        timings = self.timings[::-1]
        names = [of.name + ("" if of.right else " (wrong)") for of in timings]
        bars = ax.barh(names, [of.microseconds for of in timings])
        for bar, of in zip(bars, timings):
            bar.set_color("C1" if of.name.startswith("ringsmith") else "C0")
        ax.bar_label(bars, fmt="{:,.3g}", padding=3)
        ax.margins(x=0.15)
        ax.set_xlabel("microseconds of a product")
        ax.set_title(self.ring)
        return ax


def _least(run: Callable[[], Any], seconds: float) -> float:
    """Microseconds of a run: the least mean of loops that are long enough to be measured."""
    run()
    start = time.perf_counter()
    run()
    loops = max(1, int(1e-3 / max(time.perf_counter() - start, 1e-7)))
    least, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end or least == float("inf"):
        start = time.perf_counter()
        for _ in range(loops):
            run()
        least = min(least, (time.perf_counter() - start) / loops)
    return least * 1e6


Runs = tuple[Callable[[], Any], Callable[[], Any]]


def _fft(ring: Ring, a: Any, b: Any) -> Runs:
    """By floating point: right only while rounding errors stay below a half."""
    n, f = ring.n, ring.f
    x, y = (ring.to_centred(of[0]).astype(float) for of in (a, b))
    if set(f) != {0, n} or f[0] % ring.q not in (1, ring.q - 1):
        length = 2 * n

        def run() -> Any:
            return np.fft.irfft(np.fft.rfft(x, length) * np.fft.rfft(y, length), length)

        return run, lambda: ring.reduce([int(c) for c in np.rint(run())])
    # Negacyclic: coefficients are turned by a root of -1 (and complex); cyclic: as they are.
    turn = np.exp(1j * np.pi * np.arange(n) / n) if f[0] % ring.q == 1 else np.ones(n)
    back = turn.conj()

    def wrapped() -> Any:
        product = np.fft.ifft(np.fft.fft(x * turn) * np.fft.fft(y * turn)) * back
        # By floating point too: what no integer holds is wrong, and no warning.
        return np.mod(np.rint(product.real), ring.q)

    return wrapped, lambda: wrapped().astype(ring.dtype)


def _flint(ring: Ring, a: Any, b: Any, *, converted: bool) -> Runs:
    import flint

    f = [0] * (ring.n + 1)
    for exponent, c in ring.f.items():
        f[exponent] = c % ring.q
    modulus = flint.nmod_poly(f, ring.q)

    def make(of: Any) -> Any:
        return flint.nmod_poly(of.tolist(), ring.q)

    x, y = make(a[0]), make(b[0])

    def run() -> Any:
        return x * y % modulus if converted else ((make(a[0]) * make(b[0])) % modulus).coeffs()

    return run, lambda: ring.reduce([int(c) for c in (x * y % modulus).coeffs()] or [0])


def _galois(ring: Ring, a: Any, b: Any) -> Runs:
    import galois

    field = galois.GF(ring.q)
    f = [0] * (ring.n + 1)
    for exponent, c in ring.f.items():
        f[ring.n - exponent] = c % ring.q
    modulus, x, y = galois.Poly(f, field), *(galois.Poly(of[0].tolist()[::-1], field) for of in (a, b))

    def run() -> Any:
        return x * y % modulus

    return run, lambda: ring.reduce([int(c) for c in run().coeffs[::-1]])


OTHERS: dict[str, Callable[..., Runs]] = {
    "numpy.fft": _fft,
    "python-flint": lambda ring, a, b: _flint(ring, a, b, converted=False),
    "python-flint, converted": lambda ring, a, b: _flint(ring, a, b, converted=True),
    "galois": _galois,
}
