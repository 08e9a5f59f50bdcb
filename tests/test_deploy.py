"""The examples in `deploy/`: they are what they claim to be, and name what there is."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from config.settings import Settings
from tests.ke_command import ke

DEPLOY = Path(__file__).parents[1] / "deploy"
RUNNABLE = ("*.service", "*.yaml", "*.conf", "Containerfile")
FILES = sorted(path for pattern in RUNNABLE for path in DEPLOY.rglob(pattern))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_example_says_at_its_top_whether_it_was_tried(path: Path) -> None:
    head = path.read_text().split("\n\n")[0]
    comment = " ".join(line.removeprefix("#").strip() for line in head.splitlines())

    assert "Not tried" in comment


def test_examples_run_commands_that_there_are() -> None:
    commands = {tuple(command) for command in named_commands()}

    assert commands == {
        ("serve", "--api-only"),
        ("serve", "--api-only", "--port", "%i"),
        ("worker",),
    }
    assert "--api-only" in ke("serve", "--help").stdout
    assert ke("worker", "--help").returncode == 0


def test_examples_name_settings_that_there_are() -> None:
    named = {
        name
        for path in DEPLOY.rglob("*")
        if path.is_file()
        for name in re.findall(r"\bKE_[A-Z_]+\b", path.read_text())
    }

    assert named <= {f"KE_{name.upper()}" for name in Settings.model_fields}
    assert {"KE_DATABASE_URL", "KE_DATABASE_READ_URL", "KE_BLOB_URL"} <= named


def test_compose_mounts_and_builds_what_lies_here() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]

    assert (DEPLOY / services["api"]["build"]["context"] / "deploy" / "Containerfile").is_file()
    (mounted,) = services["proxy"]["volumes"]
    assert (DEPLOY / mounted.split(":")[0]).is_file()
    named = {name for one in services.values() for name in one.get("depends_on", ())}
    assert named <= services.keys()


def test_kubernetes_example_sends_requests_to_the_api_alone() -> None:
    parts = {(one["kind"], one["metadata"]["name"]): one for one in kubernetes()}
    api = parts["Deployment", "knowledge-engine-api"]["spec"]["template"]
    worker = parts["Deployment", "knowledge-engine-worker"]["spec"]["template"]
    selector = parts["Service", "knowledge-engine"]["spec"]["selector"]

    assert selector.items() <= api["metadata"]["labels"].items()
    assert not selector.items() <= worker["metadata"]["labels"].items()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_units_are_units(tmp_path: Path) -> None:
    installed = "/opt/knowledge-engine/.venv/bin/ke"
    units = []
    for path in (DEPLOY / "systemd").glob("*.service"):
        units.append(tmp_path / path.name.replace("@", "@1"))
        text = path.read_text()
        assert installed in text
        units[-1].write_text(text.replace(installed, sys.executable))

    checked = subprocess.run(["systemd-analyze", "verify", *units], capture_output=True, text=True)

    assert (checked.stderr, checked.returncode) == ("", 0)


def named_commands() -> Iterator[list[str]]:
    """Yield the words behind `ke` of every command that an example starts."""
    for path in (DEPLOY / "systemd").glob("*.service"):
        yield re.findall(r"^ExecStart=\S+/ke (.*)$", path.read_text(), re.MULTILINE)[0].split()
    for service in yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"].values():
        if service.get("command", [""])[0] == "ke":
            yield service["command"][1:]
    for one in kubernetes():
        if one["kind"] == "Deployment":
            yield one["spec"]["template"]["spec"]["containers"][0]["command"][1:]


def kubernetes() -> list[dict[str, Any]]:
    return list(yaml.safe_load_all((DEPLOY / "kubernetes" / "knowledge-engine.yaml").read_text()))
