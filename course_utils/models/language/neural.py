"""What neural language models share: scoring a long text in pieces, and a near-uniform start."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from course_utils.models.language.language_model import (
    LanguageModel,
    TokenNumbers,
    Tokens,
    check_vocabulary,
)
from course_utils.models.quiet import quiet

PIECE = 256  # steps scored at once: bounds the memory of (T, V) logits


class NeuralLM(LanguageModel, nn.Module):
    """A module that maps (tokens (T, B), state) to (logits (T, B, V), state)."""

    def __init__(self, vocabulary: int | TokenNumbers):
        super().__init__()
        self.vocabulary = check_vocabulary(vocabulary)

    def start_small(self, *modules: nn.Embedding | nn.Linear) -> None:
        """Draw weights so small that the first predictions are near 1 / V for every token."""
        for module in modules:
            nn.init.uniform_(module.weight, -0.05, 0.05)

    def log_probs(self, tokens: Tokens) -> Tensor:
        """Return log p(token | all before it) for all tokens but the first, without gradients."""
        text = self._text(tokens).to(self.device)
        with quiet(self):
            return self._scored(text)

    def _scored(self, tokens: Tensor) -> Tensor:
        found, state = [], None
        for first in range(0, len(tokens) - 1, PIECE):
            now = tokens[first : first + PIECE + 1]
            logits, state = self(now[:-1, None], state)  # (T, 1, V)
            found.append(-cross_entropy(logits[:, 0].float(), now[1:], reduction="none"))
        return torch.cat(found)

    @property
    def device(self) -> torch.device:
        """Return where the parameters are."""
        return next(self.parameters()).device

    def one_step(self, tokens: Tensor) -> Tensor:
        """Return one token per row as (1, B), where the parameters are."""
        return tokens.to(self.device).unsqueeze(0)
