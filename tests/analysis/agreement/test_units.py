"""Units silenced, moved and found: against loops over single sentences and units."""

from __future__ import annotations

import itertools

import pytest
import torch

from course_utils.analysis.agreement import side_by_side
from course_utils.analysis.agreement.ablation import (
    Hold,
    ablate_each,
    ablate_sets,
    margins_with,
    random_sets,
    rights_with,
)
from course_utils.analysis.agreement.patching import counterparts, patch_into, plural_advantage
from course_utils.analysis.agreement.questions import ask, texts_of
from course_utils.analysis.agreement.rates import verbs_of
from course_utils.analysis.agreement.story import (
    average_of,
    number_text,
    verb_weights,
)
from course_utils.analysis.agreement.worst import chance_of_worst
from course_utils.data.agreement.balanced import agreement_items
from course_utils.data.agreement.corpus import NEUTRAL, agreement_text, whole_items
from course_utils.data.agreement.lexicon import VERBS
from course_utils.data.vocabulary import Vocabulary
from course_utils.models import RecurrentLM
from course_utils.shipped import load_trained

WORDS = Vocabulary.of(agreement_text("train", 3000, 1))
ITEMS = agreement_items("test", ("simple", "noun-PP", "relative clause"), 3)
CELLS = pytest.mark.parametrize("cell", ["lstm", "gru", "elman"])


def small(cell: str, H: int = 7) -> RecurrentLM:
    """Return an untrained model whose weights are large enough for units to matter."""
    torch.manual_seed(3)
    model = RecurrentLM(WORDS, cell, 5, H)
    for p in model.parameters():
        torch.nn.init.normal_(p, std=0.7)
    return model.eval()


def margin_by_rollout(model, item, units, value):
    """Read one sentence by the readable loop and hold some units' h."""

    def edit(t, step):
        step.h[:, units] = value
        return step

    with torch.no_grad():
        x = model.embedding(texts_of(WORDS, [item]))
        scores = model.output(model.recurrent.rollout(x, edit=edit)[0].h[-1])[0]
    right, wrong = WORDS.encode([item.right, item.wrong])
    return (scores[right] - scores[wrong]).item()


@CELLS
def test_holding_is_what_the_readable_loop_does(cell):
    """Catches a unit that is silenced once only, the next sentence's beginning, another gate."""
    model = small(cell)
    holds = [Hold([0]), Hold([6]), Hold([2, 4]), Hold([1, 3, 5], -0.75), Hold([])]
    found = margins_with(model, ITEMS, holds)
    for row, hold in enumerate(holds):
        for place, item in enumerate(ITEMS):
            by_hand = margin_by_rollout(model, item, list(hold.units), hold.value)
            assert found[row, place].item() == pytest.approx(by_hand, abs=1e-4)


@CELLS
def test_each_unit_is_silenced_for_itself(cell):
    """Catches rows in another order, and a whole network that differs from `ask`."""
    model = small(cell)
    each = ablate_each(model, ITEMS)
    assert each.shape == (7, len(ITEMS))
    for unit in range(7):
        assert torch.equal(each[unit], ablate_sets(model, ITEMS, [[unit]])[0])
    assert torch.equal(rights_with(model, ITEMS, Hold([])), ask(model, ITEMS).rights)
    assert each.unique(dim=0).shape[0] > 1


@CELLS
def test_a_few_at_a_time_read_as_all_do(cell, monkeypatch):
    """Catches states that are written to another network's place, or to none, where little is
    worked on at a time: in life the blocks are larger than these items."""
    model = small(cell)
    at_once = margins_with(model, ITEMS, [Hold([unit]) for unit in range(7)])
    for rows in (1, 25):
        monkeypatch.setattr(side_by_side, "ROWS", rows)
        few = margins_with(model, ITEMS, [Hold([unit]) for unit in range(7)])
        assert torch.allclose(few, at_once, atol=1e-5)
    assert not torch.allclose(at_once[0], at_once[1], atol=1e-3)


def test_beginnings_are_told_apart_by_all_their_words():
    """Catches two sentences taken for one because their last words, or the first, are the same."""
    texts = torch.tensor([[3, 3, 5, 5], [1, 1, 1, 1], [2, 7, 2, 2]])  # (T, B)
    steps, last = side_by_side.beginnings(texts)
    assert [len(words) for _, words in steps] == [2, 2, 3]
    for text, place in zip(texts.T.tolist(), last.tolist(), strict=True):
        read = []
        for before, words in reversed(steps):
            read.append(int(words[place]))
            place = int(before[place])
        assert read[::-1] == text


def test_two_layers_are_refused():
    """Catches a second layer whose units are left alone without a word."""
    with pytest.raises(ValueError, match="one layer"):
        ablate_each(RecurrentLM(WORDS, "lstm", 5, 7, layers=2), ITEMS)


def test_random_sets_leave_out_what_they_control():
    """Catches a control that holds the unit itself, or one unit twice."""
    sets = random_sets(3, 11, 40, never=[2, 5])
    assert all(len({*units}) == 3 and not {*units} & {2, 5} for units in sets)
    assert {unit for units in sets for unit in units} == set(range(11)) - {2, 5}


@CELLS
def test_moving_all_units_makes_the_source_and_none_the_sentence(cell):
    """Catches a patch that comes a word too late, or from the wrong reading."""
    model = small(cell)
    own, source = counterparts(ITEMS)
    nothing = patch_into(model, own, source, [])
    assert torch.allclose(nothing.before, nothing.after, atol=1e-5)
    assert torch.allclose(nothing.before, ask(model, own).margins, atol=1e-5)
    everything = patch_into(model, own, source, range(7))
    assert torch.allclose(everything.after, -ask(model, source).margins, atol=1e-4)


def test_counterparts_differ_in_the_subject_alone():
    """Catches a counterpart with another attractor, another verb, or the same number."""
    own, source = counterparts(ITEMS)
    assert own == ITEMS
    for item, other in zip(own, source, strict=True):
        differ = [n for n, (a, b) in enumerate(zip(item.words, other.words, strict=True)) if a != b]
        assert differ == [item.cue, item.position]
        assert (item.right, item.wrong) == (other.wrong, other.right)


def test_late_patches_move_the_last_word_only():
    """Catches `since` that counts from the wrong end."""
    model = small("lstm")
    own, source = counterparts(ITEMS)
    units = [1, 4]
    late = patch_into(model, own, source, units, since=-1).after
    item, other = own[5], source[5]
    given = model.trace(texts_of(WORDS, [other]))[0]
    last = len(NEUTRAL) + item.position - 1

    def edit(t, step):
        if t == last:
            step.c[:, units], step.h[:, units] = given.c[t][:, units], given.h[t][:, units]
        return step

    with torch.no_grad():
        x = model.embedding(texts_of(WORDS, [item]))
        scores = model.output(model.recurrent.rollout(x, edit=edit)[0].h[-1])[0]
    right, wrong = WORDS.encode([item.right, item.wrong])
    assert late[5].item() == pytest.approx((scores[right] - scores[wrong]).item(), abs=1e-4)


def test_the_advantage_ends_where_the_margin_does():
    """Catches lines of another sentence, and plural taken for singular."""
    model = small("gru")
    own, source = counterparts(ITEMS)
    place = next(n for n, item in enumerate(own) if item.condition == "SP")
    item, other = own[place], source[place]
    lines = plural_advantage(model, item, other, [0, 3], item.cue, (item.right, item.wrong))
    patched = patch_into(model, own, source, [0, 3])
    assert [len(line) for line in lines] == [item.position] * 3
    assert lines[0][-1].item() == pytest.approx(-patched.before[place].item(), abs=1e-4)
    assert lines[1][-1].item() == pytest.approx(ask(model, [other]).margins.item(), abs=1e-4)
    assert lines[2][-1].item() == pytest.approx(-patched.after[place].item(), abs=1e-4)


def test_luck_is_counted_over_all_units():
    """Catches a p that forgets how many were tried: against all sign patterns, by hand."""
    torch.manual_seed(0)
    rights = torch.ones(9)
    without = (torch.rand(5, 9) > 0.35).double()
    found = chance_of_worst(rights, without, flips=6000)
    drops = rights - without
    signs = torch.tensor(list(itertools.product((-1.0, 1.0), repeat=9)), dtype=torch.float64)
    largest = (signs @ drops.T / 9).amax(dim=1)
    exact = (largest >= drops.mean(dim=1).max() - 1e-9).double().mean().item()
    assert found.unit == int(drops.mean(dim=1).argmax())
    assert found.p == pytest.approx(exact, abs=0.02)


def test_items_of_one_verb_get_one_sign():
    """Catches luck that is dealt to each item for itself: it looks half as good as it is."""
    some = [item for item in agreement_items("test", ("noun-PP",)) if item.condition[1] == "S"]
    verbs = verbs_of(some)
    small = [place for place, verb in enumerate(verbs) if verb < 9]
    items, verbs = [some[place] for place in small], verbs[small]
    torch.manual_seed(0)
    rights = torch.ones(len(items))
    without = (torch.rand(5, 9) > 0.35).double()[:, verbs]
    drops = rights - without
    found = chance_of_worst(rights, without, items, flips=6000)
    signs = torch.tensor(list(itertools.product((-1.0, 1.0), repeat=9)), dtype=torch.float64)
    largest = (signs[:, verbs] @ drops.T / len(items)).amax(dim=1)
    exact = (largest >= drops.mean(dim=1).max() - 1e-9).double().mean().item()
    assert found.p == pytest.approx(exact, abs=0.02)
    assert chance_of_worst(rights, without, flips=6000).p < exact / 2


def test_many_useless_units_are_not_news():
    """Catches the worst of many that is called significant: 5 of 100 searches at most."""
    generator = torch.Generator().manual_seed(1)
    small_p = 0
    for seed in range(60):
        rights = torch.randint(0, 2, (80,), generator=generator).double()
        flips = (torch.rand(64, 80, generator=generator) < 0.1).double()
        without = (rights - flips).abs()  # as soon helped as harmed
        small_p += chance_of_worst(rights, without, flips=200, seed=seed).p <= 0.05
    assert small_p <= 8


def test_a_unit_that_matters_is_found():
    """Catches a test that never finds anything."""
    generator = torch.Generator().manual_seed(2)
    rights = torch.ones(80)
    without = (torch.rand(64, 80, generator=generator) > 0.02).double()
    without[17] = (torch.rand(80, generator=generator) > 0.3).double()
    found = chance_of_worst(rights, without)
    assert (found.unit, found.p) == (17, 1 / 1001)


def test_texts_are_marked_where_their_labels_say():
    """Catches marks that are a word off."""
    items = [item for item in whole_items("test", 60) if item.construction == "noun-PP-adverb"][:2]
    number = number_text(items)
    place = 0
    for item in items:
        first = place + 1  # END stands before
        counted = number.counted[place : first + len(item.words)].nonzero().flatten().tolist()
        assert counted == [item.position]  # the word before the verb, counted from END
        assert number.marks[place + item.position].item() == (item.condition[0] == "P")
        place = first + len(item.words)


def test_averages_are_means_over_sentences():
    """Catches another unit's gates, and words that the start has shifted."""
    model = small("lstm")
    items = [item for item in ITEMS if item.construction == "noun-PP"]
    found = average_of(model, items, 4)
    assert list(found) == ["SS", "SP", "PS", "PP"]
    some = [item for item in items if item.condition == "PS"]
    singly = [model.trace(texts_of(WORDS, [item]))[0] for item in some]
    for name in "cifo":
        by_hand = torch.stack([getattr(s, name)[len(NEUTRAL) :, 0, 4] for s in singly]).mean(dim=0)
        assert torch.allclose(found["PS"].values[name], by_hand, atol=1e-6)


def test_weights_are_those_of_the_forms():
    """Catches singular and plural exchanged."""
    model = small("lstm")
    singular, plural = verb_weights(model, 2)
    for n, verb in enumerate(VERBS):
        row_s, row_p = WORDS.encode([verb.singular, verb.plural])
        assert singular[n] == model.output.weight[row_s, 2]
        assert plural[n] == model.output.weight[row_p, 2]


def test_shipped_models_know_the_words_of_the_grammar():
    """Catches a word that was changed after the models had learned: their answers would be luck."""
    words = {"<unk>", *agreement_text("train", 8000, 0)}
    for name in ("lstm", "gru", "elman", "window", "wide"):
        assert set(load_trained(f"agreement_{name}").vocabulary.tokens) == words
