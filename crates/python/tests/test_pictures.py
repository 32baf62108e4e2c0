"""Plots, where Matplotlib is installed."""

import pytest

from ringsmith import Ring
from ringsmith.experiments import noise, seeds

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
pytest.importorskip("matplotlib.pyplot")


def test_plots(tmp_path):
    """Protects: each picture has what its data has, and can be drawn."""
    ring = Ring("Z_12289[x]/(x^64+1)")
    plan, bench, histogram = ring.plan(), ring.bench(batch=10, seconds=0.01), noise("ML-KEM-512", seeds(20))
    near = [of for of in plan.methods[:12] if of.cycles <= 10 * plan.methods[0].cycles]
    for of, count in [(plan, len(near)), (bench, 2), (histogram, 1)]:
        ax = of.plot()
        assert len(ax.patches) == count and ax.get_title() and ax.get_xlabel()
        ax.figure.savefig(tmp_path / "picture.png")
        assert of.plot(ax) is ax
        matplotlib.pyplot.close(ax.figure)
