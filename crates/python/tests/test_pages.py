"""The notebooks and the pages: all of their code runs."""

import doctest
import re
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


def test_first_page():
    """Protects: the example on the first page of the repository does what its comment and its names say."""
    page = HERE.parents[1] / "README.md"
    if not page.exists():
        pytest.skip("the package stands alone")
    (code,) = re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.DOTALL | re.MULTILINE)
    names = {}
    exec(compile(code, str(page), "exec"), names)
    assert names["products"].shape == (1000, 761)
    assert names["private_key"].decapsulate(names["ciphertext"]) == names["shared_secret"]
