"""Directions that share letters and softmax, or not: who shares what, and a whole file."""

from __future__ import annotations

import json

import pytest
import torch

from course_utils.data.both_directions import TwoWayStream
from course_utils.data.vocabulary import Vocabulary
from course_utils.models.elmo import BOS, EOS
from course_utils.models.elmo.batch import frame
from course_utils.models.elmo.state import zero_state
from course_utils.results.elmo import sharing
from course_utils.results.files import load_rows, shipped_rows
from course_utils.settings import UNKNOWN
from course_utils.training.race import elmo as race
from course_utils.training.race.elmo import FORMS, RACE, SEEDS, PairLoss, SharingConfig, Texts

CONFIG = SharingConfig(words=8, projection=5, cells=7, filters=((1, 3), (3, 4)))
TYPES = [UNKNOWN, BOS, EOS, "the", "sea", "is", "calm", "ship"]
SENTENCES = [["the", "sea", "is", "calm"], ["ship"], ["the", "ship", "is", "the", "sea"]]


@pytest.fixture
def read(float64) -> Texts:
    """Return three sentences; the softmax knows all words but one."""
    types, words = Vocabulary(TYPES, unknown=None), Vocabulary(TYPES[:-1], unknown=UNKNOWN)
    stream = types.encode([t for s in SENTENCES for t in (BOS, *s, EOS)])
    return Texts([stream], [SENTENCES], types, words, torch.ones(len(words)))


@pytest.mark.parametrize(
    ("form", "letters", "softmax"),
    [(FORMS[0], True, True), (FORMS[1], True, False), (FORMS[2], False, False)],
)
def test_a_form_shares_what_its_name_says(read, form, letters, softmax):
    """Catches a form under another's name, and directions that share their LSTMs."""
    ahead, back = race.new_pair(form, CONFIG, read.words, read.frequency)
    assert (ahead.bilm.encoder is back.bilm.encoder) == letters
    assert (ahead.softmax is back.softmax) == softmax
    trained = {id(p) for p in race._trained((ahead, back))}
    own = [*ahead.bilm.directions[0].parameters(), *back.bilm.directions[1].parameters()]
    assert len({id(p) for p in own}) == len(own)
    assert {id(p) for p in own} <= trained
    unused = [*ahead.bilm.directions[1].parameters(), *back.bilm.directions[0].parameters()]
    assert softmax or not {id(p) for p in unused} & trained


@pytest.mark.parametrize("form", FORMS)
def test_the_loss_is_what_the_models_say_of_their_directions(read, form):
    """Catches a backward stream read forward, letters cut too short, a start that is asked for."""
    torch.manual_seed(3)
    pair = race.new_pair(form, CONFIG, read.words, read.frequency)
    begin, end = (read.types.number[mark] for mark in (BOS, EOS))
    piece = TwoWayStream(read.train, begin, end, 1, 99, seed=0)(0)
    loss = PairLoss(pair, read)(None, piece)
    nats, count = 0.0, 0
    for direction, model in enumerate(pair):
        state = zero_state(CONFIG.options, 1, model.softmax.weight)
        for n, sentence in enumerate(SENTENCES):
            tokens = [BOS, *sentence, EOS]
            layers, state = model.bilm.read(frame([sentence]), state)
            top = layers[-1, :, 0].chunk(2, dim=-1)[direction]
            order = range(len(tokens) - 1) if direction == 0 else range(len(tokens) - 1, 0, -1)
            for k in order:
                answer = tokens[k + (1 if direction == 0 else -1)]
                log_p = torch.log_softmax(model.softmax(top[k]), dim=-1)
                nats -= log_p[read.words.encode([answer])[0]].item()
                count += 1
            assert n < 3
    assert loss.targets == count
    assert loss.mean.item() == pytest.approx(nats / count)


def test_the_shipped_file_is_whole():
    """Catches a form left out, one with other steps, and medians of one direction."""
    rows = shipped_rows("elmo_sharing")
    assert {(row["shared"], row["seed"]) for row in rows} == {(f, s) for f in FORMS for s in SEEDS}
    assert {row["steps"] for row in rows} == {SharingConfig().steps}
    found = sharing()
    assert list(found) == list(FORMS)
    (first,) = (r for r in rows if (r["shared"], r["seed"]) == (FORMS[0], SEEDS[0]))
    assert found[FORMS[0]].perplexities[0] ** 2 == pytest.approx(
        first["forward"] * first["backward"]
    )
    ahead = found[FORMS[0]].over(found[FORMS[2]])
    assert ahead[1] == pytest.approx((49.35 * 49.27 / (49.71 * 47.65)) ** 0.5)
    sizes = [found[form].parameters for form in FORMS]
    assert sizes == sorted(sizes)


def test_what_is_finished_is_not_run_again(tmp_path, monkeypatch):
    """Catches a race that begins anew after Ctrl-C."""
    path, ran = tmp_path / "sharing.json", []

    def quick(form, seed, steps, device):
        ran.append((form, seed))
        if len(ran) == 2:
            raise KeyboardInterrupt
        return [{"steps": 1, "forward": 9.0, "backward": 4.0, "parameters": 1}]

    monkeypatch.setattr(race, "run_form", quick)
    with pytest.raises(KeyboardInterrupt):
        RACE.run(path, tell=lambda _: None)
    RACE.run(path, tell=lambda _: None)
    assert len(json.loads(path.read_text())["rows"]) == len(FORMS) * len(SEEDS)
    assert len(ran) == len(FORMS) * len(SEEDS) + 1
    assert sharing(load_rows(path))[FORMS[1]].median == 6
    with pytest.raises(ValueError, match="directions share"):
        race.new_pair("everything", CONFIG, Vocabulary(TYPES), torch.ones(8))
