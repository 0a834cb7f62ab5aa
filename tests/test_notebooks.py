"""The notebooks: clean, and they run from a clean kernel."""

import json

import nbformat
import pytest
from nbclient import NotebookClient
from pages import ROOT, small_python

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def code(book):
    return [cell for cell in book.cells if cell.cell_type == "code"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
class TestNotebook:
    def test_holds_no_output(self, path):
        book = nbformat.read(path, as_version=4)
        nbformat.validate(book)
        assert all(cell.outputs == [] and cell.execution_count is None for cell in code(book))

    def test_uses_the_public_functions_only(self, path):
        text = "\n".join(cell.source for cell in code(nbformat.read(path, as_version=4)))
        assert "import flip7sim as f7" in text
        assert "from flip7sim" not in text

    @pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::RuntimeWarning", "ignore::ResourceWarning")
    def test_runs_from_a_clean_kernel(self, path, tmp_path):
        book = nbformat.read(path, as_version=4)
        for cell in code(book):
            cell.source = small_python(cell.source)
        NotebookClient(book, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
        kinds = {kind for cell in code(book) for output in cell.outputs for kind in output.get("data", {})}
        assert {"text/html", "image/png"} <= kinds, "a table and a figure"
        assert "stderr" not in [output.get("name") for cell in code(book) for output in cell.outputs]


def test_the_readme_lists_every_notebook():
    text = (ROOT / "notebooks" / "README.md").read_text(encoding="utf-8")
    assert [path.name for path in NOTEBOOKS if f"({path.name})" not in text] == []


def test_the_command_copies_them_and_overwrites_nothing(run, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / NOTEBOOKS[0].name).write_text("my own")
    assert run("notebook", "mine", "--copy").status == 0
    assert {path.name for path in (tmp_path / "mine").iterdir()} == {path.name for path in NOTEBOOKS}
    assert (tmp_path / "mine" / NOTEBOOKS[0].name).read_text() == "my own"
    assert json.loads((tmp_path / "mine" / NOTEBOOKS[1].name).read_text(encoding="utf-8"))["cells"]


def test_without_jupyter_one_line_says_how_to_install_it(run, tmp_path, monkeypatch):
    monkeypatch.setattr("flip7sim.cli.notebook.find_spec", lambda name: None)
    ran = run("notebook")
    assert (ran.status, len(ran.errors)) == (2, 1)
    assert "pip install 'flip7sim[notebooks]'" in ran.errors[0]
    assert list(tmp_path.iterdir()) == []


def test_with_jupyter_the_folder_is_opened(run, monkeypatch):
    started = []

    class Done:
        returncode = 0

    def start(words):
        started.append(words)
        return Done

    monkeypatch.setattr("flip7sim.cli.notebook.find_spec", lambda name: name == "notebook")
    monkeypatch.setattr("flip7sim.cli.notebook.subprocess.run", start)
    assert run("notebook").status == 0
    assert started[0][1:] == ["-m", "notebook", "notebooks"]
