"""The rooms of `grader/`: imports run one way, and what must be light is light."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

from tests.support import ROOT

ROOMS = [
    "errors",
    "i18n",
    "lesson",
    "notebook",
    "submission",
    "programs",
    "observation",
    "arithmetic",
    "tape",
    "sweep",
    "oracle",
    "draft",
    "decode",
    "handmade",
    "parse",
    "strategies",
    "verdict",
    "sandbox.worker",
    "sandbox.meter",
    "sandbox",
    "sandbox.launcher",
    "engine",
    "judge.common",
    "judge.numbers",
    "judge.building",
    "judge.calls",
    "judge.printing",
    "judge.drawing",
    "judge",
    "needs",
    "corpus",
    "variants",
    "unwritten",
    "tally",
    "fingerprint.numbers",
    "fingerprint.building",
    "fingerprint.calls",
    "fingerprint.drawing",
    "fingerprint",
    "examination",
    "smallest",
    "bugs",
    "template",
    "report",
    "diagnosis",
    "scoring",
    "render.text",
    "render.faults",
    "render.report_json",
    "render.terminal",
    "render",
    "runs",
    "grading",
    "session",
    "plugin",
    "misses",
    "audit",
    "cli.words",
    "cli.localized",
    "cli.screen",
    "cli.audited",
    "cli.commands",
    "cli.actions",
    "cli",
    "__main__",
]
"""The modules in import order: one imports only from those before it."""


def modules():
    for path in sorted((ROOT / "grader").rglob("*.py")):
        parts = path.relative_to(ROOT / "grader").with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if name and "bundled" not in name:
            yield name, ast.parse(path.read_text(encoding="utf-8"))


def imported(tree):
    """The rooms that a module names in import statements at its top level; late imports may look ahead."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "grader":
            package = node.module.removeprefix("grader").lstrip(".")
            for alias in node.names:
                whole = f"{package}.{alias.name}".lstrip(".")
                yield whole if whole in ROOMS else package


def test_every_module_has_its_place():
    """A new module is put into the list above, where a reader would look for it."""
    assert sorted(name for name, _ in modules()) == sorted(ROOMS)


def test_imports_run_one_way():
    """A reader never meets a name before its module."""
    ahead = {
        f"{name} imports {other}"
        for name, tree in modules()
        for other in imported(tree)
        if other and ROOMS.index(other) >= ROOMS.index(name)
    }
    assert ahead == set()


def test_worker_needs_only_the_standard_library():
    """The worker is imported by nobody and imports nothing of ours."""
    tree = dict(modules())["sandbox.worker"]
    names = {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    names |= {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    assert all(name.split(".")[0] in sys.stdlib_module_names or name.startswith("_frozen") for name in names)
    importers = [name for name, other in modules() if "sandbox.worker" in set(imported(other))]
    assert importers == []


def test_never_in_the_trusted_process():
    """No exec, eval, pickle, bare except or path edits outside the worker."""
    found = []
    for name, tree in modules():
        if name == "sandbox.worker":
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("exec", "eval"):
                found.append((name, node.lineno))
            if isinstance(node, ast.ExceptHandler) and node.type is None:
                found.append((name, node.lineno))
            if isinstance(node, ast.Import) and any(a.name in ("pickle", "shelve", "dill") for a in node.names):
                found.append((name, node.lineno))
            if isinstance(node, ast.Global):
                found.append((name, node.lineno))
    assert found == []


@pytest.mark.parametrize(
    ("arguments", "unwanted"),
    [
        (["check", str(ROOT / "reference")], {"pytest", "hypothesis", "tomllib", "subprocess", "platformdirs"}),
        (["--help"], {"pytest", "hypothesis", "msgspec", "subprocess", "grader.engine"}),
    ],
)  # fmt: skip
def test_start_up_loads_only_what_is_needed(arguments, unwanted):
    """Imports decide how fast `grade check` is."""
    script = (
        "import sys; from grader.cli import main\n"
        "try: main(sys.argv[1:])\nexcept SystemExit: pass\n"
        "print('LOADED', *sys.modules)"
    )
    found = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, encoding="utf-8", check=False
    )
    loaded = set(found.stdout.rsplit("LOADED", 1)[1].split())
    assert loaded & unwanted == set()
