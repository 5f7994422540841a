"""Methods, views and data sets of other people: a package on disk that spco was never told of."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap

import numpy as np
import pytest
import torch
from sklearn.base import clone

import spco
from spco.cli.methods import methods_of
from spco.errors import InvalidInputError, InvalidParameterError, UnknownNameError
from spco.methods import CLASSIFIERS, LEARNERS, METHODS, Method, method_text, resolve_method
from spco.methods.dgi import DGI
from spco.methods.gcn import GCN
from spco.views import VIEWS, parse_view

METHOD = """
    from dataclasses import dataclass

    from spco.methods import Method
    from spco.nn import GCNEncoder
    from spco.objectives import infonce
    from spco.views import parse_view

    @dataclass(frozen=True)
    class MineSettings:
        width: int = 4
        temperature: float = 0.5
        view: str = "thin:0.5/mask-features:0.3"

    class Mine(Method[MineSettings]):
        name = "mine"
        settings_type = MineSettings

        def build(self, num_features, settings, generator):
            self.encoder = GCNEncoder(num_features, (settings.width,), generator=generator)
            self.view = parse_view(settings.view)

        def loss(self, batch):
            sides = (self.embed_view(batch, side, self.view) for side in (batch.anchor, batch.partner))
            return infonce(*sides, temperature=self.settings.temperature)
"""
VIEW = """
    from dataclasses import dataclass

    from spco.views import Augmented, View
    from spco.views.parameters import real

    @dataclass(frozen=True)
    class Thin(View):
        name = "thin"
        is_random = False
        factor: float = real(0.5, above=0)

        def apply(self, matrix, *, num_features, rng):
            return Augmented(matrix * self.factor)
"""
ENTRY_POINTS = """
    [spco.methods]
    mine = strange_method:Mine
    broken = strange_broken:Broken
    nothing = strange_view:Thin
    other-name = strange_method:Mine

    [spco.views]
    thin = strange_view:Thin
"""


def write(folder, **texts):
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name.replace("__", ".")).write_text(textwrap.dedent(text))


@pytest.fixture(autouse=True)
def _registries(monkeypatch):
    """Registries that forget what a test adds."""
    for registry in (LEARNERS, VIEWS):
        monkeypatch.setattr(registry, "_entries", dict(registry))


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package with a method and a view, installed as far as Python can tell."""
    write(tmp_path, strange_method__py=METHOD, strange_view__py=VIEW, strange_broken__py="import not_there")
    metadata = "Metadata-Version: 2.1\nName: strange\nVersion: 1.0\n"
    write(tmp_path / "strange-1.0.dist-info", METADATA=metadata, entry_points__txt=ENTRY_POINTS)
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    for name in ("strange_method", "strange_view", "strange_broken"):
        sys.modules.pop(name, None)


@pytest.fixture(scope="module")
def graph():
    return spco.load_dataset("wine")


def learnt(method, **parameters):
    return spco.Embedder(method, epochs=3, spectral={"refresh_every": 1}, **parameters)


@pytest.mark.usefixtures("package")
def test_an_installed_package_adds_a_method_and_a_view(graph):
    assert "strange_method" not in sys.modules
    emb = learnt("mine").fit(graph)
    assert emb.embedding_.shape == (graph.num_nodes, 4)
    assert "mine" in METHODS
    assert "mine" not in CLASSIFIERS
    drawn = parse_view("thin:0.25")(graph, rng=0)
    assert abs(drawn.matrix - 0.25 * graph.adjacency).max() == 0


@pytest.mark.usefixtures("package")
def test_a_name_that_is_misspelt_imports_no_package(graph):
    with pytest.raises(UnknownNameError, match="did you mean 'mine'"):
        learnt("mien").fit(graph)
    assert "strange_method" not in sys.modules


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("broken", "be importable. Got 'broken', an entry point to 'strange_broken:Broken' that raises"),
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
    from strange_method import Mine

    emb = learnt(Mine, random_state=2).set_params(method__width=3)
    assert clone(emb).get_params() == emb.get_params()
    emb.fit(graph)
    assert emb.embedding_.shape == (graph.num_nodes, 3)
    by_text = learnt("strange_method:Mine", random_state=2, settings=emb.settings)
    assert np.array_equal(by_text.fit_transform(graph), emb.embedding_)
    assert emb.method_name == "mine"
    assert "mine" not in LEARNERS


@pytest.fixture
def saved(tmp_path, monkeypatch, graph):
    """A model of a class in a module that spco does not know, and the class."""
    write(tmp_path, strange_method__py=METHOD.replace("thin:0.5/", ""))
    with monkeypatch.context() as patch:
        patch.syspath_prepend(tmp_path)
        from strange_method import Mine

        learnt(Mine).fit(graph).save(tmp_path / "model")
    sys.modules.pop("strange_method")
    return tmp_path / "model", Mine


def test_a_file_makes_nothing_import(saved, graph, monkeypatch):
    folder, mine = saved
    monkeypatch.syspath_prepend(folder.parent)  # it could be imported
    with pytest.raises(InvalidInputError, match="its class was strange_method:Mine") as caught:
        spco.Embedder.load(folder)
    assert "register_method" in str(caught.value)
    assert "strange_method" not in sys.modules
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

    with pytest.raises(InvalidInputError, match=r"that is registered, .*Other\. Got strange_method:Mine"):
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
        (Method, "must define build and loss"),
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
    from dataclasses import dataclass

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
    from strange_method import Mine

    assert method_text("dgi") == method_text(DGI) == "dgi"
    assert method_text(Mine) == "strange_method:Mine"
    assert resolve_method(method_text(Mine), owner="here") is Mine
    with pytest.raises(InvalidParameterError, match="at the top of a module"):
        method_text(type("Local", (DGI,), {"__qualname__": "test.<locals>.Local"}))


def test_the_command_trains_it(package):
    # As the installed command has it: the current directory is not where Python looks for modules.
    program = "import sys; sys.path.pop(0); from spco.cli import main; main()"
    options = "--dataset wine --epochs 2 --set spectral.refresh_every=1 --rates train5 --out runs --json"
    arguments = ["train", "--method", "strange_method:Mine", "--compare", *options.split()]
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], cwd=package, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert {"mine", "mine+spco"} <= set(json.loads(done.stdout)["names"])
    assert (package / "runs/mine+spco/seed-0/embedding.npy").exists()


def test_the_command_finds_classes_here_and_names_of_packages(package, monkeypatch):
    monkeypatch.chdir(package)
    assert methods_of("dgi, strange_method:Mine", "train") == ["dgi", "mine"]
    assert LEARNERS["mine"].__module__ == "strange_method"
    with pytest.raises(InvalidParameterError, match="name each method once"):
        methods_of("mine,strange_method:Mine", "train")
    assert set(methods_of("all", "train")) == set(LEARNERS)


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize(
    ("method", "message"),
    [
        ("strange_method:Mien", "hint: did you mean strange_method:Mine?"),
        ("strange_method:", "must name a class in the module 'strange_method'"),
        ("strange_metod:Mine", "there is no module 'strange_metod'.\nhint: write module:Class"),
        ("strange_broken:Broken", "whose module raises ModuleNotFoundError: No module named 'not_there'"),
        ("strange_view:Thin", "must be a registered name or a subclass of spco.methods.Method"),
        ("mien", "did you mean 'mine'?"),
    ],
)
def test_the_command_says_what_is_wrong(method, message):
    with pytest.raises(InvalidInputError) as caught:
        methods_of(method, "train")
    assert "'method' parameter of spco train" in str(caught.value)
    assert message in str(caught.value)
