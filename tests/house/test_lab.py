"""`course lab`: what JupyterLab is told, and that it will understand it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from jupyter_core.paths import jupyter_path
from typer.testing import CliRunner

from course_utils import lab
from course_utils.cli import app

REPOSITORY = Path(__file__).resolve().parents[2]
OVERRIDES = lab.SETTINGS / "labconfig" / "default_setting_overrides.json"


@pytest.fixture
def course(tmp_path):
    """Return a folder with a first lecture in it."""
    (tmp_path / "notebooks").mkdir()
    (tmp_path / lab.FIRST).write_text("{}")
    return tmp_path


def test_course_is_found_from_a_folder_inside_it(course):
    """Catches looking only at the current folder: `course lab` typed inside notebooks/."""
    assert lab.find_course(course / "notebooks") == course


def test_no_lectures_says_what_to_do(tmp_path, monkeypatch):
    """Catches JupyterLab opening on a missing file, which says only 404."""
    monkeypatch.setattr(lab, "PACKAGE", tmp_path / "site-packages" / "course_utils")
    monkeypatch.chdir(tmp_path)
    answer = CliRunner().invoke(app, ["lab"])
    assert answer.exit_code == 1
    assert "course start" in answer.output
    assert "make lab" in answer.output


@pytest.mark.parametrize("number", ["0", "00", "00_start_here", "notebooks/00_start_here.ipynb"])
def test_a_lecture_is_found_by_its_number(course, number):
    """Catches `course present 3` that wants 03, or a path that tab completion wrote."""
    assert lab.find_lecture(course, number) == lab.FIRST
    with pytest.raises(lab.NoLectures, match="there are 00"):
        lab.find_lecture(course, "7")


@pytest.mark.parametrize("command", ["lab", "present", "notes"])
@pytest.mark.parametrize("number", ["99", "nosuch", ""])
def test_a_lecture_that_is_not_there_is_answered_in_one_line(course, monkeypatch, command, number):
    """Catches `course lab 99`, which JupyterLab took for a file, and "" taken for lecture 00."""
    monkeypatch.chdir(course)
    answer = CliRunner().invoke(app, [command, number])
    assert answer.exit_code == 1
    assert answer.output.startswith("There is no lecture ")
    assert answer.output.endswith("there are 00.\n")


@pytest.mark.parametrize(
    ("words", "opened", "passed_on"),
    [
        ([], "/lab/tree/notebooks/00_start_here.ipynb", []),
        (["0"], "/lab/tree/notebooks/00_start_here.ipynb", []),
        (["0", "--port=9000"], "/lab/tree/notebooks/00_start_here.ipynb", ["--port=9000"]),
        (
            ["notebooks/05_x.ipynb", "--no-browser"],
            "/lab/tree/notebooks/05_x.ipynb",
            ["--no-browser"],
        ),
        (["--port", "5"], "/lab/tree/notebooks/00_start_here.ipynb", ["--port", "5"]),
        (["mine.ipynb"], "/lab/tree/notebooks/00_start_here.ipynb", ["mine.ipynb"]),
    ],
)
def test_the_first_word_is_the_lecture_all_others_are_for_jupyterlab(
    course, monkeypatch, words, opened, passed_on
):
    """Catches `course lab 05` handed on as a file, and a port that is taken for a lecture."""
    from jupyterlab.labapp import LabApp

    (course / "notebooks" / "05_x.ipynb").write_text("{}")
    (course / "mine.ipynb").write_text("{}")
    given = []
    monkeypatch.setattr(LabApp, "launch_instance", given.extend)
    monkeypatch.setattr(os, "environ", dict(os.environ))  # where open_lab puts our settings
    monkeypatch.chdir(course)
    answer = CliRunner().invoke(app, ["lab", *words])
    assert answer.exit_code == 0, answer.output
    assert f"--LabApp.default_url={opened}" in given
    assert [word for word in given if word in words or not word.startswith("--")] == passed_on


def test_a_show_has_an_address_of_its_own(course):
    """Catches a word that is part of a query: Jupyter puts another question mark behind it."""
    slides = lab.lab_arguments(course, (), lab.FIRST, as_slides=True)
    (address,) = (word for word in slides if "default_url" in word)
    assert address.startswith("--LabApp.default_url=/course/present/")
    assert "?" not in address
    assert not any("present" in word for word in lab.lab_arguments(course))


def test_learners_options_come_last_and_token_stays(course):
    """Catches our defaults winning over the command line, and a token switched off."""
    arguments = lab.lab_arguments(course, ["--port=9000", "--no-browser"])
    assert arguments[-2:] == ["--port=9000", "--no-browser"]
    assert not any("token" in argument or "password" in argument for argument in arguments)


@pytest.mark.parametrize(
    ("user", "given", "count"), [(0, [], 1), (0, ["--allow-root"], 1), (7, [], 0)]
)
def test_root_is_allowed_only_where_needed(course, monkeypatch, user, given, count):
    """Catches --allow-root for everybody, or a refusal inside a container."""
    monkeypatch.setattr(lab.os, "geteuid", lambda: user, raising=False)
    assert lab.lab_arguments(course, given).count("--allow-root") == count


def test_a_configuration_path_of_the_learner_is_kept():
    """Catches overwriting JUPYTER_CONFIG_PATH instead of adding to it."""
    path = lab.lab_environment({"JUPYTER_CONFIG_PATH": "/theirs"})["JUPYTER_CONFIG_PATH"]
    assert path.split(os.pathsep) == [str(lab.SETTINGS), "/theirs"]


def test_a_terminal_in_the_lab_finds_the_command():
    """Catches `course: command not found` where 00 says to run `course doctor` in a terminal."""
    environment = {**os.environ, **lab.lab_environment({"PATH": "/usr/bin:/bin"})}
    assert environment["PATH"].endswith("/usr/bin:/bin")
    found = shutil.which("course", path=environment["PATH"]) or ""
    assert Path(found).parent == Path(sys.executable).parent


def test_jupyter_reads_the_settings():
    """Catches a misspelt option: JupyterLab ignores one without a word."""
    code = (
        "import json; from jupyterlab.labapp import LabApp; from jupyter_core.application import *;"
        "from jupyter_server.serverapp import ServerApp;"
        "app = LabApp(); app.load_config_file(); server = ServerApp(); server.load_config_file();"
        "print(json.dumps([app.news_url, app.check_for_updates_class.__name__,"
        " app.extension_manager, server.kernel_spec_manager_class.__name__]))"
    )
    environment = {**os.environ, **lab.lab_environment(os.environ)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == [None, "NeverCheckForUpdate", "readonly", "CourseKernels"]


def test_jupyterlab_finds_the_extension_and_its_files():
    """Catches a folder that is not searched, and a file that its package.json misspells."""
    from jupyterlab_server.config import get_federated_extensions

    found = get_federated_extensions([str(lab.EXTENSIONS)])
    (extension,) = found.values()
    loaded = Path(extension["ext_path"], extension["jupyterlab"]["_build"]["load"])
    assert f'_JUPYTERLAB["{extension["name"]}"]' in loaded.read_text()
    for script in loaded.parent.glob("*.js"):
        for module in re.findall(
            r'(?:from |import\(new URL\()"(?:\./)?([\w.-]+)"', script.read_text()
        ):
            assert (loaded.parent / module).is_file(), f"{script.name} imports {module}"


@pytest.mark.parametrize("plugin", json.loads(OVERRIDES.read_text()))
def test_every_override_names_a_setting_that_exists(plugin):
    """Catches a renamed plugin or setting after an upgrade: Lab ignores those silently too."""
    package, _, name = plugin.partition(":")
    places = [Path(p) for p in jupyter_path()]
    files = [file for p in places for file in p.glob(f"lab*/**/schemas/{package}/{name}.json")]
    assert files, f"no schema of {plugin} is installed"
    known = json.loads(files[0].read_text())["properties"]
    assert set(json.loads(OVERRIDES.read_text())[plugin]) <= set(known)


@pytest.mark.slow
def test_the_wheel_carries_settings_and_scripts(tmp_path):
    """Catches data files that exist in a checkout but not after `pip install`."""
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--quiet"]
    subprocess.run([*command, "--wheel-dir", tmp_path, REPOSITORY], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    shipped = set(zipfile.ZipFile(wheel).namelist())
    data = {".json", ".js", ".css"}
    there = [f for f in (REPOSITORY / "course_utils").rglob("*") if f.suffix in data]
    assert len(there) >= 4
    assert {f.relative_to(REPOSITORY).as_posix() for f in there} <= shipped
