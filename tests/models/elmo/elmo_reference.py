"""ELMo in NumPy float64, one sentence and one step at a time, from the format's description alone.

It reads the names and layouts of the published files directly and shares no line with the package.
"""

from __future__ import annotations

import numpy as np

SENTENCE_START, SENTENCE_END = "<S>", "</S>"


class ReferenceELMo:
    """The model of an options dictionary and a dictionary of the file's datasets."""

    def __init__(self, options: dict, weights: dict):
        self.lstm, self.cnn = options["lstm"], options["char_cnn"]
        self.weights = {name: np.asarray(w, dtype=np.float64) for name, w in weights.items()}
        self.layers = self.lstm["n_layers"]
        self.state = {}  # (row, direction, layer) -> (c, h)

    def __call__(self, sentences: list[list[str]]) -> list[np.ndarray]:
        """Return for each sentence (L + 1, n, 2P); row b goes on from its last call."""
        return [self.sentence(row, sentence) for row, sentence in enumerate(sentences)]

    def sentence(self, row: int, tokens: list[str]) -> np.ndarray:
        framed = [SENTENCE_START, *tokens, SENTENCE_END]
        x = np.stack([self.token(token) for token in framed])
        ahead = self.direction(row, 0, x)
        back = [layer[::-1] for layer in self.direction(row, 1, x[::-1])]
        levels = [np.concatenate([x, x], axis=1)]
        levels += [np.concatenate(pair, axis=1) for pair in zip(ahead, back, strict=True)]
        return np.stack(levels)[:, 1:-1]

    def direction(self, row: int, d: int, x: np.ndarray) -> list[np.ndarray]:
        outputs = []
        for level in range(self.layers):
            h_all = self.lstm_layer(row, d, level, x)
            residual = level > 0 and self.lstm["use_skip_connections"]
            x = h_all + x if residual else h_all
            outputs.append(x)
        return outputs

    def lstm_layer(self, row: int, d: int, level: int, x: np.ndarray) -> np.ndarray:
        path = f"RNN_{d}/RNN/MultiRNNCell/Cell{level}/LSTMCell"
        W, B = self.weights[f"{path}/W_0"], self.weights[f"{path}/B"]
        W_P = self.weights.get(f"{path}/W_P_0")  # absent: no projection, and no clip of it
        C, P = len(B) // 4, self.lstm["projection_dim"]
        c, h = self.state.get((row, d, level), (np.zeros(C), np.zeros(P)))
        outputs = []
        for x_t in x:
            z = np.concatenate([x_t, h]) @ W + B
            i, j, f, o = z[:C], z[C : 2 * C], z[2 * C : 3 * C], z[3 * C :]
            c = sigmoid(f + 1.0) * c + sigmoid(i) * np.tanh(j)
            if self.lstm["cell_clip"] is not None:
                c = np.clip(c, -self.lstm["cell_clip"], self.lstm["cell_clip"])
            h = sigmoid(o) * np.tanh(c)
            h = h if W_P is None else h @ W_P
            if W_P is not None and self.lstm["proj_clip"] is not None:
                h = np.clip(h, -self.lstm["proj_clip"], self.lstm["proj_clip"])
            outputs.append(h)
        self.state[row, d, level] = (c, h)
        return np.stack(outputs)

    def token(self, token: str) -> np.ndarray:
        x = self.weights["char_embed"][self.characters(token)]  # (M, D)
        pooled = []
        for number, (width, count) in enumerate(self.cnn["filters"]):
            W = self.weights[f"CNN/W_cnn_{number}"][0]  # (width, D, count)
            windows = np.stack([x[p : p + width] for p in range(len(x) - width + 1)])
            found = np.einsum("pwd,wdn->pn", windows, W) + self.weights[f"CNN/b_cnn_{number}"]
            assert found.shape[1] == count
            pooled.append(found.max(axis=0))
        x = np.concatenate(pooled)
        x = np.maximum(x, 0) if self.cnn["activation"] == "relu" else np.tanh(x)
        for k in range(self.cnn["n_highway"]):
            name = f"CNN_high_{k}"
            g = sigmoid(x @ self.weights[f"{name}/W_carry"] + self.weights[f"{name}/b_carry"])
            t = x @ self.weights[f"{name}/W_transform"] + self.weights[f"{name}/b_transform"]
            x = g * np.maximum(t, 0) + (1 - g) * x
        if "CNN_proj/W_proj" not in self.weights:  # as wide already as it should be
            return x
        return x @ self.weights["CNN_proj/W_proj"] + self.weights["CNN_proj/b_proj"]

    def characters(self, token: str) -> list[int]:
        slots = self.cnn["max_characters_per_token"]
        if token == SENTENCE_START:
            inner = [256]
        elif token == SENTENCE_END:
            inner = [257]
        else:
            inner = list(token.encode("utf-8", "ignore")[: slots - 2])
        ids = [258, *inner, 259]
        return ids + [260] * (slots - len(ids))


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def small_options(**lstm) -> dict:
    """Return options with pairwise different sizes, in which both clips bite."""
    return {
        "lstm": {
            "dim": 11,
            "projection_dim": 7,
            "n_layers": 3,
            "cell_clip": 0.6,
            "proj_clip": 0.4,
            "use_skip_connections": True,
            **lstm,
        },
        "char_cnn": {
            "embedding": {"dim": 5},
            "filters": [[1, 3], [2, 4], [5, 6]],
            "activation": "relu",
            "n_highway": 2,
            "n_characters": 262,
            "max_characters_per_token": 50,
        },
    }


def random_weights(options: dict, seed: int = 20, scale: float = 1.0) -> dict[str, np.ndarray]:
    """Return every dataset that the format's table asks for, in its layout, float32."""
    rng = np.random.default_rng(seed)
    lstm, cnn = options["lstm"], options["char_cnn"]
    C, P, D = lstm["dim"], lstm["projection_dim"], cnn["embedding"]["dim"]
    F = sum(count for _, count in cnn["filters"])
    shapes = {"char_embed": (261, D), "CNN_proj/W_proj": (F, P), "CNN_proj/b_proj": (P,)}
    for i, (width, count) in enumerate(cnn["filters"]):
        shapes[f"CNN/W_cnn_{i}"] = (1, width, D, count)
        shapes[f"CNN/b_cnn_{i}"] = (count,)
    for k in range(cnn["n_highway"]):
        for gate in ("carry", "transform"):
            shapes[f"CNN_high_{k}/W_{gate}"] = (F, F)
            shapes[f"CNN_high_{k}/b_{gate}"] = (F,)
    for d in range(2):
        for level in range(lstm["n_layers"]):
            path = f"RNN_{d}/RNN/MultiRNNCell/Cell{level}/LSTMCell"
            shapes[f"{path}/W_0"] = (2 * P, 4 * C)
            shapes[f"{path}/B"] = (4 * C,)
            shapes[f"{path}/W_P_0"] = (C, P)
    return {
        name: (rng.standard_normal(shape) * scale / np.sqrt(max(shape[-2:-1], default=4))).astype(
            np.float32
        )
        for name, shape in shapes.items()
    }
