"""Every recipe learns, leaves a model with a true card, and can be run by torchrun."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import torch
import typer

from course_utils.cli.train import INTERRUPTED
from course_utils.cli.train import app as train_app
from course_utils.models.model_file import ModelFileError, read_card, shipped_cards, shipped_folder
from course_utils.shipped import load_trained
from course_utils.training import CheckpointError, load_checkpoint
from course_utils.training.race.race import all_races
from course_utils.training.recipes import recipe as recipe_module
from course_utils.training.recipes.recipe import all_recipes, get_recipe
from course_utils.training.recipes.run_recipe import train
from course_utils.training.recipes.trained import write_card
from course_utils.training.resume.one_writer import one_run
from course_utils.training.resume.run_state import FILE, LOCK
from tests.command_line import course_train
from tests.training.disturbed_run import HELD, HELD_AT

SMALL = {"hidden": 16, "width": 16, "batch": 8, "judged_on": 3000, "judged_to": 60}
SMALL_ELMO = {
    "projection": 32, "cells": 48, "filters": ((1, 8), (3, 24)), "batch": 8, "full": 1.0,
    "warmup": 2, "texts": 1, "lr": 0.01, "steps": 60,
}  # fmt: skip
# two classes begin at log 2, so a few small steps need larger ones to show
SMALL_ERA = {"hidden": 16, "width": 16, "batch": 32, "judged_on": 100, "dropout": 0.0, "lr": 0.02}
CARD = {"recipe", "kind", "about", "data", "config", "seed", "steps", "parameters", "metrics",
        "seconds", "made_with", "bytes", "sha256"}  # fmt: skip
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def quiet(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_DEVICE", "cpu")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.chdir(tmp_path)
    torch.set_num_threads(1)


def small_for(name: str) -> dict:
    """Return small sizes for what a recipe's config has."""
    if name.startswith("era_"):
        return dict(SMALL_ERA)
    if name == "english_window":  # two layers of 16 units begin near zero: a larger rate shows more
        return {"hidden": 16, "width": 16, "batch": 8, "judged_on": 3000, "lr": 0.02}
    return {key: size for key, size in SMALL.items() if hasattr(get_recipe(name).config, key)}


def recipes_of(*, needs: bool) -> list[str]:
    """Return the recipes that need a set of the registry, or those that every machine can run."""
    return [name for name in all_recipes() if bool(get_recipe(name).needs) == needs]


@pytest.mark.parametrize("name", recipes_of(needs=True))
def test_a_recipe_that_needs_a_set_says_which(name, tmp_path, monkeypatch):
    """Catches: a recipe that downloads behind the reader's back, and an error without a way on."""
    monkeypatch.setenv("COURSE_DATA", str(tmp_path / "empty"))
    monkeypatch.setenv("COURSE_OFFLINE", "1")
    assert course_train([name, "--steps", "2", "--out", str(tmp_path)]) == 1


@pytest.mark.parametrize("name", recipes_of(needs=False))
def test_a_shortened_run_lowers_the_loss_and_its_card_is_true(name, tmp_path):
    """Catches: targets that are not the next token, a card of other weights than its own."""
    small = SMALL_ELMO if name == "course_elmo" else {**small_for(name), "steps": 40}
    outcome = train(name, tmp_path, progress=False, **small)
    losses = outcome.history.loss
    assert losses[-5:].mean() < 0.95 * losses[:2].mean()
    card = read_card(name, tmp_path)
    assert card == json.loads(json.dumps(outcome.card))  # JSON has no tuples
    assert {*card} >= CARD
    model = load_trained(name, tmp_path)
    assert sum(p.numel() for p in model.parameters()) == card["parameters"]
    recipe = get_recipe(name)
    again = recipe.plan(type(recipe.config)(**card["config"])).measure(model)
    for what, value in card["metrics"].items():
        assert again[what] == pytest.approx(value, rel=5e-3), (
            "half precision costs more than it may"
        )
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"{name}.json",
        f"{name}.safetensors",
    ]


def test_a_name_is_known_with_either_sign(tmp_path):
    """Catches: `course train word-lstm` refused, and a second model beside the first."""
    for name in all_recipes():
        assert get_recipe(name.replace("_", "-")) is get_recipe(name.replace("-", "_"))
        assert get_recipe(name).name == name
    train("counting-lstm", tmp_path, steps=2, progress=False, **small_for("counting_lstm"))
    assert {path.stem for path in tmp_path.iterdir()} == {"counting_lstm"}
    assert read_card("counting-lstm", tmp_path)["recipe"] == "counting_lstm"
    assert load_trained("counting-lstm", tmp_path).training is False


def test_nothing_is_shipped_without_its_recipe_and_its_card():
    """Catches: weights without a card, a card without weights, a model that nobody can remake."""
    files = {path.name for path in shipped_folder().iterdir() if path.name[0] not in "._"}
    cards = {name.removesuffix(".json") for name in files if name.endswith(".json")}
    weights = {path.stem for path in shipped_folder().glob("*.safetensors")}
    assert files == {f"{name}.safetensors" for name in weights} | {f"{n}.json" for n in cards}
    assert weights == cards
    assert weights <= {*all_recipes()}
    assert sum(card["bytes"] for card in shipped_cards().values()) < 30e6


@pytest.mark.slow  # 19 s for ELMo, 2 for each of the others
@pytest.mark.parametrize("name", shipped_cards())
def test_a_model_that_is_shipped_is_the_one_on_its_card(name):
    """Catches: a model committed after another training, with another config or other metrics."""
    card, path = shipped_cards()[name], shipped_folder() / f"{name}.safetensors"
    assert {*card} >= CARD
    assert card["bytes"] == path.stat().st_size
    assert card["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    model, recipe = load_trained(name), get_recipe(name)
    assert (card["recipe"], card["about"], card["data"]) == (name, recipe.about, recipe.data)
    config = type(recipe.config)(**card["config"])
    assert (card["seed"], card["steps"]) == (config.seed, config.steps)
    assert card["parameters"] == sum(p.numel() for p in model.parameters())
    made, promised = (json.dumps(dataclasses.asdict(c)) for c in (config, recipe.config))
    assert made == promised, "the recipe makes another model than the one that is shipped"
    assert recipe.plan(config).measure(model) == pytest.approx(card["metrics"], rel=1e-3)


def test_what_was_tampered_with_is_not_loaded(tmp_path):
    """Catches: weights used before they are compared with their card."""
    train("counting_lstm", tmp_path, steps=2, progress=False, **small_for("counting_lstm"))
    path = tmp_path / "counting_lstm.safetensors"
    good = path.read_bytes()
    path.write_bytes(good[:-1] + bytes([good[-1] ^ 1]))
    with pytest.raises(ModelFileError, match="not the file that its card names"):
        load_trained("counting_lstm", tmp_path)
    path.write_bytes(good)
    card = read_card("counting_lstm", tmp_path)
    card["config"]["hidden"] = 5
    (tmp_path / "counting_lstm.json").write_text(json.dumps(card))
    with pytest.raises(ModelFileError, match="changed after it was written"):
        load_trained("counting_lstm", tmp_path)
    write_card(tmp_path / "counting_lstm.json", card)
    with pytest.raises(ModelFileError, match="saved"):
        load_trained("counting_lstm", tmp_path)
    del card["config"]["hidden"]
    write_card(tmp_path / "counting_lstm.json", card)
    with pytest.raises(ModelFileError, match="does not say what 'hidden' is"):
        load_trained("counting_lstm", tmp_path)
    card["kind"] = "transformer"
    write_card(tmp_path / "counting_lstm.json", card)
    with pytest.raises(ModelFileError, match="no kind of model is called 'transformer'"):
        load_trained("counting_lstm", tmp_path)
    (tmp_path / "counting_lstm.json").write_text("{")
    with pytest.raises(ModelFileError, match="is not a model's card"):
        load_trained("counting_lstm", tmp_path)
    with pytest.raises(ModelFileError, match="course train counting_gru"):
        load_trained("counting_gru", tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        lambda card: card["config"].update(hidden="8"),
        lambda card: card["config"].update(hidden=-1),
        lambda card: card["config"].update(dropout=float("nan")),
        lambda card: card["config"].update(cell=["gru"]),
        lambda card: card.update(kind=[]),
    ],
)
def test_an_odd_card_is_named(tmp_path, change):
    """Catches: PyTorch's own words for a card that describes nothing, and NaN that is taken."""
    train("counting_lstm", tmp_path, steps=2, progress=False, **small_for("counting_lstm"))
    card = read_card("counting_lstm", tmp_path)
    change(card)
    write_card(tmp_path / "counting_lstm.json", card)
    with pytest.raises(ModelFileError, match=r"counting_lstm|no kind of model"):
        load_trained("counting_lstm", tmp_path)


def test_a_file_without_weights_is_named(tmp_path):
    """Catches: a card that knows the hash of anything, and an error without the file's name."""
    train("counting_lstm", tmp_path, steps=2, progress=False, **small_for("counting_lstm"))
    card = read_card("counting_lstm", tmp_path)
    for junk in (b"", b"junk", b"\x02" + b"\0" * 7 + b"{}", b"\xff" * 64):
        (tmp_path / "counting_lstm.safetensors").write_bytes(junk)
        seal = {"sha256": hashlib.sha256(junk).hexdigest()}
        write_card(tmp_path / "counting_lstm.json", card | seal)
        with pytest.raises(ModelFileError, match=r"counting_lstm.safetensors holds no"):
            load_trained("counting_lstm", tmp_path)


def test_every_changed_sign_of_a_card_is_noticed(tmp_path):
    """Catches: a number of a shipped model that a flipped bit has changed, loaded and believed."""
    for path in shipped_folder().glob("counting_lstm.*"):
        shutil.copy(path, tmp_path)
    path = tmp_path / "counting_lstm.json"
    good, unnoticed = path.read_bytes(), []
    meant = json.loads(good)
    for place in range(0, len(good), 7):
        path.write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
        with suppress(ModelFileError):
            unnoticed += [place] if read_card("counting_lstm", tmp_path) != meant else []
    where = good.index(b"card_sha256")
    assert all(where <= place < where + len("card_sha256") for place in unnoticed)


def test_the_command_answers_instead_of_failing(tmp_path, capsys):
    """Catches: a traceback where one sentence says what to do."""
    assert course_train(["--list"]) == 0
    listed = capsys.readouterr().out
    for name in (*all_recipes(), *all_races()):
        assert f"\n{name} " in f"\n{listed}", "a recipe that the list leaves out"
    assert listed.count("comes with the course") == len(shipped_cards())
    assert "test perplexity 117, " in listed
    assert course_train([]) == 0
    assert capsys.readouterr().out == listed
    for wrong, answer in {
        "no_such_recipe": "no recipe is called 'no_such_recipe': `course train --list`",
        "word_lstn": "did you mean word_lstm?",
        "Word-LSTM": "did you mean word_lstm?",
        "rase": "did you mean race?",
        "elmo_small": "elmo_small is a data set, not a recipe: `course data add elmo_small",
        "wikitext2": "wikitext2 is a data set, not a recipe: `course data fetch wikitext2`",
    }.items():
        assert course_train([wrong]) == 1
        said = capsys.readouterr()
        assert answer in said.err
        assert said.err.count("\n") == 1, "more than a line"
        assert not said.out
    for name in ("counting_lstm", *all_races()):
        assert course_train([name, "--steps", "0"]) == 1
        assert "at least 1" in capsys.readouterr().err
        assert course_train([name, "--device", "abacus"]) == 1
        assert "no device is called" in capsys.readouterr().err


def test_the_commands_of_the_docs_are_understood():
    """Catches: a recipe or an option that was renamed, and still stands in a text."""
    files = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    text = "".join(file.read_text(encoding="utf-8") for file in files).replace("\\\n", " ")
    lines = re.findall(r"(?:course train|-m course_utils\.training) ([^`\n]*)", text)
    command = typer.main.get_command(train_app)
    asked = [command.make_context("train", shlex.split(line, comments=True)) for line in lines]
    assert len(asked) >= 6
    for options in (context.params for context in asked):
        name = options["name"]
        assert options["show_all"] or name in all_races() or get_recipe(name)


def command(*arguments: str, processes: int, module: str) -> list[str]:
    """Return the command line that a user types."""
    torchrun = ["torch.distributed.run", "--standalone", "--nproc-per-node", str(processes), "-m"]
    return [sys.executable, "-m", *(torchrun if processes > 1 else ()), module, *arguments]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}


class Terminated:
    """A loss that receives the scheduler's signal in the third step."""

    def __init__(self, loss):
        self.loss, self.left = loss, 3

    def __call__(self, model, batch):
        self.left -= 1
        if self.left == 0:
            signal.raise_signal(signal.SIGTERM)
        return self.loss(model, batch)


def test_whoever_comes_second_is_told_who_is_there(tmp_path, capsys):
    """Catches: two runs that sweep and overwrite each other's files, and a lock left behind."""
    command = ["counting_gru", "--steps", "2", "--out", str(tmp_path)]
    lock = tmp_path / ".counting_gru.lock"
    with one_run(lock, torch.device("cpu")):
        assert course_train(command) == 1
        said = capsys.readouterr().err
        assert f"is being written by process {os.getpid()} on " in said
        assert said.count("\n") == 1
        assert [path.name for path in tmp_path.iterdir()] == [lock.name]
    lock.write_text("process 1 on a machine that lost its power")
    (tmp_path / ".counting_gru.json.0a1b2c3d.partial").write_text("half a ca")
    assert course_train(command) == 0
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".json", ".safetensors"]


def test_a_schedulers_signal_leaves_a_run_that_goes_on(tmp_path, monkeypatch, capsys):
    """Catches: SIGTERM that loses the run, an exit code that calls it finished, and a run that
    goes on with another rate than it began with, and a batch script that starts over at its end."""
    recipe = get_recipe("counting_gru")

    def plan(config):
        planned = recipe.plan(config)
        return replace(planned, loss=Terminated(planned.loss))

    monkeypatch.setitem(recipe_module._RECIPES.known, "counting_gru", replace(recipe, plan=plan))
    arguments = ["counting_gru", "--steps", "6", "--out", str(tmp_path)]
    assert course_train(arguments) == INTERRUPTED
    assert "stopped after 3 steps" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["counting_gru.run"]
    monkeypatch.undo()
    assert course_train(arguments) == 1, "a run must not be overwritten unasked"
    capsys.readouterr()
    assert course_train(["counting_gru", "--steps", "7", "--out", str(tmp_path), "--resume"]) == 1
    assert "steps: 6 when it began, now 7" in capsys.readouterr().err
    with pytest.raises(CheckpointError, match=r"lr: 0\.02 when it began, now 0\.5"):
        train("counting_gru", tmp_path, steps=6, resume=True, progress=False, lr=0.5)
    assert course_train([*arguments, "--resume"]) == 0
    card = read_card("counting_gru", tmp_path)
    assert card["steps"] == 6
    before = (tmp_path / "counting_gru.json").stat().st_mtime_ns
    assert course_train([*arguments, "--resume"]) == 0
    assert "finished and left as it is" in capsys.readouterr().out
    assert course_train(["counting_gru", "--steps", "9", "--out", str(tmp_path), "--resume"]) == 1
    assert "steps: 6 when it began, now 9" in capsys.readouterr().err
    assert read_card("counting_gru", tmp_path) == card, "a finished model was trained again"
    assert (tmp_path / "counting_gru.json").stat().st_mtime_ns == before


def tree(folder: Path) -> dict[str, bytes | None]:
    """Return everything in a folder, by its path there."""
    found = sorted(folder.rglob("*"))
    return {str(p.relative_to(folder)): p.read_bytes() if p.is_file() else None for p in found}


@pytest.mark.parametrize("left", [[], [".lock"], [".lock", f".{FILE}.0a1b2c3d.partial"]])
def test_a_run_killed_before_its_first_checkpoint_does_not_cost_the_finished_model(
    tmp_path, capsys, left
):
    """Catches: another config trained over it, as nothing says what was begun; and its folder,
    or the one of a finished run that was killed while it was tidied away, left for ever."""
    arguments = ["counting_gru", "--out", str(tmp_path), "--steps"]
    assert course_train([*arguments, "2"]) == 0
    finished = tree(tmp_path)
    for steps, code, answer in (("3", 1, "steps: 2 when it began, now 3"), ("2", 0, "left as it")):
        (tmp_path / "counting_gru.run").mkdir()
        for name in left:
            (tmp_path / "counting_gru.run" / name).write_text("process 1 on a machine")
        capsys.readouterr()
        assert course_train([*arguments, steps, "--resume"]) == code
        assert answer in "".join(capsys.readouterr())
        assert tree(tmp_path) == finished


def test_a_damaged_card_is_named_and_costs_nothing(tmp_path, capsys):
    """Catches: a traceback, and a finished model trained anew because its card cannot be read."""
    arguments = ["counting_gru", "--steps", "2", "--out", str(tmp_path)]
    assert course_train(arguments) == 0
    path = tmp_path / "counting_gru.json"
    good = json.loads(path.read_text())
    no_config = [good | {"config": config} for config in (None, [1], "x")]
    wrong: list = [None, [], "x", {}, {k: good[k] for k in good if k != "config"}, *no_config]
    texts = ["", "{", "9" * 5000, "[" * 100_000, *map(json.dumps, wrong)]
    for text in (*texts, json.dumps(good | {"sha256": "0" * 64})):
        path.write_text(text)
        before = tree(tmp_path)
        capsys.readouterr()
        assert course_train([*arguments, "--resume"]) == 1, text[:80]
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert said.startswith(f"course train: {tmp_path / 'counting_gru.'}")
        assert f"move it away and make it with `course train counting_gru --out {tmp_path}`" in said
        assert course_train(arguments) == 1, "what its card does not know may be somebody's"
        assert tree(tmp_path) == before
    path.unlink()
    assert course_train(arguments) == 1
    assert "has no card beside it: move it away" in capsys.readouterr().err
    path.with_suffix(".safetensors").unlink()
    assert course_train(arguments) == 0
    assert course_train([*arguments, "--resume"]) == 0
    assert course_train(arguments) == 0, "what was made here is made anew"


def test_what_is_in_use_or_somebodys_own_is_not_swept(tmp_path):
    """Catches: a sweep that lets two processes into one folder, or deletes what it did not write,
    and a finished run that fails because of it."""
    arguments = ["counting_gru", "--out", str(tmp_path), "--steps"]
    assert course_train([*arguments, "2"]) == 0
    folder = tmp_path / "counting_gru.run"
    with one_run(folder / LOCK, torch.device("cpu")):
        (folder / f".{FILE}.0a1b2c3d.partial").write_text("half")
        before = tree(tmp_path)
        assert course_train([*arguments, "2", "--resume"]) == 0
        assert course_train([*arguments, "3"]) == 1
        assert tree(tmp_path) == before
    (folder / "notes.txt").write_text("my own")
    assert course_train([*arguments, "3", "--resume"]) == 1
    assert course_train([*arguments, "3"]) == 0
    assert read_card("counting_gru", tmp_path)["steps"] == 3
    assert tree(folder) == {"notes.txt": b"my own"}


DISTURBED = "tests.training.disturbed_run"


def started(
    *arguments: str, disturbed: str, processes: int = 1, module: str = DISTURBED
) -> subprocess.Popen:
    """Start a real run in processes of its own."""
    line = command(*arguments, processes=processes, module=module)
    environ = {**environment(), "COURSE_DISTURBED": disturbed}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(line, env=environ, text=True, **pipes)


@pytest.mark.slow
def test_torchrun_stopped_on_two_processes_goes_on_in_one(tmp_path):
    """Catches: processes that torchrun cannot stop, and a run that learns otherwise when split."""
    arguments = ["counting_lstm", "--steps", "60", "--out", str(tmp_path / "split")]
    with started(*arguments, disturbed="wait", processes=2) as run:
        for _ in range(2):
            assert run.stdout.readline() == f"{HELD}\n", run.stderr.read()
        run.send_signal(signal.SIGTERM)
        told = run.communicate(timeout=60)[1]
    assert run.returncode != 0
    saved = tmp_path / "split" / "counting_lstm.run" / FILE
    assert saved.exists(), told
    assert len(load_checkpoint(saved)["history"]["steps"]["loss"]) == HELD_AT
    assert course_train([*arguments, "--resume"]) == 0
    whole = train("counting_lstm", tmp_path / "whole", steps=60, progress=False)
    split = read_card("counting_lstm", tmp_path / "split")
    assert split["steps"] == 60
    assert split["metrics"] == pytest.approx(whole.card["metrics"], rel=1e-4)
    models = [load_trained("counting_lstm", tmp_path / kind) for kind in ("split", "whole")]
    # sums of other order, 60 steps of 0.04 on: still far from what one batch left out would do
    assert torch.allclose(models[0].output.weight, models[1].output.weight, atol=2e-3)


@pytest.mark.slow
def test_torchrun_leaves_a_finished_model_alone(tmp_path):
    """Catches: a batch script that fails, or trains again, once there is nothing left to do."""
    arguments = ["counting_lstm", "--steps", "4", "--out", str(tmp_path)]
    assert course_train(arguments) == 0
    before = {
        path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in tmp_path.iterdir()
    }
    run = started(*arguments, "--resume", disturbed="", processes=2, module="course_utils.training")
    told, wrong = run.communicate(timeout=120)
    assert run.returncode == 0, wrong
    assert told.count("finished and left as it is") == 1
    assert "Traceback" not in wrong
    after = {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in tmp_path.iterdir()}
    assert after == before


@pytest.mark.slow
def test_of_two_real_runs_the_second_ends_and_changes_nothing(tmp_path):
    """Catches: a lock that only this process knows of, and a second run that sweeps or waits."""
    arguments = ["counting_lstm", "--steps", "60", "--out", str(tmp_path)]
    with started(*arguments, disturbed="wait") as first:
        assert first.stdout.readline() == f"{HELD}\n", first.stderr.read()
        (tmp_path / ".counting_lstm.json.0a1b2c3d.partial").write_text("half a card")
        before = sorted(tmp_path.rglob("*"))
        for more in ([], ["--resume"]):
            with started(*arguments, *more, disturbed="", module="course_utils.training") as second:
                told = second.communicate(timeout=60)[1]
            assert second.returncode == 1
            assert f"is being written by process {first.pid} on " in told
            assert sorted(tmp_path.rglob("*")) == before
        first.send_signal(signal.SIGTERM)
        first.communicate(timeout=60)
    assert first.returncode == INTERRUPTED
    assert course_train([*arguments, "--resume"]) == 0
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".json", ".safetensors"]


@pytest.mark.slow
@pytest.mark.parametrize("written", [FILE, "counting_lstm.safetensors", "counting_lstm.json"])
def test_what_a_kill_in_the_middle_of_writing_leaves_is_swept(tmp_path, written):
    """Catches: a lock that outlives its process, and half a file that stays for ever."""
    arguments = ["counting_lstm", "--steps", "4", "--out", str(tmp_path)]
    with started(*arguments, disturbed=written) as run:
        told = run.communicate(timeout=60)[1]
    assert run.returncode == -signal.SIGKILL, told
    (half,) = tmp_path.rglob(f".{written}.*.partial")
    assert half.stat().st_size
    assert (tmp_path / ".counting_lstm.lock").exists()
    assert course_train([*arguments, "--resume"]) == 0
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".json", ".safetensors"]
    assert read_card("counting_lstm", tmp_path)["steps"] == 4
