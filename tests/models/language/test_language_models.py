"""Language models that count, look through a window, or carry a state, on one contract."""

from __future__ import annotations

import copy
import math
from collections import Counter, defaultdict

import pytest
import torch
from safetensors.torch import load_file, save_file

from course_utils.data.streams import Stream
from course_utils.data.vocabulary import Vocabulary
from course_utils.models import NGramLM, RecurrentLM, WindowLM
from course_utils.models.language.ngram import log_probs_by_order
from course_utils.models.language.sampling import Sampler, shaped, without
from course_utils.settings import IGNORED
from course_utils.training import StreamLoss, fit, mean_stream_loss

V = 13
TEXT = torch.randint(V, (400,), generator=torch.Generator().manual_seed(1)) % torch.arange(1, 401)
MAKERS = {
    "ngram": lambda v=V: NGramLM(v, order=3).fit(TEXT % (v if isinstance(v, int) else len(v))),
    "window": lambda v=V: WindowLM(v, window=3, width=5, hidden=7),
    "window direct": lambda v=V: WindowLM(v, window=3, width=5, hidden=7, direct=True),
    "elman": lambda v=V: RecurrentLM(v, "elman", 5, 7),
    "lstm": lambda v=V: RecurrentLM(v, "lstm", 5, 7, layers=2, dropout=0.3),
    "gru": lambda v=V: RecurrentLM(v, "gru", 7, 7, tied=True),
}
NEURAL = [name for name in MAKERS if name != "ngram"]
every = pytest.mark.parametrize("name", MAKERS)
neural = pytest.mark.parametrize("name", NEURAL)


class PlainKneserNey:
    """Kneser-Ney by dictionaries, straight from the definition."""

    def __init__(self, text, order, V):
        self.V, self.order = V, order
        grams = {
            k: Counter(tuple(text[i : i + k]) for i in range(len(text) - k + 1))
            for k in range(1, order + 1)
        }
        self.counts = {order: grams[order]}
        for k in range(1, order):
            before = defaultdict(set)
            for gram in grams[k + 1]:
                before[gram[1:]].add(gram[0])
            self.counts[k] = Counter({gram: len(left) for gram, left in before.items()})

    def p(self, context, word):
        context = tuple(context)[max(0, len(context) - self.order + 1) :]
        return self._p(context, word, len(context) + 1)

    def _p(self, context, word, k):
        if k == 0:
            return 1 / self.V
        lower = self._p(context[1:], word, k - 1)
        counts = self.counts[k]
        children = {g: n for g, n in counts.items() if g[:-1] == context}
        total = sum(children.values())
        if not total:
            return lower
        values = Counter(counts.values())
        once, twice = values[1], values[2]
        D = once / (once + 2 * twice) if once and twice else 0.75
        own = max(counts.get((*context, word), 0) - D, 0)
        return (own + D * len(children) * lower) / total


@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_ngram_is_kneser_ney(order):
    """Catches raw counts for continuation counts, a discount or a back-off weight misplaced."""
    text, test = TEXT.tolist(), torch.randint(V, (40,)).tolist()
    plain = PlainKneserNey(text, order, V)
    model = NGramLM(V, order).fit(TEXT)
    expected = [math.log(plain.p(test[:t], test[t])) for t in range(1, len(test))]
    torch.testing.assert_close(
        model.log_probs(test), torch.tensor(expected, dtype=torch.float64), rtol=0, atol=1e-12
    )
    for context in (test[:1], test[:3], test[:9], text[:2]):
        row = [math.log(plain.p(context, word)) for word in range(V)]
        torch.testing.assert_close(
            model.next_log_probs(context),
            torch.tensor(row, dtype=torch.float64),
            rtol=0,
            atol=1e-12,
        )


def test_all_orders_at_once_are_the_models_of_each():
    """Catches a highest order that is counted as a lower one, and texts that are mixed up."""
    asked = [TEXT[:90].flip(0), TEXT[50:250]]
    by_order = log_probs_by_order(TEXT, asked, V)
    for order, found in zip(range(1, 8), by_order, strict=False):
        model = NGramLM(V, order).fit(TEXT)
        for own, text in zip(found, asked, strict=True):
            torch.testing.assert_close(own, model.log_probs(text))


def test_ngram_on_words_and_characters():
    """Catches a model for numbers only, and an unknown word without probability."""
    text = "the cat sat on the mat and the cat ran to the mat"
    words = text.split()
    vocabulary = Vocabulary.of(words)
    model = NGramLM(vocabulary, 2).fit(words)
    assert model.generate(["the"], 1, temperature=0) == ["cat"]
    assert math.isfinite(model.perplexity(["the", "zebra", "sat"]))
    letters = Vocabulary.of("hello hello", special=())
    assert "".join(NGramLM(letters, 4).fit("hello hello").generate("hel", 2, 0)) == "lo"


def test_ngram_cannot_see_past_its_order_and_an_rnn_can():
    """Catches a context that leaks into the n-gram, or a state that the recurrent model drops."""
    one, two = [1, 2, 3, 4, 5], [9, 9, 3, 4, 5]
    for name in MAKERS:
        model = MAKERS[name]()
        same = torch.equal(model.next_log_probs(one), model.next_log_probs(two))
        assert same == (name in ("ngram", "window", "window direct")), name


@every
def test_scores_are_the_next_distributions(name):
    """Catches a text scored one step off, or with dropout on."""
    model, text = MAKERS[name](), TEXT[:19]
    expected = [model.next_log_probs(text[:t])[text[t]] for t in range(1, 19)]
    torch.testing.assert_close(model.log_probs(text), torch.stack(expected), atol=1e-6, rtol=1e-5)
    assert model.perplexity(text) == pytest.approx(math.exp(-sum(expected) / 18), rel=1e-5)
    total = model.next_log_probs(text[:5]).exp().sum().item()
    assert total == pytest.approx(1, abs=1e-6)


@neural
def test_untrained_perplexity_is_the_number_of_words(name):
    """Catches a start that already believes something."""
    model = {
        "window": lambda: WindowLM(997),
        "window direct": lambda: WindowLM(997, direct=True),
        "gru": lambda: RecurrentLM(997, "gru", tied=True),
    }.get(name, lambda: RecurrentLM(997, name))()
    text = torch.randint(997, (300,))
    assert model.perplexity(text) == pytest.approx(997, rel=0.05)


@neural
def test_a_long_text_is_scored_in_pieces_with_the_state_carried(name, monkeypatch):
    """Catches a state that is lost between pieces."""
    model = MAKERS[name]()
    whole = model.log_probs(TEXT)
    monkeypatch.setattr("course_utils.models.language.neural.PIECE", 7)
    torch.testing.assert_close(model.log_probs(TEXT), whole, atol=1e-6, rtol=1e-5)


@every
def test_generation_by_seed(name):
    """Catches randomness that the seed does not decide, a row that depends on its neighbours."""
    model = MAKERS[name]()
    for parameter in model.parameters() if name in NEURAL else ():
        parameter.data.mul_(6)  # so that the answer depends on all that was read
    prompts = [[1, 2, 3], [4], [5, 6]]
    answers = model.generate(prompts, 12, seed=7)
    torch.manual_seed(99)
    assert model.generate(prompts, 12, seed=7) == answers
    for row, prompt in enumerate(prompts):
        assert model.generate(prompt, 12, seed=7 + row) == answers[row]
    assert model.generate([1], 12, seed=1) != model.generate([1], 12, seed=2)
    assert [len(answer) for answer in answers] == [12, 12, 12]
    assert list(model.stream([4], 12, seed=8)) == answers[1]
    assert list(zip(*model.stream(prompts, 12, seed=7), strict=True)) == [tuple(a) for a in answers]


@every
def test_greedy_and_top_k(name):
    """Catches a greedy choice that is drawn, a top_k off by one."""
    model = MAKERS[name]()
    best = model.next_log_probs([3, 1]).argsort(descending=True).tolist()
    assert model.generate([3, 1], 1, temperature=0) == best[:1]
    assert model.generate([3, 1], 9, top_k=1, seed=3) == model.generate([3, 1], 9, temperature=0)
    assert model.generate([3, 1], 9, top_k=V, seed=3) == model.generate([3, 1], 9, seed=3)
    drawn = model.generate([[3, 1]] * 100, 1, top_k=4, temperature=3.0, seed=0)
    assert {answer[0] for answer in drawn} == set(best[:4])


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
def test_draws_follow_the_tempered_distribution(temperature):
    """Catches a temperature that multiplies, a probability that is renormalised wrongly."""
    log_p = torch.randn(V, dtype=torch.float64).log_softmax(0)
    rows = 4000
    drawn = torch.tensor(Sampler(V, rows, temperature, seed=0).draw(log_p.expand(rows, V)))
    expected = log_p.exp() ** (1 / temperature)
    share = torch.bincount(drawn, minlength=V) / rows
    assert (share - expected / expected.sum()).abs().max() < 0.03


@pytest.mark.parametrize("temperature", [1e-5, 1e-308, 5e-324])
def test_the_smallest_temperatures_are_greedy(temperature):
    """Catches scores that all overflow, so that the last token is drawn whatever the model says."""
    log_p = torch.randn(5, V, dtype=torch.float64).log_softmax(-1)
    for top_k in (None, 3):
        drawn = Sampler(V, 5, temperature, top_k, seed=0).draw(log_p)
        assert drawn == log_p.argmax(-1).tolist()


def test_the_nucleus_is_the_fewest_that_are_enough():
    """Catches a nucleus without the token that completes it, one taken before top_k, and one that
    another machine's way of sorting would fill with others."""
    p = torch.tensor([0.1, 0.4, 0.2, 0.3], dtype=torch.float64)
    kept = {
        0.3: [0, 1, 0, 0], 0.41: [0, 4, 0, 3], 0.7: [0, 4, 0, 3], 0.75: [0, 4, 2, 3],
        1.0: [1, 4, 2, 3],
    }  # fmt: skip
    for top_p, parts in kept.items():
        expected = torch.tensor(parts, dtype=torch.float64)
        found = shaped(p.log(), 1.0, top_p=top_p)
        torch.testing.assert_close(found, expected / expected.sum())
    both = shaped(p.log(), 1.0, top_k=3, top_p=0.8)  # of 0.4, 0.3, 0.2 the first two have 7/9
    assert (both > 0).tolist() == [False, True, True, True]
    alike = shaped(torch.full((50,), 1 / 50).log(), 1.0, top_p=0.495)
    assert (alike > 0).tolist() == 25 * [True] + 25 * [False]  # of equal ones the first, everywhere
    model = MAKERS["lstm"]()
    greedy = model.generate([3, 1], 9, temperature=0)
    assert model.generate([3, 1], 9, top_p=1e-9, seed=3) == greedy
    with pytest.raises(ValueError, match="top_p"):
        model.generate([3, 1], 9, top_p=0.0)


@every
def test_stop(name):
    """Catches a stop token that is returned, or that stops the whole batch."""
    model = MAKERS[name]()
    free = model.generate([2], 30, seed=4)
    stop = free[5]
    short = free[: free.index(stop)]
    assert model.generate([2], 30, stop=stop, seed=4) == short
    assert model.generate([2], 30, stop={stop}, seed=4) == short
    both = model.generate([[2], [2, 3]], 30, stop=[stop], seed=4)
    assert both[0] == short
    assert both[1] == model.generate([2, 3], 30, stop=stop, seed=5)
    assert model.generate([2], 30, stop=[], seed=4) == free
    assert model.generate([2], 30, stop=torch.tensor(stop), seed=4) == short
    assert model.generate([2], 0) == []


@every
@pytest.mark.parametrize("temperature", [0, 1.5])
def test_what_must_never_be_said(name, temperature):
    """Catches a forbidden token that is drawn, or that takes a place of the top_k."""
    model = MAKERS[name]()
    best = model.next_log_probs([3, 1]).argsort(descending=True).tolist()
    assert model.generate([3, 1], 1, temperature=0, never=best[0]) == best[1:2]
    drawn = model.generate([[3, 1]] * 60, 1, temperature, top_k=2, seed=0, never=set(best[:3]))
    assert {answer[0] for answer in drawn} == set(best[3:4] if temperature == 0 else best[3:5])
    only = best[7]
    others = [token for token in range(V) if token != only]
    assert model.generate([3, 1], 4, temperature, top_k=5, never=others) == [only] * 4
    assert list(model.stream([3, 1], 4, temperature, never=others)) == [only] * 4
    free = model.generate([2], 9, temperature, seed=4)
    assert model.generate([2], 9, temperature, seed=4, never=[]) == free
    words = MAKERS[name](Vocabulary(["<unk>", *"abcdefghijkl"]))
    answers = words.generate([["a"], ["b"]], 40, 2.0, seed=1, never="<unk>")
    assert len(set(answers[0] + answers[1])) > 5
    assert "<unk>" not in answers[0] + answers[1]


def test_the_others_share_the_probability_of_what_is_never_said():
    """Catches a forbidden token's probability that falls to one neighbour, or is lost."""
    log_p, rows = torch.randn(V, dtype=torch.float64).log_softmax(0), 4000
    expected = log_p.exp().index_fill(0, torch.tensor([0, 5, V - 1]), 0)
    left = without(log_p.expand(3, V), {0, 5, V - 1}).exp()
    torch.testing.assert_close(left, (expected / expected.sum()).expand(3, V))
    sampler = Sampler(V, rows, seed=0, never={0, 5, V - 1})
    share = torch.bincount(torch.tensor(sampler.draw(log_p.expand(rows, V))), minlength=V) / rows
    assert (share - expected / expected.sum()).abs().max() < 0.03
    certain = torch.full((1, V), -math.inf).index_fill(1, torch.tensor([5]), 0.0)
    with pytest.raises(ValueError, match="nothing is left to say"):
        sampler.draw(certain)


@every
def test_bad_input_gets_an_answer(name):
    """Catches silence, or an error from deep inside, where the reader needs to know what to do."""
    model = MAKERS[name]()
    for call, message in (
        (lambda: model.generate([], 5), "prompt is empty"),
        (lambda: model.generate([[1], []], 5), "prompt is empty"),
        (lambda: model.generate([V], 5), f"token {V} is not one of the {V}"),
        (lambda: model.generate([-1], 5), "token -1"),
        (lambda: model.generate([1], -1), "max_tokens"),
        (lambda: model.generate([1], 5, temperature=-0.1), "temperature"),
        (lambda: model.generate([1], 5, temperature=math.nan), "temperature"),
        (lambda: model.generate([1], 5, top_k=V + 1), "top_k"),
        (lambda: model.generate([1], 5, top_k=0), "top_k"),
        (lambda: model.stream([1], 5, top_k=0), "top_k"),
        (lambda: model.generate([1], 5, stop=V), f"token {V}"),
        (lambda: model.generate([1], 5, never=V), f"token {V}"),
        (lambda: model.stream([1], 5, never=range(V)), "nothing is left to say"),
        (lambda: model.perplexity([1]), "two tokens"),
        (lambda: model.next_log_probs([]), "prompt is empty"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    for call, message in (
        (lambda: model.generate(["the"], 5), "Vocabulary"),
        (lambda: model.generate([1.7], 5), "whole numbers"),
        (lambda: model.generate([1], 5, stop=2.5), "whole numbers"),
        (lambda: model.generate(1, 5), "sequence of tokens"),
        (lambda: model.generate(None, 5), "sequence of tokens"),
        (lambda: model.generate(torch.tensor(1), 5), "sequence of tokens"),
    ):
        with pytest.raises(TypeError, match=message):
            call()


@every
def test_words_in_words_out(name):
    """Catches numbers where the reader gave words; an unknown word is <unk>, or refused."""
    vocabulary = Vocabulary(["<unk>", *"abcdefghijkl"])
    model = MAKERS[name](vocabulary)
    answer = model.generate(["a", "b"], 6, seed=1)
    assert set(answer) <= set(vocabulary.tokens)
    assert vocabulary.encode(answer).tolist() == model.generate([1, 2], 6, seed=1)
    assert model.generate(["zebra"], 6, seed=1) == model.generate(["<unk>"], 6, seed=1)
    strict = MAKERS[name](Vocabulary([*"abcdefghijklm"], unknown=None))
    with pytest.raises(ValueError, match="zebra"):
        strict.generate(["zebra"], 6)


def test_models_refuse_what_makes_no_sense():
    """Catches a model built on nothing."""
    for call, message in (
        (lambda: NGramLM(V).fit([]), "corpus is empty"),
        (lambda: NGramLM(V).fit([1, 2]), "no 3-gram"),
        (lambda: NGramLM(V, 0), "order"),
        (lambda: NGramLM(V).perplexity([1, 2]), "call fit"),
        (lambda: NGramLM(V).generate([1], 2), "call fit"),
        (lambda: WindowLM(V, window=0), "window"),
        (lambda: WindowLM(0), "at least one token"),
        (lambda: RecurrentLM(-3), "at least one token"),
        (lambda: RecurrentLM(V, "rnn"), "'elman', 'gru', 'lstm'"),
        (lambda: RecurrentLM(V, width=3, hidden=5, tied=True), "width == hidden"),
    ):
        with pytest.raises(ValueError, match=message):
            call()


@pytest.mark.parametrize("make", [NGramLM, WindowLM, RecurrentLM])
def test_a_vocabulary_is_a_number_or_numbers_tokens(make):
    """Catches a text taken for a vocabulary (a str has an `encode`), and a plain list of words."""
    for wrong in ("the cat", ["the", "cat"], 2.5, None):
        with pytest.raises(TypeError, match=r"Vocabulary\.of"):
            make(wrong)


def test_window_is_bengios_equation():
    """Catches a window in the wrong order, or one token too short."""
    model = WindowLM(V, window=3, width=5, hidden=7, direct=True).double()
    text = TEXT[:6]
    logits, _ = model(text[:, None])
    E = model.embedding.weight
    x = torch.cat([E[text[2]], E[text[3]], E[text[4]]])
    y = model.output(torch.tanh(model.hidden(x))) + model.direct.weight @ x
    torch.testing.assert_close(logits[4, 0], y)
    first = torch.cat([E[V], E[V], E[text[0]]])
    y = model.output(torch.tanh(model.hidden(first))) + model.direct.weight @ first
    torch.testing.assert_close(logits[0, 0], y)


@neural
def test_pieces_of_a_stream_are_the_whole(name):
    """Catches a state that does not carry on, the ground of truncated BPTT."""
    model = MAKERS[name]().double().eval()
    tokens = TEXT[:24].view(8, 3)
    whole, end = model(tokens)
    first, state = model(tokens[:5])
    second, last = model(tokens[5:], state)
    torch.testing.assert_close(torch.cat([first, second]), whole)
    for a, b in zip(last, end, strict=True):
        torch.testing.assert_close(a, b)


def test_tied_softmax_is_one_matrix():
    """Catches a copy that drifts apart in training or in a deep copy."""
    model = copy.deepcopy(RecurrentLM(V, "gru", 7, 7, tied=True))
    assert model.output.weight is model.embedding.weight
    tokens = TEXT[:12].view(6, 2)
    model(tokens)[0].logsumexp(-1).sum().backward()
    plain = sum(p.numel() for p in RecurrentLM(V, "gru", 7, 7).parameters())
    assert sum(p.numel() for p in model.parameters()) == plain - V * 7
    assert (model.embedding.weight.grad != 0).all()


@neural
def test_learns_a_stream(name):
    """Catches gradients that do not arrive: a repeating text is learned, a ragged tail ignored."""
    text = torch.arange(V).repeat(20)
    model = MAKERS[name]()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.03)
    before, state = model.perplexity(text), None
    for _ in range(12):
        for piece in Stream(text, 4, 9):
            logits, state = model(piece.tokens, state)
            loss = torch.nn.functional.cross_entropy(
                logits.flatten(0, 1), piece.targets.flatten(), ignore_index=IGNORED
            )
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            state = tuple(s.detach() for s in state) if isinstance(state, tuple) else state.detach()
    assert before == pytest.approx(V, rel=0.15)
    assert model.training
    assert model.perplexity(text) < 4


@neural
def test_meta_device_with_autocast(name):
    """Catches a tensor made on the CPU by accident."""
    with torch.device("meta"):
        model, tokens = MAKERS[name](), torch.zeros(7, 3, dtype=torch.long)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits, state = model(tokens)
        logits, state = model(tokens, state)
    parts = state if isinstance(state, tuple) else (state,)
    assert {part.device.type for part in (logits, *parts)} == {"meta"}
    assert logits.shape == (7, 3, V)


@neural
def test_bfloat16_autocast(name):
    """Catches a type clash under autocast."""
    model, tokens = MAKERS[name]().eval(), TEXT[:21].view(7, 3)
    exact, _ = model(tokens)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits, state = model(tokens)
        model(tokens, state)
    torch.testing.assert_close(logits.float(), exact, atol=0.05, rtol=0.05)


# torch.compile looks at .grad of what it inlines, and warns itself of that
@pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor")
@neural
def test_save_load_and_compile(name, tmp_path):
    """Catches parameters that do not come back; without pickling."""
    model, fresh = MAKERS[name]().eval(), MAKERS[name]().eval()
    shared = {key: value.clone() for key, value in model.state_dict().items()}
    save_file(shared, tmp_path / "model.safetensors")
    fresh.load_state_dict(load_file(tmp_path / "model.safetensors"))
    tokens = TEXT[:21].view(7, 3)
    assert torch.equal(fresh(tokens)[0], model(tokens)[0])
    torch.compiler.reset()
    assert torch.allclose(torch.compile(model, backend="eager")(tokens)[0], model(tokens)[0])


def test_trace_shows_the_gates_of_a_language_model():
    """Catches a trace of something other than what the model computes."""
    model = RecurrentLM(V, "lstm", 5, 7, layers=2).eval()
    tokens = TEXT[:21].view(7, 3)
    with torch.no_grad():
        top = model.trace(tokens)[-1]
        torch.testing.assert_close(model.output(top.h), model(tokens)[0])


@neural
def test_training_loop_and_scores_agree(name):
    """Catches a stream loss and a perplexity that measure different things."""
    model = MAKERS[name]()
    fit(model, Stream(TEXT, 4, 9), StreamLoss(), steps=20, progress=False, device="cpu")
    loss = mean_stream_loss(model.eval(), Stream(TEXT, 1, 50))
    assert math.exp(loss) == pytest.approx(model.perplexity(TEXT), rel=1e-5)


@pytest.mark.parametrize("shape", [(V,), (3, V), (2, 3, V)])
def test_what_is_forbidden_is_so_in_every_row(shape):
    """Catches an axis counted from the front: one row of words, or rows of rows."""
    log_p = torch.randn(shape).log_softmax(dim=-1)
    found = without(log_p, [1, 3]).exp()
    kept = log_p.exp()
    kept[..., [1, 3]] = 0
    torch.testing.assert_close(found, kept / kept.sum(dim=-1, keepdim=True))
