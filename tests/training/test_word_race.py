"""The race over words is run on equal terms, and its file says what was run."""

from __future__ import annotations

import json
import os
from dataclasses import replace

import pytest
import torch

from course_utils.cli.train import INTERRUPTED
from course_utils.files import only_writer
from course_utils.models import NGramLM, RecurrentLM, WindowLM
from course_utils.models.model_file import tied_names
from course_utils.results.files import load_rows, shipped_rows
from course_utils.shipped import load_trained
from course_utils.training.cookbook.english_words import EnglishConfig, english_plan, english_texts
from course_utils.training.losses import IGNORED, StreamLoss
from course_utils.training.race import words as word_race
from course_utils.training.race.words import ORDERS, RACE, SHARES, TRAINED
from course_utils.training.sampled_softmax import SampledStreamLoss, counts_of
from tests.command_line import course_train
from tests.training.quick_words import quick_words


def test_a_share_of_the_text_holds_every_smaller_one():
    """Catches shares of different speeches, where less text could be better text."""
    small, large = (english_texts(500, share) for share in (64, 32))
    assert len(small.train) < len(large.train)
    assert small.words.tokens == large.words.tokens, "one vocabulary for all"
    assert torch.equal(small.test, large.test)
    begins = large.train[: len(small.train)]
    first = int((small.train == small.words.number["</s>"]).nonzero()[0])
    assert torch.equal(small.train[:first], begins[:first])


def test_less_text_means_fewer_steps_and_more_dropout():
    """Catches a share that is read with the whole text's recipe, and learned by heart."""
    whole, quarter, least = (word_race.race_config("lstm", share) for share in (1, 4, 64))
    assert (quarter.steps, quarter.share) == (whole.steps // 2, 4)
    assert least.dropout > quarter.dropout == whole.dropout


def test_the_shipped_race_is_whole():
    """Catches a curve with a point left out, or run on another text."""
    rows = shipped_rows("word_race")
    run = {(f"{order}-gram", share) for order in ORDERS for share in SHARES}
    run |= {(cell, share) for cell, shares in TRAINED.items() for share in shares}
    assert {(row["model"], row["share"]) for row in rows} == run
    for share in (64, 16):
        texts = english_texts(5000, share)
        score = NGramLM(5000, 2).fit(texts.train).perplexity(texts.test)
        (row,) = (r for r in rows if (r["model"], r["share"]) == ("2-gram", share))
        assert row["perplexity"] == pytest.approx(score, abs=0.01)
        assert row["tokens"] == len(texts.train)


def test_the_shipped_lstm_is_the_one_that_won():
    """Catches a file of results that another model made."""
    texts = english_texts(5000)
    (row,) = (
        r for r in shipped_rows("word_race") if (r["model"], r["share"]) == ("lstm", 1)
    )  # fmt: skip
    model = load_trained("english_lstm")
    assert model.vocabulary.tokens == texts.words.tokens
    assert model.perplexity(texts.test) == pytest.approx(row["perplexity"], rel=1e-3)


def test_a_window_is_trained_as_the_lstm_is():
    """Catches a window with other sizes, steps or words than the LSTM that it is held against."""
    window, lstm = (word_race.race_config(cell, share=4) for cell in ("window", "lstm"))
    assert replace(window, cell="lstm") == lstm
    model = english_plan(replace(window, words=500, sample=80)).model
    assert (type(model), model.window) == (WindowLM, 4)
    assert model.output.weight.data_ptr() == model.embedding.weight.data_ptr(), "tied as the LSTM's"
    assert model.dropout.p == lstm.dropout


def test_what_is_finished_is_not_run_again(tmp_path, monkeypatch):
    """Catches a race that begins anew after Ctrl-C, and a file that is torn by it."""
    path, told = tmp_path / "word_race.json", []
    monkeypatch.setattr(word_race, "SHARES", (64, 32))
    ran = quick_words(monkeypatch, stop_at=2)
    with pytest.raises(KeyboardInterrupt):
        RACE.run(path, steps=3, tell=told.append)
    assert [row["model"] for row in json.loads(path.read_text())["rows"]] == [
        "1-gram",
        "lstm",
        "1-gram",
    ]
    RACE.run(path, steps=3, tell=told.append)
    assert ran == [("lstm", 64), ("lstm", 32), ("lstm", 32)]
    assert len(load_rows(path)) == 4 == len(told)


def test_a_finished_race_stays(tmp_path, monkeypatch, capsys):
    """Catches results replaced unasked, and what a killed race left half-written."""
    ran = quick_words(monkeypatch, stop_at=2)
    arguments = ["word_race", "--steps", "3", "--out", str(tmp_path)]
    path, partial = tmp_path / "word_race.json", tmp_path / ".word_race.json.0a1b2c3d.partial"
    path.write_text("results of last year")
    assert course_train(arguments) == 1
    assert "is there already: move it away" in capsys.readouterr().err
    assert path.read_text() == "results of last year"
    assert not ran
    path.unlink()
    partial.write_text("half")
    assert course_train(arguments) == INTERRUPTED
    assert not partial.exists()
    assert course_train(arguments) == 1, "a race must not be overwritten unasked"
    assert "holds a race already: go on with --resume" in capsys.readouterr().err
    assert course_train([*arguments, "--resume"]) == 0
    assert len(load_rows(path)) == 2 * len(word_race.SHARES)
    assert [found.name for found in tmp_path.iterdir()] == [path.name]
    assert len(ran) == len(word_race.SHARES) + 1
    assert course_train([*arguments, "--resume"]) == 0
    assert len(ran) == len(word_race.SHARES) + 1, "what was finished ran again"


@pytest.mark.parametrize("name", ["race", "word_race", "counting_race", "elmo_sharing"])
def test_a_race_has_one_process(tmp_path, monkeypatch, capsys, name):
    """Catches a race that every process of torchrun runs as a whole, or two into one folder."""
    arguments = [name, "--steps", "3", "--out", str(tmp_path)]
    with only_writer(tmp_path / f".{name}.lock"):
        assert course_train(arguments) == 1
    assert f"is being written by process {os.getpid()} on " in capsys.readouterr().err
    monkeypatch.setenv("WORLD_SIZE", "2")
    for rank, lines in (("0", 1), ("1", 0)):
        monkeypatch.setenv("RANK", rank)
        assert course_train(arguments) == 1
        assert capsys.readouterr().err.count("start it without torchrun") == lines
    assert not [*tmp_path.iterdir()]


def test_a_sample_leads_where_all_words_lead():
    """Catches a sampled loss that pulls the logits elsewhere than the full one."""
    torch.manual_seed(3)
    model = RecurrentLM(50, "gru", width=7, hidden=7, tied=True)
    tokens, targets = torch.randint(0, 50, (11, 5)), torch.randint(0, 50, (11, 5))
    targets[-1, 2:] = IGNORED
    counts = counts_of(tokens.flatten(), 50)
    exact = StreamLoss()(model, (tokens, targets)).mean
    full = SampledStreamLoss(counts, sample=20, until=0)(model, (tokens, targets))
    assert full.targets == 52
    assert full.mean.item() == pytest.approx(exact.item(), rel=2e-2)  # bfloat16
    draws = [
        SampledStreamLoss(counts, 20, until=9)(model, (tokens, targets)).mean for _ in range(200)
    ]
    assert torch.stack(draws).mean().item() == pytest.approx(exact.item(), rel=2e-2)


def test_the_loss_goes_over_to_all_words_and_remembers_it():
    """Catches a resumed run that samples again, or never stops sampling."""
    model = RecurrentLM(50, "gru", width=7, hidden=7)
    batch = torch.randint(0, 50, (3, 5)), torch.randint(0, 50, (3, 5))
    loss = SampledStreamLoss(torch.ones(50), sample=9, until=2)
    for _ in range(2):
        loss(model, batch)
    resumed = SampledStreamLoss(torch.ones(50), sample=9, until=2)
    resumed.load_state_dict(loss.state_dict())
    values = {resumed(model.eval(), batch).mean.item() for _ in range(3)}
    resumed.state = None
    assert resumed.steps == 2
    assert len(values) == 3, "the state is handed on"
    resumed.sampled = None  # would fail if it were asked
    resumed(model, batch)


def test_a_matrix_with_two_names_is_stored_once():
    """Catches a tied softmax that doubles the file."""
    tied = RecurrentLM(11, "lstm", width=7, hidden=7, tied=True)
    assert tied_names(tied) == {"output.weight": "embedding.weight"}
    assert tied_names(RecurrentLM(11, "lstm", width=7, hidden=7)) == {}
    shipped = load_trained("english_lstm")
    assert shipped.output.weight is shipped.embedding.weight
    assert EnglishConfig().share == 1
