"""The shape of the package: everything public is explained, and imports go one way."""

import importlib
import inspect
import pkgutil
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import flip7sim

MODULES = sorted(info.name for info in pkgutil.walk_packages(flip7sim.__path__, "flip7sim."))
ROOT = Path(flip7sim.__file__).parent.parent


@pytest.mark.parametrize("name", ["flip7sim", *MODULES])
def test_everything_public_has_a_docstring(name):
    module = importlib.import_module(name)
    assert inspect.getdoc(module)
    public = getattr(module, "__all__", [other for other in vars(module) if not other.startswith("_")])
    for other in public:
        thing = getattr(module, other)
        plain = getattr(thing, "py_func", getattr(thing, "callback", None) or thing)
        if not (inspect.isfunction(plain) or inspect.isclass(plain)):
            continue
        if not plain.__module__.startswith("flip7sim"):
            continue
        # a dataclass without a docstring gets its signature for one
        text = inspect.getdoc(plain) or ""
        assert text, f"{name}.{other}"
        assert not text.startswith(f"{other}("), f"{name}.{other}"
        if inspect.isclass(plain):
            for part, member in vars(plain).items():
                member = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
                if inspect.isfunction(member) and not part.startswith("_") and member.__module__ == plain.__module__:
                    assert inspect.getdoc(member), f"{name}.{other}.{part}"


@pytest.mark.parametrize("name", ["flip7sim", *MODULES])
def test_what_a_module_says_is_public_is_there(name):
    module = importlib.import_module(name)
    public = getattr(module, "__all__", [])
    assert len(set(public)) == len(public)
    assert [other for other in public if not hasattr(module, other)] == []


def test_the_public_names_of_the_package_are_there_and_no_other():
    for name in flip7sim.__all__:
        assert getattr(getattr(flip7sim, name), "__module__", f"flip7sim.{name}").startswith("flip7sim.")
    with pytest.raises(AttributeError, match="has no attribute 'tournamnet'"):
        flip7sim.tournamnet  # noqa: B018


def test_the_package_itself_imports_nothing_heavy():
    script = "import sys, flip7sim; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not set(ran.stdout.split()) & {"numba", "numpy", "pandas", "scipy", "matplotlib", "click"}


def test_imports_go_one_way():
    lint = shutil.which("lint-imports", path=Path(sys.executable).parent)
    if lint is None or not (ROOT / "pyproject.toml").exists():
        pytest.skip("import-linter is not installed, or this is not a checkout")
    ran = subprocess.run([lint, "--no-cache"], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout
