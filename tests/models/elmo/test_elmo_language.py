"""The language model behind ELMo: fused training, both streams, sampled softmax, guesses."""

from __future__ import annotations

import math
from collections import Counter

import pytest
import torch
from torch.nn.functional import cross_entropy

from course_utils.data.both_directions import TwoWayStream, turned
from course_utils.data.vocabulary import Vocabulary
from course_utils.models.elmo import BOS, EOS, BiLanguageModel, Options, ProjectedLSTM
from course_utils.models.elmo.batch import frame
from course_utils.models.elmo.fast.fused import FusedState, fused_lstm, thinned
from course_utils.models.elmo.language import Dropout, in_order, lane_dropout
from course_utils.models.steps import LSTMState
from course_utils.settings import IGNORED, UNKNOWN
from course_utils.training.cookbook.elmo import (
    ElmoConfig,
    SpelledSoftmax,
    TwoWayLoss,
    fold_spelling,
)
from course_utils.training.sampled_softmax import (
    LogSumExp,
    SampledSoftmax,
    inclusion,
    whole_softmax,
)

T, B, P, C = 7, 3, 5, 11
OPTIONS = Options(projection=5, cells=11, layers=2, filters=((1, 3), (2, 4), (3, 6)), char_dim=4)
WORDS = ["<unk>", BOS, EOS, "the", "sea", "is", "calm", "."]
TEXT = [["the", "sea", "is", "calm", "."], ["calm", "."], ["the", "ship", "is", "lost", "."]]


@pytest.fixture
def model(float64):
    """Return a small language model in float64."""
    return BiLanguageModel(OPTIONS, WORDS).eval()


@pytest.mark.parametrize("projected", [True, False])
def test_the_fused_lstm_is_the_projected_one(float64, projected):
    """Catches a forget bias missing or doubled, U V in the wrong order, the state cut off between
    pieces, and gradients that do not reach both factors of U V."""
    lstm = ProjectedLSTM(P, C) if projected else ProjectedLSTM(P, P, projected=False)
    V, C_ = (lstm.weight_hr, C) if projected else (torch.eye(P), P)
    x = torch.randn(T, B, P, requires_grad=True)
    probe = torch.randn(T, B, P)
    m, c = torch.rand(B, C_) - 0.5, torch.randn(B, C_)
    start = LSTMState(m @ V.t(), c)
    slow, last = lstm(x, start)
    wanted = torch.autograd.grad((slow * probe).sum(), [x, *lstm.parameters()])

    first, middle = fused_lstm(lstm, x[:4], FusedState(m, c))
    second, end = fused_lstm(lstm, x[4:], middle)
    fast = torch.cat([first, second])
    found = torch.autograd.grad((fast * probe).sum(), [x, *lstm.parameters()])
    torch.testing.assert_close(fast, slow, atol=1e-12, rtol=0)
    torch.testing.assert_close(end.c, last.c, atol=1e-12, rtol=0)
    torch.testing.assert_close(end.m @ V.t(), last.h, atol=1e-12, rtol=0)
    for a, b in zip(found, wanted, strict=True):
        torch.testing.assert_close(a, b, atol=1e-11, rtol=0)


def test_the_fused_lstm_refuses_clips():
    """Catches clips that are silently left out."""
    with pytest.raises(ValueError, match="cannot clip"):
        fused_lstm(
            ProjectedLSTM(P, C, cell_clip=3.0), torch.zeros(T, B, P), FusedState(*[None] * 2)
        )


def test_a_stream_carries_on_like_the_bilm(model):
    """Catches a backward stream that reads the sentences in another order than BiLM's state."""
    state, streams = None, [[], []]
    for sentence in TEXT:
        output = model.bilm([sentence], state)
        state = output.state
        top = output.layers[-1, 0]
        streams[0] += top[:, :P]
        streams[1] += top[:, P:].flip(0)
    for direction in (0, 1):
        tokens = in_order(TEXT, direction)
        vectors = model.bilm.encoder(model.bilm.encoder.ids_of(tokens))
        h, _ = model.read_stream(direction, vectors[:, None], model.start(1)[direction])
        inner = [n for n, token in enumerate(tokens) if token not in (BOS, EOS)]
        torch.testing.assert_close(h[inner, 0], torch.stack(streams[direction]), atol=1e-12, rtol=0)


def test_perplexity_is_that_of_the_guesses(model):
    """Catches a softmax on the wrong half, a target that is shifted, and boundaries counted
    that are no question; the first sentence of a text has no past, as in `guesses`."""
    for direction in (0, 1):
        nats = []
        sentence = TEXT[0]
        guesses = model.guesses(sentence, top=len(WORDS))
        for token, guess in zip(sentence, guesses, strict=True):
            g = guess[1 + direction]
            nats.append(-math.log(g.probabilities[g.words.index(token)]))
        # what is left: the far boundary, predicted from the last token read
        layers = model.bilm([sentence]).layers[-1, 0]
        h = layers[-1, :P] if direction == 0 else layers[0, P:]
        far = EOS if direction == 0 else BOS
        nats.append(cross_entropy(model.softmax(h), torch.tensor(WORDS.index(far))).item())
        expected = math.exp(sum(nats) / len(nats))
        assert model.perplexity([[sentence]])[direction] == pytest.approx(expected, rel=1e-9)


def test_nothing_to_predict_is_told(model):
    """Catches a KeyError for no text, and a sentence read letter by letter."""
    for texts in ([], [[]], [[], []]):
        with pytest.raises(ValueError, match="there is no sentence to predict"):
            model.perplexity(texts)
    with pytest.raises(TypeError, match="list of sentences"):
        model.perplexity(TEXT)
    assert model.perplexity([TEXT, []]) == model.perplexity([TEXT])
    assert [g.token for g in model.guesses(iter(TEXT[0]), top=2)] == TEXT[0]


def test_perplexity_of_a_text_is_read_on_through_its_sentences(model):
    """Catches a start of a sentence that is counted as a question, and a state that is lost."""
    state = model.bilm([[]]).state  # of the right shape, then emptied
    state = type(state)(*(torch.zeros_like(part) for part in state))
    nats, count = [0.0, 0.0], 0
    for sentence in TEXT:
        layers, state = model.bilm.read(frame([sentence]), state)
        top = layers[-1, :, 0]
        targets = model.numbers([BOS, *sentence, EOS])
        ahead = cross_entropy(model.softmax(top[:-1, :P]), targets[1:], reduction="sum")
        back = cross_entropy(model.softmax(top[1:, P:]), targets[:-1], reduction="sum")
        nats = [nats[0] + ahead.item(), nats[1] + back.item()]
        count += len(sentence) + 1
    expected = tuple(math.exp(n / count) for n in nats)
    assert model.perplexity([TEXT]) == pytest.approx(expected, rel=1e-9)


def test_perplexity_pools_texts_of_different_length(model, monkeypatch):
    """Catches padding that is counted, and a piece's border where a target is lost."""
    alone = [model.perplexity([[s]]) for s in TEXT]
    weights = [len(s) + 1 for s in TEXT]
    together = model.perplexity([[s] for s in TEXT])
    for direction in (0, 1):
        nats = sum(w * math.log(p[direction]) for w, p in zip(weights, alone, strict=True))
        assert together[direction] == pytest.approx(math.exp(nats / sum(weights)), rel=1e-9)
    monkeypatch.setattr("course_utils.models.elmo.language.READ_AT_ONCE", 4)
    assert model.perplexity([[s] for s in TEXT]) == pytest.approx(together, rel=1e-9)


def test_a_guess_never_sees_its_word(model):
    """Catches a top layer taken at the token itself: the guess would change with it."""
    a = model.guesses(["the", "sea", "is", "calm"])[1]
    b = model.guesses(["the", "xyz", "is", "calm"])[1]
    assert a.forward == b.forward
    assert a.backward == b.backward
    assert model.guesses(["the", "sea", "was", "calm"])[1].backward != a.backward
    assert sum(model.guesses(["the"], top=99)[0].forward.probabilities) == pytest.approx(1)


def test_dropout_keeps_a_lane_s_features_for_the_whole_piece():
    """Catches dropout drawn anew at each step, unscaled, or left on for held-out text."""
    model = BiLanguageModel(OPTIONS, WORDS, Dropout(words=0.5)).train()
    x = lane_dropout(torch.ones(T, 200, P), 0.5)
    assert (x == x[:1]).all()
    assert set(x.unique().tolist()) == {0.0, 2.0}
    assert x.mean() == pytest.approx(1, abs=0.1)
    assert model.perplexity([TEXT]) == model.perplexity([TEXT])
    assert model.training


def test_a_perplexity_that_fails_leaves_the_model_in_training(model):
    """Catches a model that goes on learning without its dropout after an interruption."""
    model.train()
    model.softmax = torch.nn.Linear(P + 1, len(WORDS))
    with pytest.raises(RuntimeError, match="shapes cannot be multiplied"):
        model.perplexity([TEXT])
    assert model.training


def test_words_that_the_model_needs_are_demanded():
    """Catches a list without boundaries, whose absence would show only as odd guesses."""
    with pytest.raises(ValueError, match="lack </S>, <unk>"):
        BiLanguageModel(OPTIONS, [BOS, "the"])


# ---- streams


def framed(sentences: list[list[int]]) -> torch.Tensor:
    return torch.tensor([n for s in sentences for n in (0, *s, 1)])


def test_sentences_turn_round_in_place():
    """Catches a stream that is reversed as a whole."""
    tokens = framed([[5, 6, 7], [], [8, 9]])
    assert turned(tokens, end=1).tolist() == [1, 7, 6, 5, 0, 1, 0, 1, 9, 8, 0]


def test_every_lane_goes_on_and_every_target_comes_next():
    """Catches tokens lost or repeated between pieces, and targets of another direction."""
    texts = [framed([[10 + n, 20 + n, 30 + n], [40 + n]]) for n in range(9)]
    stream = TwoWayStream(texts, begin=0, end=1, batch=3, steps=4, seed=20)
    read = [stream(n) for n in range(stream.pieces)]
    for name, start in (("ahead", 0), ("back", 1)):
        tokens = torch.cat([getattr(piece, name) for piece in read]).T.flatten()
        targets = torch.cat([getattr(piece, f"{name}_next") for piece in read]).T.flatten()
        assert len(tokens) == 9 * 8 - 1 - (9 * 8 - 1) % 3
        following = tokens[1:].where(tokens[1:] != start, IGNORED)
        assert torch.equal(targets[:-1], following)
        assert len(tokens.unique()) >= 36  # words of nearly all texts
    again = [stream(n) for n in range(stream.pieces, 2 * stream.pieces)]
    assert any((a.ahead != b.ahead).any() for a, b in zip(read, again, strict=True))
    assert all((a.ahead == stream(n).ahead).all() for n, a in enumerate(read))


def test_too_little_text_is_refused():
    """Catches lanes of no length, over which training would run for ever without a target."""
    with pytest.raises(ValueError, match="too few tokens for 50 lanes"):
        TwoWayStream([framed([[3, 4]])], 0, 1, batch=50, steps=4, seed=20)


# ---- sampled softmax


def test_the_chance_to_be_drawn_is_right():
    """Catches a correction by the share instead of the chance: common words are drawn at most
    once, so theirs is far below sample * share."""
    share = torch.tensor([0.5, 0.2, 0.1, 0.1, 0.05, 0.05], dtype=torch.float64)
    chance = inclusion(share, 3)
    assert chance.sum().item() == pytest.approx(3, abs=1e-6)
    drawn = torch.stack([torch.bincount(torch.multinomial(share, 3), minlength=6)
                         for _ in range(4000)]).double().mean(dim=0)  # fmt: skip
    assert (drawn - chance).abs().max() < 0.06
    assert (drawn - (3 * share)).abs().max() > 0.4


def test_the_sampled_loss_estimates_the_full_one(float64):
    """Catches a missing correction, and the target counted twice when it is also drawn."""
    V = 60
    softmax = torch.nn.Linear(P, V)
    h, targets = torch.randn(40, P), torch.randint(0, V, (40,))
    counts = torch.arange(V, 0, -1).double() ** 2
    full = cross_entropy(softmax(h), targets).item()
    losses = {}
    for size in (20, 50, 59):
        sampled = SampledSoftmax(counts, size)
        sampled.share, sampled.log_chance = sampled.share.double(), sampled.log_chance.double()
        W, b = softmax.weight, softmax.bias
        with torch.no_grad():
            losses[size] = sum(sampled(W, b, h, targets).item() for _ in range(200)) / 200
    assert losses[50] == pytest.approx(full, abs=0.03)
    assert losses[59] == pytest.approx(full, abs=0.01)
    assert losses[20] == pytest.approx(full, abs=0.15)


@pytest.mark.parametrize("sample", [0, 60])
def test_a_sample_must_be_one(sample):
    """Catches a sample of everything, for which there is the softmax itself."""
    with pytest.raises(ValueError, match="cannot sample"):
        SampledSoftmax(torch.ones(60), sample)


def test_the_one_pass_has_the_gradients_of_its_formula(float64):
    """Catches a share kept before it is divided, a target left in the sample, a row's maximum
    that gets a gradient."""
    logits = torch.randn(5, 9, requires_grad=True)
    shift = torch.randn(9, requires_grad=True)
    rows, columns = torch.tensor([0, 3]), torch.tensor([8, 2])

    def formula(logits, shift):
        table = logits + shift
        left_out = torch.zeros_like(table).index_put((rows, columns), torch.tensor(torch.inf))
        return (table - left_out).logsumexp(dim=1)

    def one_pass(logits, shift):
        return LogSumExp.apply(logits, shift, rows, columns)

    torch.testing.assert_close(one_pass(logits, shift), formula(logits, shift))
    assert torch.autograd.gradcheck(one_pass, (logits, shift))


def test_the_whole_softmax_is_cross_entropy():
    """Catches a bias left out, and a mean over words instead of places."""
    softmax = torch.nn.Linear(P, 23)
    h, targets = torch.randn(7, P, requires_grad=True), torch.randint(0, 23, (7,))
    expected = cross_entropy(softmax(h), targets)
    found = whole_softmax(softmax.weight, softmax.bias, h, targets)
    torch.testing.assert_close(found, expected)
    for ours, theirs in zip(
        torch.autograd.grad(found, [h, *softmax.parameters()]),
        torch.autograd.grad(expected, [h, *softmax.parameters()]),
        strict=True,
    ):
        torch.testing.assert_close(ours, theirs)


def test_a_softmax_from_spelling_ends_as_a_plain_one():
    """Catches vectors of other words, and a finished model that lacks what spelling gave."""
    options = Options(projection=6, cells=8, layers=1, filters=((1, 4), (3, 5)))
    words = [BOS, EOS, UNKNOWN, "Congress", "Congressman"]
    model = BiLanguageModel(options, words)
    model.softmax = SpelledSoftmax(words, torch.arange(1.0, 6), options)
    h = torch.randn(4, 6)
    before = model.softmax(h)
    model.softmax.spell(model.bilm.encoder)
    torch.testing.assert_close(model.softmax(h), before)  # A begins as zero
    torch.nn.init.normal_(model.softmax.from_spelling)
    alone = model.bilm.encoder(model.bilm.encoder.ids_of(words))
    torch.testing.assert_close(model.softmax.spelled, alone)
    plain = BiLanguageModel(options, words)
    plain.load_state_dict(fold_spelling(model.state_dict()))
    torch.testing.assert_close(plain.softmax(h), model.softmax(h))
    assert (plain.softmax(h) - before).abs().max() > 0.1


def test_a_finished_model_reads_on_with_the_loss_that_it_had():
    """Catches a biLM that can be trained, but not fine-tuned on a domain."""
    torch.manual_seed(20)
    config = ElmoConfig(
        steps=5, full=1.0, words=5, projection=6, cells=8, layers=1, filters=((1, 4), (3, 5))
    )
    words = [BOS, EOS, UNKNOWN, "Congress", "Congressman"]
    counts = Counter({word: number for number, word in enumerate(words, 1)})
    model = BiLanguageModel(config.options, words).eval()
    loss = TwoWayLoss(config, words, Vocabulary(words), counts)
    model.softmax = SpelledSoftmax(words, loss.frequency, config.options)
    model.softmax.spell(model.bilm.encoder)
    torch.nn.init.normal_(model.softmax.from_spelling)
    plain = BiLanguageModel(config.options, words).eval()
    plain.load_state_dict(fold_spelling(model.state_dict()))
    piece = TwoWayStream([torch.tensor([0, 3, 4, 3, 1, 0, 4, 1])], 0, 1, 1, 3, 20)(0)
    expected = loss(model, piece).mean
    again = TwoWayLoss(config, words, Vocabulary(words), counts)
    found = again(plain, piece).mean
    assert found.item() == pytest.approx(expected.item(), rel=2e-3)  # products in bfloat16
    found.backward()
    assert plain.softmax.weight.grad.abs().sum() > 0


@pytest.mark.parametrize("drop", [0.0, 0.15, 0.5])
def test_weights_are_thinned_by_the_share_asked_for(drop):
    """Catches a mask of bits that are not even, and a mean that dropout shrinks."""
    torch.manual_seed(20)
    weights = torch.randn(301, 337).abs()  # not a multiple of eight
    thin = thinned(weights, drop)
    assert (thin == 0).float().mean().item() == pytest.approx(drop, abs=0.006)
    assert thin.mean().item() == pytest.approx(weights.mean().item(), rel=0.01)
    kept = thin != 0
    assert ((thin / weights)[kept] - 1 / (1 - drop)).abs().max() < 0.01
    again = thinned(weights, drop)
    assert not drop or not torch.equal(again == 0, thin == 0)
    assert (thin.mean(dim=0) / weights.mean(dim=0) - 1).abs().max() < 0.4  # no column is lost
