"""The small ELMo that comes with the course."""

from __future__ import annotations

import calendar
import json
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
import torch

from course_utils.analysis.elmo.contextual import ContextIndex
from course_utils.data.english import english
from course_utils.data.sentences import sentences
from course_utils.models import model_file
from course_utils.models.elmo import BOS, EOS, BiLanguageModel, BiLM, count_parameters
from course_utils.models.model_file import ModelFileError, read_card, shipped_folder
from course_utils.shipped import load_trained


@pytest.fixture(scope="module")
def small():
    """Return the shipped model with its softmax."""
    return BiLanguageModel.from_pretrained("small")


def test_it_is_small_and_its_card_says_what_it_is(small):
    """Catches a card of another model, and one that keeps its numbers to itself."""
    card = read_card("course_elmo")
    assert card["bytes"] <= 20e6
    assert card["parameters"] == sum(p.numel() for p in small.parameters())
    assert max(card["metrics"].values()) <= 50
    assert len(small.words) == 10_000
    bilm = BiLM.from_pretrained("small")
    assert sum(p.numel() for p in bilm.parameters()) == count_parameters(bilm.options)


def test_it_predicts_held_out_text_both_ways(small):
    """Catches weights that were converted wrongly: one gate exchanged costs hundreds. (A part of
    one speech, for time; `course train course_elmo` measures all.)"""
    text = sentences(english().test[4].text)[:60]
    ahead, back = small.perplexity([text])
    assert 40 < ahead < 95
    assert 40 < back < 95


def test_every_door_opens_on_the_same_model(small):
    """Catches a second reader of the file that reads it otherwise."""
    bilm = BiLM.from_pretrained("small")
    trained = load_trained("course_elmo")
    tokens = ["Fellow-citizens", ",", "the", "harvest", "was", "good", "."]
    layers = bilm([tokens]).layers
    assert layers.shape == (3, 1, 7, 512)
    assert torch.equal(small.bilm([tokens]).layers, layers)
    torch.testing.assert_close(trained.bilm([tokens]).layers, layers, atol=5e-6, rtol=0)
    assert not bilm.training
    assert not any(p.requires_grad for p in bilm.parameters())


def test_it_starts_cold_without_a_network(tmp_path):
    """Catches a download, or a look at a home folder, on the way to the first sentence."""
    program = """
        import socket, sys

        def refuse(event, arguments):
            if event.startswith("socket."):
                raise PermissionError(f"the network was asked for: {event}")

        sys.addaudithook(refuse)
        try:
            socket.create_connection(("127.0.0.1", 9))
        except PermissionError:
            print("blocked")
        import torch
        from course_utils.models.elmo import BiLM

        layers = BiLM.from_pretrained("small").packed()([["Let", "us", "see"]]).layers
        print(*layers.shape, bool(torch.isfinite(layers).all()))
    """
    environment = {
        **os.environ,
        "HOME": str(tmp_path),
        "PYTHONPATH": str(Path(__file__).parents[3]),
    }
    command = [sys.executable, "-c", textwrap.dedent(program)]
    ended = subprocess.run(
        command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ended.stdout == "blocked\n3 1 3 512 True\n", ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_it_survives_the_official_format(small, tmp_path):
    """Catches options of ours that the published format cannot say."""
    small.bilm.save_official(tmp_path / "options.json", tmp_path / "weights.hdf5")
    again = BiLM.from_official(tmp_path / "options.json", tmp_path / "weights.hdf5")
    tokens = ["Let", "us", "see"]
    assert torch.equal(again([tokens]).layers, small.bilm([tokens]).layers)


def test_it_guesses_from_both_sides(small):
    """Catches a softmax that belongs to other words."""
    guesses = small.guesses(
        ["the", "Government", "of", "the", "United", "States", "of", "America", "."], top=10
    )
    assert "States" in guesses[5].forward.words[:2]
    assert "United" in guesses[4].backward.words[:2]
    assert BOS not in guesses[3].forward.words
    assert EOS in guesses[-1].forward.words or "." in guesses[-1].forward.words


def test_context_tells_the_month_from_the_verb(small):
    """Catches layers that say nothing about use: "May" the month lies near months."""
    texts = [sentences(speech.text) for speech in english().test[-3:]]
    lines = [line for text in texts for line in text if len(line) < 40][:500]
    lines += [["On", "the", "3d", "of", month, "they", "met", "."] for month in ("June", "March")]
    index = ContextIndex(small.bilm, lines)
    dated = ["On", "the", "4th", "of", "May", "the", "treaty", "was", "signed", "."]
    month = index.nearest(dated, 4, k=2)
    assert {n.word for n in month.found} <= set(calendar.month_name)
    wish = ["The", "Congress", "may", "provide", "for", "this", "in", "time", "."]
    verb = index.nearest(wish, 2, k=3)
    modal = {"may", "will", "should", "can", "must", "would", "shall", "could", "might"}
    assert {n.word for n in verb.found} <= modal


def test_a_file_that_is_not_the_one_on_the_card_is_refused(tmp_path, monkeypatch):
    """Catches weights used before they are verified, and a bare KeyError for an unknown name."""
    for name in ("course_elmo.safetensors", "course_elmo.json"):
        shutil.copy(shipped_folder() / name, tmp_path)
    monkeypatch.setattr(model_file, "shipped_folder", lambda: tmp_path)
    BiLM.from_pretrained("small")
    path = tmp_path / "course_elmo.safetensors"
    content = bytearray(path.read_bytes())
    content[-5] ^= 1
    path.write_bytes(content)
    with pytest.raises(ValueError, match="not the file that its card names"):
        BiLM.from_pretrained("small")
    path.unlink()
    with pytest.raises(ModelFileError, match="course train course_elmo"):
        BiLM.from_pretrained("small")
    with pytest.raises(ValueError, match="no ELMo called 'large'"):
        BiLM.from_pretrained("large")
    assert json.loads((tmp_path / "course_elmo.json").read_text())["recipe"] == "course_elmo"
