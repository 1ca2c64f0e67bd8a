"""Lecture 09: a highway layer, a direction that peeks, embeddings and parameters counted, a mix."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.exercise import Exercise, Misconception

Filters = Sequence[tuple[int, int]]  # (width in letters, how many)
ROWS = 261  # of the character table: 256 bytes and five marks


def highway(x: Tensor, W_g: Tensor, b_g: Tensor, W_t: Tensor, b_t: Tensor) -> Tensor:
    """Return g t + (1 - g) x, with g = sigmoid(W_g x + b_g) and t = relu(W_t x + b_t)."""
    return _highway(x, W_g, b_g, W_t, b_t)


def peeking(sight: Tensor, direction: str) -> list[int]:
    """Return the outputs that depend on a token which they are to predict, or that lies behind."""
    return _outputs(sight, direction, 1)


def count_embeddings(sentences: Sequence[Sequence[str]], word: str, L: int) -> int:
    """Return how many different vectors ELMo has for a word, each sentence read on its own."""
    return _counted(lambda uses, L: bool(uses) + L * len({*uses}))(sentences, word, L)


def scalar_mix(layers: Tensor, w: Tensor, gamma: float) -> Tensor:
    """Return gamma times the sum of the layers, weighed by softmax(w)."""
    return gamma * torch.tensordot(torch.softmax(w, dim=0), layers, dims=1)


def count_bilm_parameters(D: int, filters: Filters, H: int, P: int, C: int, L: int) -> int:
    """Return how many numbers a biLM without its softmax has."""
    return _parameters(D, filters, H, P, C, L)


def _highway(
    x: Tensor,
    W_g: Tensor,
    b_g: Tensor,
    W_t: Tensor,
    b_t: Tensor,
    squash: Callable[[Tensor], Tensor] = torch.relu,
    gate: Callable[[Tensor], Tensor] = torch.sigmoid,
) -> Tensor:
    g = gate(x @ W_g.T + b_g)
    return g * squash(x @ W_t.T + b_t) + (1 - g) * x


def _with(
    squash: Callable[[Tensor], Tensor] = torch.relu,
    gate: Callable[[Tensor], Tensor] = torch.sigmoid,
) -> Callable:
    return lambda x, W_g, b_g, W_t, b_t: _highway(x, W_g, b_g, W_t, b_t, squash, gate)


def _carried(x: Tensor, W_g: Tensor, b_g: Tensor, W_t: Tensor, b_t: Tensor) -> Tensor:
    g = torch.sigmoid(x @ W_g.T + b_g)
    return g * x + (1 - g) * torch.relu(x @ W_t.T + b_t)


def _residual(x: Tensor, W_g: Tensor, b_g: Tensor, W_t: Tensor, b_t: Tensor) -> Tensor:
    return torch.sigmoid(x @ W_g.T + b_g) * torch.relu(x @ W_t.T + b_t) + x


def _gated_only(x: Tensor, W_g: Tensor, b_g: Tensor, W_t: Tensor, b_t: Tensor) -> Tensor:
    return torch.sigmoid(x @ W_g.T + b_g) * torch.relu(x @ W_t.T + b_t)


def _outputs(sight: Tensor, direction: str, first: int, least: float = 0.0) -> list[int]:
    """Return rows with an entry above `least` beyond the `first` column off the diagonal."""
    own = sight if direction == "forward" else sight.T
    far = own.triu(first) if direction == "forward" else own.triu(first).T
    return [k for k, row in enumerate(far) if bool((row > least).any())]


def _next_only(sight: Tensor, direction: str) -> list[int]:
    step = 1 if direction == "forward" else -1
    T = len(sight)
    return [k for k in range(T) if 0 <= k + step < T and sight[k, k + step] > 0]


def _seen_inputs(sight: Tensor, direction: str) -> list[int]:
    far = sight.triu(1) if direction == "forward" else sight.tril(-1)
    return [j for j, column in enumerate(far.T) if bool((column > 0).any())]


def _honest(sight: Tensor, direction: str) -> list[int]:
    found = peeking(sight, direction)
    return [k for k in range(len(sight)) if k not in found]


def _counted(
    total: Callable[[list, int], int], fold: Callable[[str], str] = str, place: bool = True
) -> Callable:
    def count(sentences: Sequence[Sequence[str]], word: str, L: int) -> int:
        uses = [
            (tuple(sentence), k if place else 0)
            for sentence in sentences
            for k, token in enumerate(sentence)
            if fold(token) == fold(word)
        ]
        return int(total(uses, L))

    return count


def _parameters(
    D: int, filters: Filters, H: int, P: int, C: int, L: int, *, rows: int = ROWS,
    filter_biases: bool = True, highway: int = 2, down: bool = True, biases: int = 1,
    up: bool = True, directions: int = 2, wide: bool = False, highway_biases: bool = True,
) -> int:  # fmt: skip
    F = sum(count for _, count in filters)
    letters = rows * D + sum(count * (width * D + filter_biases) for width, count in filters)
    between = H * highway * (F * F + highway_biases * F) + down * (F * P + P)
    state = C if wide else P
    lstm = 4 * C * (P + state + biases) + up * C * P
    return letters + between + directions * L * lstm


def _wrong_count(**what) -> Callable:
    return lambda D, filters, H, P, C, L: _parameters(D, filters, H, P, C, L, **what)


def _highways() -> list[tuple]:
    return [
        (some(B, F, seed=F), some(F, F, seed=F + 1), some(F, seed=F + 2), some(F, F, seed=F + 3),
         some(F, seed=F + 4))
        for B, F in ((2, 3), (7, 5))
    ]  # fmt: skip


def _sights() -> list[tuple[Tensor, str]]:
    """Return matrices of honest readers in which some outputs peek, one of them very little."""
    found = []
    for T, direction, leaks in (
        (4, "forward", {(1, 2): 0.5, (2, 3): 1e-7}),
        (5, "backward", {(3, 0): 0.25, (4, 3): 1e-6}),
        (6, "forward", {(0, 4): 0.125}),
        (7, "backward", {}),
    ):
        values = some(T, T, seed=T).abs() + 0.1
        sight = values.tril() if direction == "forward" else values.triu()
        for (k, j), value in leaks.items():
            sight[k, j] = value
        found.append((sight, direction))
    return found


SENTENCES = [
    ["the", "bank", "of", "the", "river"],
    ["The", "bank", "is", "closed"],
    ["the", "bank", "of", "the", "river"],
    ["we", "saw", "the", "river"],
    ["the", "bank", "of", "the", "town"],  # from the left the same as the first
]

OFFICIAL_FILTERS = [(1, 32), (2, 32), (3, 64), (4, 128), (5, 256), (6, 512), (7, 1024)]

EXERCISES = (
    Exercise(
        number="9.1",
        task="a highway layer",
        reference=highway,
        takes="x (B, F); W_g, W_t (F, F), rows are outputs; b_g, b_t (F,)",
        gives="a matrix (B, F)",
        cases=_highways,
        gradients=True,
        misconceptions=(
            Misconception(
                "gate on the other branch",
                _carried,
                "Your gate multiplies x, and 1 - g what is transformed. Here g = 1 means "
                "transformed: g t + (1 - g) x. (The published files call g the carry gate all the "
                "same, which has cost many people a day.)",
            ),
            Misconception(
                "no relu",
                _with(squash=lambda t: t),
                "The transformed branch goes through relu.",
            ),
            Misconception(
                "tanh",
                _with(squash=torch.tanh),
                "ELMo's highway uses relu where you use tanh.",
            ),
            Misconception(
                "sigmoid on both",
                _with(squash=torch.sigmoid),
                "Only the gate is a sigmoid. The transformed branch is relu(W_t x + b_t).",
            ),
            Misconception(
                "residual",
                _residual,
                "You add the whole x. A highway passes on only 1 - g of it: what is gained on one "
                "branch is lost on the other.",
            ),
            Misconception(
                "nothing passed on",
                _gated_only,
                "The second half is missing: (1 - g) times x itself.",
            ),
            Misconception(
                "gate without sigmoid",
                _with(gate=lambda t: t),
                "A gate lies between 0 and 1: g = sigmoid(W_g x + b_g).",
            ),
            Misconception(
                "matrices the wrong way round",
                lambda x, W_g, b_g, W_t, b_t: _highway(x, W_g.T, b_g, W_t.T, b_t),
                "Your matrices are transposed: their rows are outputs, so it is x @ W.T.",
            ),
            Misconception(
                "weights exchanged",
                lambda x, W_g, b_g, W_t, b_t: _highway(x, W_t, b_t, W_g, b_g),
                "W_g belongs to the gate, W_t to the branch that is transformed.",
            ),
        ),
        hints=(
            "How much of each feature is transformed, and how much is passed on?",
            "g = sigmoid(x @ W_g.T + b_g), t = relu(x @ W_t.T + b_t).",
            "g * t + (1 - g) * x",
        ),
    ),
    Exercise(
        number="9.2",
        task="find the direction that peeks",
        kind="debug",
        reference=peeking,
        takes='sight (T, T), entry [k, j] is what output k feels of input j; direction: "forward" '
        '(output k predicts token k + 1) or "backward" (token k - 1)',
        gives="a list of outputs, from 0, in rising order; empty if none peeks",
        example=(torch.tensor([[1.0, 0.5], [0.5, 1.0]]), "forward"),
        cases=_sights,
        misconceptions=(
            Misconception(
                "its own token is forbidden",
                lambda sight, direction: _outputs(sight, direction, 0),
                "Output k may read token k: what it predicts is the next one. So the diagonal is "
                "allowed.",
            ),
            Misconception(
                "one direction for both",
                lambda sight, direction: peeking(sight, "forward"),
                "You take every reader for a forward one. Backward, output k predicts token k - 1, "
                "so it may read k and what follows.",
            ),
            Misconception(
                "directions exchanged",
                lambda sight, direction: peeking(
                    sight, "backward" if direction == "forward" else "forward"
                ),
                "Your directions are exchanged: forward, what lies after k is forbidden.",
            ),
            Misconception(
                "rows and columns exchanged",
                _seen_inputs,
                "These are the inputs that are seen. Asked for are the outputs that see them: the "
                "rows.",
            ),
            Misconception(
                "only the next token",
                _next_only,
                "You look at the one token that is to be predicted. What lies behind it is "
                "forbidden as well: it would give the sentence away.",
            ),
            Misconception(
                "small is nothing",
                lambda sight, direction: _outputs(sight, direction, 1, least=1e-3),
                "You pass over small entries. A gradient is exactly 0 where no path leads, and "
                "training will make much of 0.0000001.",
            ),
            Misconception(
                "the honest ones",
                _honest,
                "These are the outputs that do not peek. Asked for are those that do.",
            ),
            Misconception(
                "counted from one",
                lambda sight, direction: [k + 1 for k in peeking(sight, direction)],
                "The right outputs, counted from 1. Places start at 0.",
            ),
        ),
        hints=(
            "Forward: which inputs j may output k not depend on?",
            "Forward j > k, backward j < k. Peeking is any entry there that is not 0.",
            "far = sight.triu(1) if direction == 'forward' else sight.tril(-1); then the rows of "
            "far with a number above 0.",
        ),
    ),
    Exercise(
        number="9.3",
        task="count the embeddings of a word",
        kind="derive",
        reference=count_embeddings,
        takes="sentences: lists of tokens, each read from an empty memory; word; L layers in each "
        "direction",
        gives="a whole number: different vectors, all layers together, each 2P long",
        example=([["a", "bank"], ["the", "bank"]], "bank", 2),
        cases=lambda: [
            (SENTENCES, "bank", 2),
            (SENTENCES, "river", 3),
            (SENTENCES, "the", 2),
            (SENTENCES, "The", 4),
            (SENTENCES, "sea", 2),
        ],
        misconceptions=(
            Misconception(
                "one a word",
                _counted(lambda uses, L: bool(uses)),
                "That is a static table. Only layer 0 is the same in every sentence.",
            ),
            Misconception(
                "one a layer",
                _counted(lambda uses, L: (L + 1) * bool(uses)),
                "That is one vector a layer. Above layer 0 every new context makes a new one.",
            ),
            Misconception(
                "one a use",
                _counted(lambda uses, L: len(uses)),
                "You count uses. Each has a vector in every layer, and layer 0 has one for all of "
                "them.",
            ),
            Misconception(
                "one a different use",
                _counted(lambda uses, L: len({*uses})),
                "You count different uses. Each has a vector in every one of L layers, and one "
                "more stands below them all.",
            ),
            Misconception(
                "from the left only",
                _counted(lambda uses, L: bool(uses) + L * len({s[: k + 1] for s, k in uses})),
                "You tell uses apart by what stands before them. Half of each vector has read "
                "what stands behind.",
            ),
            Misconception(
                "from the right only",
                _counted(lambda uses, L: bool(uses) + L * len({s[k:] for s, k in uses})),
                "You tell uses apart by what stands behind them. Half of each vector has read "
                "what stands before.",
            ),
            Misconception(
                "a vector without a use",
                _counted(lambda uses, L: 1 + L * len({*uses})),
                "Right for words that occur. A word that stands in no sentence is not read, so "
                "not even layer 0 makes a vector for it.",
            ),
            Misconception(
                "layer 0 once a use",
                _counted(lambda uses, L: (L + 1) * len({*uses})),
                "Layer 0 knows the letters only: all uses of the word share one vector there.",
            ),
            Misconception(
                "layer 0 once a use, repeated sentences too",
                _counted(lambda uses, L: (L + 1) * len(uses)),
                "Two things: layer 0 has one vector for all uses, and a sentence that stands there "
                "twice gives the same vectors twice.",
            ),
            Misconception(
                "repeated sentences counted again",
                _counted(lambda uses, L: bool(uses) + L * len(uses)),
                "The same sentence, read again from an empty memory, gives the same vectors: they "
                "are no new ones.",
            ),
            Misconception(
                "once a sentence",
                _counted(lambda uses, L: bool(uses) + L * len({*uses}), place=False),
                "A word may stand in a sentence twice. Its two places have two contexts.",
            ),
            Misconception(
                "halves",
                _counted(lambda uses, L: bool(uses) + 2 * L * len({*uses})),
                "2L + 1 counts the halves. Forward and backward are laid side by side: one vector "
                "a layer.",
            ),
            Misconception(
                "representations of a use",
                _counted(lambda uses, L: (2 * L + 1) * len({*uses})),
                "2L + 1 counts the halves, and layer 0 once a use. Laid side by side there is one "
                "vector a layer, and in layer 0 one for all uses.",
            ),
            Misconception(
                "layer 0 forgotten",
                _counted(lambda uses, L: L * len({*uses})),
                "There is one layer more: layer 0, below all contexts.",
            ),
            Misconception(
                "capitals ignored",
                _counted(lambda uses, L: bool(uses) + L * len({*uses}), fold=str.lower),
                "'The' and 'the' have different letters, so they are two words here.",
            ),
        ),
        hints=(
            "What does the vector of a word depend on in layer 0? And in layer 1?",
            "Layer 0: one for all uses. Above: one for each different pair of sentence and place.",
            "uses = {(tuple(s), k) for s in sentences for k, t in enumerate(s) if t == word}; "
            "then L * len(uses), plus 1 if there are any.",
        ),
    ),
    Exercise(
        number="9.4",
        task="the scalar mix",
        reference=scalar_mix,
        takes="layers (L + 1, T, 2P); w (L + 1,); gamma: a number",
        gives="a matrix (T, 2P)",
        cases=lambda: [
            (some(3, 2, 4, seed=1), some(3, seed=2), 1.5),
            (some(4, 5, 6, seed=3), some(4, seed=4), -0.5),
        ],
        misconceptions=(
            Misconception(
                "no softmax",
                lambda layers, w, gamma: gamma * torch.tensordot(w, layers, dims=1),
                "You use w as it is. The shares are softmax(w): positive, and 1 together.",
            ),
            Misconception(
                "gamma forgotten",
                lambda layers, w, gamma: scalar_mix(layers, w, 1.0),
                "γ is missing: the shares add up to 1, so only γ can scale the vector to the task.",
            ),
            Misconception(
                "gamma inside",
                lambda layers, w, gamma: scalar_mix(layers, gamma * w, 1.0),
                "γ stands before the sum, not inside the softmax: there it would only sharpen it.",
            ),
            Misconception(
                "mean",
                lambda layers, w, gamma: gamma * layers.mean(dim=0),
                "That is the plain mean, which the weights give only while they are equal.",
            ),
            Misconception(
                "mean of the weighted",
                lambda layers, w, gamma: scalar_mix(layers, w, gamma) / len(layers),
                "The shares add up to 1 already: do not divide by the number of layers as well.",
            ),
            Misconception(
                "w over its sum",
                lambda layers, w, gamma: gamma * torch.tensordot(w / w.sum(), layers, dims=1),
                "You divide w by its sum. A softmax takes exp first, so that no share is negative.",
            ),
            Misconception(
                "sigmoid",
                lambda layers, w, gamma: gamma * torch.tensordot(torch.sigmoid(w), layers, dims=1),
                "A sigmoid of each weight does not make shares: they must add up to 1.",
            ),
            Misconception(
                "top layer alone",
                lambda layers, w, gamma: gamma * layers[-1],
                "That is the top layer, as before ELMo. The mix takes all of them.",
            ),
            Misconception(
                "largest share alone",
                lambda layers, w, gamma: gamma * layers[w.argmax()],
                "You choose the layer with the largest weight. The mix takes a share of each.",
            ),
            Misconception(
                "layers side by side",
                lambda layers, w, gamma: (
                    gamma
                    * torch.cat(
                        [s * layer for s, layer in zip(w.softmax(0), layers, strict=True)], dim=-1
                    )
                ),
                "You lay the layers side by side. They are added: the result is as wide as one.",
            ),
        ),
        hints=(
            "How does one make positive shares that add up to 1 out of any numbers?",
            "s = softmax(w); then add s[j] * layers[j] over j.",
            "gamma * (torch.softmax(w, dim=0)[:, None, None] * layers).sum(dim=0)",
        ),
    ),
    Exercise(
        number="9.5",
        task="count the parameters",
        kind="derive",
        reference=count_bilm_parameters,
        takes="D: width of a letter; filters: pairs (width in letters, how many); H highway layers;"
        " P: projection; C cells; L layers in each direction",
        gives="a whole number",
        example=(2, [(1, 3)], 1, 2, 3, 1),
        cases=lambda: [
            (3, [(1, 2), (2, 3)], 1, 4, 7, 1),
            (4, [(1, 3), (2, 5), (3, 6)], 2, 5, 11, 2),
            (16, OFFICIAL_FILTERS, 2, 512, 4096, 2),
        ],
        misconceptions=(
            Misconception(
                "one direction",
                _wrong_count(directions=1),
                "There are two directions, and each has LSTMs of its own.",
            ),
            Misconception(
                "no highway gate",
                _wrong_count(highway=1),
                "A highway layer has two matrices: one transforms, one is the gate.",
            ),
            Misconception(
                "no bias of the filters",
                _wrong_count(filter_biases=False),
                "Every filter has a bias.",
            ),
            Misconception(
                "no bias of the highway",
                _wrong_count(highway_biases=False),
                "The highway's matrices have biases, F numbers each.",
            ),
            Misconception(
                "no projection of the characters",
                _wrong_count(down=False),
                "Between the highway and the LSTMs F features become P numbers: F P + P.",
            ),
            Misconception(
                "no projection of the cells",
                _wrong_count(up=False),
                "Each LSTM projects its C cells to P: another C P, without a bias.",
            ),
            Misconception(
                "state as wide as the cells",
                _wrong_count(wide=True),
                "What an LSTM feeds back is the projected state, P wide, not C.",
            ),
            Misconception(
                "PyTorch's two biases",
                _wrong_count(biases=2),
                "PyTorch's LSTM has two biases where one does. ELMo's has one, 4 C.",
            ),
            Misconception(
                "no bias of the LSTM",
                _wrong_count(biases=0),
                "The four gates have a bias: 4 C numbers in each LSTM.",
            ),
            Misconception(
                "no bias of filters and highway",
                _wrong_count(filter_biases=False, highway_biases=False),
                "Filters and highway layers have biases: one a filter, F for each matrix.",
            ),
            Misconception(
                "256 letters",
                _wrong_count(rows=256),
                "To the 256 bytes come five marks: begin and end of a sentence and of a word, and "
                "padding.",
            ),
            Misconception(
                "262 rows",
                _wrong_count(rows=262),
                "The row of zeros for absent tokens is not learned: 261 rows are.",
            ),
        ),
        hints=(
            "Go along the way of a word: letters, filters, highway, projection, LSTMs.",
            "Letters 261 D; filters width D + 1 each; highway 2 (F F + F) each; projection F P + "
            "P.",
            "Each of 2 L LSTMs has 4 C (P + P + 1) for its gates and C P for its projection.",
        ),
    ),
)
