"""The notebooks and the pages: all of their code runs."""

import doctest
from pathlib import Path

import pytest

HERE = Path(__file__).parents[1]
NOTEBOOKS = sorted((HERE / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks(path, tmp_path):
    """Protects: every notebook runs from its first cell to its last."""
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    assert any("image/png" in output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", []))
    assert all(not cell.get("outputs") for cell in nbformat.read(path, as_version=4).cells)


@pytest.mark.parametrize("page", [HERE / "README.md", HERE.parents[1] / "docs/python.md"], ids=lambda page: page.name)
def test_pages(page):
    """Protects: the examples of the pages."""
    if not page.exists():
        pytest.skip("the package stands alone")
    assert doctest.testfile(str(page), module_relative=False).failed == 0
