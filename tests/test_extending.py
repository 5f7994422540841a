"""What CONTRIBUTING shows how to add, added as it stands there in a package that spco was never told of."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import torch
from sklearn.base import clone

import spco
from spco.cli.options import methods_of
from spco.datasets.catalog import DATASETS
from spco.errors import InvalidInputError, InvalidParameterError, UnknownNameError
from spco.methods import CLASSIFIERS, LEARNERS, METHODS, Method, method_text, resolve_method
from spco.methods.dgi import DGI
from spco.methods.gcn import GCN
from spco.views import VIEWS, parse_view

PAGE = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
ENTRY_POINTS = """
    [spco.methods]
    mine = strange.method:Mine
    broken = strange.broken:Broken
    nothing = strange.view:Thin
    other-name = strange.method:Mine

    [spco.views]
    thin = strange.view:Thin
"""


def block(start):
    """Return the code on the page that starts so."""
    (found,) = [each for each in BLOCKS if each.startswith(start)]
    return found


@pytest.fixture(autouse=True)
def _registries(monkeypatch):
    """Registries that forget what a test adds."""
    for registry in (LEARNERS, VIEWS, DATASETS):
        monkeypatch.setattr(registry, "_entries", dict(registry))


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of the modules on the page, installed as far as Python can tell."""
    folder, metadata = tmp_path / "strange", tmp_path / "strange-1.0.dist-info"
    folder.mkdir()
    metadata.mkdir()
    for name in ("method", "view", "dataset"):
        (folder / f"{name}.py").write_text(block(f"# {name}.py"))
    (folder / "broken.py").write_text("import not_there")
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: strange\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(textwrap.dedent(ENTRY_POINTS))
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    for name in [name for name in sys.modules if name.partition(".")[0] == "strange"]:
        del sys.modules[name]


@pytest.fixture(scope="module")
def graph():
    return spco.load_dataset("wine")


def learnt(method, **parameters):
    return spco.Embedder(method, epochs=3, spectral={"refresh_every": 1}, **parameters)


@pytest.mark.usefixtures("package")
def test_an_installed_package_adds_a_method_and_a_view(graph):
    assert "strange.method" not in sys.modules
    emb, plain = learnt("mine").fit(graph), spco.Embedder("mine", spectral=False, epochs=3).fit(graph)
    for losses in (emb.history_.losses, plain.history_.losses):
        assert losses[-1] < losses[0]
    assert not np.array_equal(emb.embedding_, plain.embedding_)
    assert "mine" in METHODS
    assert "mine" not in CLASSIFIERS
    drawn = parse_view("thin:0.25")(graph, rng=0)
    assert abs(drawn.matrix - 0.25 * graph.adjacency).max() == 0
    assert (
        learnt("mine").set_params(method__view="thin:0.5").fit(graph).history_.losses != emb.history_.losses
    )
    with pytest.raises(InvalidParameterError, match="'factor' parameter of Thin must be > 0"):
        parse_view("thin:-1")


@pytest.mark.usefixtures("package")
def test_a_name_that_is_misspelt_imports_no_package(graph):
    with pytest.raises(UnknownNameError, match="did you mean 'mine'"):
        learnt("mien").fit(graph)
    assert "strange.method" not in sys.modules


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("broken", "be importable. Got 'broken', an entry point to 'strange.broken:Broken' that raises"),
        ("nothing", "be a registered name or a subclass of spco.methods.Method"),
        ("other-name", "have the name of its entry point"),
    ],
)
def test_a_package_that_offers_what_is_no_method_is_refused(name, message, graph):
    with pytest.raises(InvalidParameterError) as caught:
        learnt(name).fit(graph)
    assert message in str(caught.value)
    assert name not in LEARNERS


@pytest.mark.usefixtures("package")
def test_a_class_needs_no_registration(graph):
    from strange.method import Mine

    emb = learnt(Mine, random_state=2).set_params(method__widths=(3,))
    assert clone(emb).get_params() == emb.get_params()
    emb.fit(graph)
    assert emb.embedding_.shape == (graph.num_nodes, 3)
    by_text = learnt("strange.method:Mine", random_state=2, settings=emb.settings)
    assert np.array_equal(by_text.fit_transform(graph), emb.embedding_)
    assert emb.method_name == "mine"
    assert "mine" not in LEARNERS


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize("jobs", [1, 2])
def test_compare_trains_it_also_in_other_processes(graph, jobs):
    from strange.method import Mine

    settings = {"method": {"widths": [3]}, "spectral": {"refresh_every": 1}}
    told = {"method": Mine, "epochs": 2, "settings": settings}
    found = spco.compare(
        graph,
        {"mine": {**told, "spectral": False}, "mine+spco": told},
        seeds=[0],
        rates=["train5"],
        baselines=False,
        jobs=jobs,
    )
    assert found.pairs == (("mine", "mine+spco"),)
    assert len({run.micro_f1 for run in found.runs} | {0.0}) > 1


@pytest.fixture
def saved(package, graph):
    """A model of a class that spco does not know and could import, and the class."""
    shutil.rmtree(package / "strange-1.0.dist-info")
    from strange.method import Mine

    learnt(Mine).fit(graph).save(package / "model")
    del sys.modules["strange.method"]
    return package / "model", Mine


def test_a_file_makes_nothing_import(saved, graph):
    folder, mine = saved
    with pytest.raises(InvalidInputError, match=r"its class was strange\.method:Mine") as caught:
        spco.Embedder.load(folder)
    assert "register_method" in str(caught.value)
    assert "strange.method" not in sys.modules
    again = spco.Embedder.load(folder, method=mine)
    assert np.array_equal(again.transform(graph), again.embedding_)
    assert again.method is mine
    spco.register_method(mine)
    assert spco.Embedder.load(folder).method == "mine"


def test_a_namesake_is_not_taken_for_the_saved_method(saved):
    folder, _ = saved

    @spco.register_method
    class Other(DGI):
        name = "mine"

    with pytest.raises(InvalidInputError, match=r"that is registered, .*Other\. Got strange.method:Mine"):
        spco.Embedder.load(folder)
    with pytest.raises(InvalidInputError, match=r"must be the saved one, 'mine'\. Got 'dgi'"):
        spco.Embedder.load(folder, method="dgi")


def test_registered_classes_are_found_by_name_whichever_kind_they_are(graph):
    class Deeper(GCN):
        name = "deeper"

    class Slower(DGI):
        name = "slower"

    for cls, registry in ((Deeper, CLASSIFIERS), (Slower, METHODS)):
        before = len(registry)
        assert spco.register_method(cls) is cls
        assert spco.register_method(cls) is cls  # once more changes nothing
        assert registry[cls.name] is LEARNERS[cls.name] is cls
        assert len(registry) == before + 1
    model = spco.NodeClassifier("deeper", epochs=2)
    assert model.fit(graph, train=graph.splits["train5"], val=graph.splits["val"]).method_name == "deeper"
    Slower.name = "dgi"
    with pytest.raises(InvalidParameterError, match=r"be new: 'dgi' is taken by (.*\n)+.*replace=True"):
        spco.register_method(Slower)
    spco.register_method(Slower, replace=True)
    assert METHODS["dgi"] is Slower


def bad_class(**attributes):
    return type("Bad", (DGI,), attributes)


@pytest.mark.parametrize(
    ("method", "message"),
    [
        (Method, "must define build"),
        (bad_class(name=None), "must have a 'name'"),
        (bad_class(name="a,b"), "must have a 'name' of letters"),
        (bad_class(name="all"), "must have a 'name'"),
        (bad_class(settings_type=dict), "must have a 'settings_type' that is a dataclass"),
        (int, "subclass of spco.methods.Method or Classifier"),
        (3, "subclass of spco.methods.Method or Classifier"),
        (DGI(3, DGI.settings_type(), generator=torch.Generator()), "hint: hand in the class: DGI"),
    ],
)
def test_what_is_no_method_is_refused(method, message, graph):
    for use in (lambda: spco.register_method(method), lambda: spco.Embedder(method).fit(graph)):
        with pytest.raises(InvalidParameterError) as caught:
            use()
        assert message in str(caught.value)


def test_presets_are_not_those_of_a_namesake_with_other_settings(graph):
    @dataclass(frozen=True)
    class Bare:
        """A namesake's settings, with none of the names in GRACE's presets."""

    class Grace(DGI):
        name = "grace"
        settings_type = Bare

    class Finer(spco.methods.LEARNERS["grace"]):
        """A subclass with the same settings."""

    assert spco.presets.preset_names(Grace) == ()
    assert spco.presets.suggested_preset(Grace, graph).method == Bare()
    assert "cora" in spco.presets.preset_names(Finer)


@pytest.mark.usefixtures("package")
def test_text_finds_a_class_again_in_another_process():
    from strange.method import Mine

    assert method_text("dgi") == method_text(DGI) == "dgi"
    assert method_text(Mine) == "strange.method:Mine"
    assert resolve_method(method_text(Mine), owner="here") is Mine
    with pytest.raises(InvalidParameterError, match="at the top of a module"):
        method_text(type("Local", (DGI,), {"__qualname__": "test.<locals>.Local"}))


def test_the_command_trains_it(package):
    # As the installed command has it: the current directory is not where Python looks for modules.
    program = "import sys; sys.path.pop(0); from spco.cli import main; main()"
    options = "--dataset wine --epochs 2 --set spectral.refresh_every=1 --rates train5 --out runs --json"
    arguments = ["train", "--method", "strange.method:Mine", "--compare", *options.split()]
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], cwd=package, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert {"mine", "mine+spco"} <= set(json.loads(done.stdout)["names"])
    assert (package / "runs/mine+spco/seed-0/embedding.npy").exists()


def test_the_command_finds_classes_here_and_names_of_packages(package, monkeypatch):
    monkeypatch.chdir(package)
    assert methods_of("dgi, strange.method:Mine", "train") == ["dgi", "mine"]
    assert LEARNERS["mine"].__module__ == "strange.method"
    with pytest.raises(InvalidParameterError, match="name each method once"):
        methods_of("mine,strange.method:Mine", "train")
    assert set(methods_of("all", "train")) == set(LEARNERS)


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize(
    ("method", "message"),
    [
        ("strange.method:Mien", "hint: did you mean strange.method:Mine?"),
        ("strange.method:", "must name a class in the module 'strange.method'"),
        ("strange.metod:Mine", "there is no module 'strange.metod'.\nhint: write module:Class"),
        ("strange.broken:Broken", "whose module raises ModuleNotFoundError: No module named 'not_there'"),
        ("strange.view:Thin", "must be a registered name or a subclass of spco.methods.Method"),
        ("mien", "did you mean 'mine'?"),
    ],
)
def test_the_command_says_what_is_wrong(method, message):
    with pytest.raises(InvalidInputError) as caught:
        methods_of(method, "train")
    assert "'method' parameter of spco train" in str(caught.value)
    assert message in str(caught.value)


@pytest.mark.usefixtures("package")
def test_a_dataset_is_found_by_name():
    import strange.dataset

    found = spco.load_dataset("blocks", random_state=1)
    assert found.num_nodes == 300
    assert (found.adjacency != strange.dataset.blocks(1).adjacency).nnz == 0


def test_a_command_is_one_file_and_one_line(tmp_path):
    copy = tmp_path / "spco"
    shutil.copytree(Path(spco.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "cli" / "degrees.py").write_text(block("# degrees.py"))
    program, start = copy / "cli" / "app.py", "COMMANDS = {\n"
    program.write_text(program.read_text().replace(start, start + block('"degrees"'), 1))
    done = subprocess.run(
        [sys.executable, "-m", "spco", "degrees", "--dataset", "wine", "--top", "2"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == {"degrees": sorted(spco.load_dataset("wine").degrees.tolist())[-2:]}
