"""Read a padded batch from the left, from the right, or both ways, with stacked layers.

Padding comes after a sentence. A forward layer meets it only at the end; a backward layer would
meet it first, so it reads each sentence reversed within its own length. Then no packing is needed,
the layers run at full speed on a CPU, and no real word is affected by the amount of padding.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from course_utils.models.layers.recurrent import CELLS
from course_utils.models.layers.sequences import reverse_time
from course_utils.models.tagging.batch import mask_of

DIRECTIONS = ("forward", "backward", "both", "window")


class Encoder(nn.Module):
    """(B, T, D) and lengths to (B, T, H), zero on padding.

    With "both", half of the `hidden` units of every layer read in each direction. A "window" sees
    two words on either side and has no state: it is the baseline for the others.

    Dropout is variational (Gal & Ghahramani 2016): one mask per sentence and layer, the same at
    every step, so a unit is dropped for the whole sentence. The draw does not depend on T.
    """

    def __init__(
        self,
        inputs: int,
        hidden: int = 64,
        layers: int = 1,
        cell: str = "lstm",
        direction: str = "both",
        dropout: float = 0.0,
    ):
        super().__init__()
        if direction not in DIRECTIONS:
            raise ValueError(
                f"direction must be one of {', '.join(map(repr, DIRECTIONS))}, not {direction!r}"
            )
        if direction == "both" and hidden % 2:
            raise ValueError(f"two directions share the hidden units: {hidden} is odd")
        self.direction, self.hidden = direction, hidden
        self.dropout = VariationalDropout(dropout)
        ways = {"both": ("ahead", "back"), "forward": ("ahead",), "backward": ("back",)}
        self.ways = ways.get(direction, ())
        widths = [inputs, *[hidden] * (layers - 1)]
        units = hidden // len(self.ways) if self.ways else hidden
        self.layers = nn.ModuleList()
        for width in widths:
            layer = nn.ModuleDict()
            for way in self.ways:
                layer[way] = CELLS[cell](width, units, batch_first=True)
            if not self.ways:
                layer["window"] = nn.Conv1d(width, hidden, 5, padding=2)
            self.layers.append(layer)

    def forward(self, x: Tensor, lengths: Tensor) -> Tensor:
        """Return each word's vector in the context of its sentence."""
        return self.read_layers(x, lengths)[-1]

    def read_layers(self, x: Tensor, lengths: Tensor) -> list[Tensor]:
        """Return (B, T, H) of every layer, from the lowest to the highest."""
        real = mask_of(lengths, x.shape[1]).unsqueeze(-1)
        found, x = [], x * real
        for layer in self.layers:
            assert isinstance(layer, nn.ModuleDict)
            x = self.dropout(x)
            x = self._read(layer, x, lengths) * real
            found.append(x)
        return found

    def _read(self, layer: nn.ModuleDict, x: Tensor, lengths: Tensor) -> Tensor:
        if not self.ways:
            seen: Tensor = layer["window"](x.transpose(1, 2)).transpose(1, 2)
            return torch.tanh(seen)
        states = []
        for way in self.ways:
            if way == "ahead":
                states.append(layer[way](x)[0])
            else:
                states.append(turned(layer[way](turned(x, lengths))[0], lengths))
        return torch.cat(states, dim=-1) if len(states) > 1 else states[0]

    def load_halves(self, bidirectional: nn.RNNBase) -> None:
        """Load the weights of a bidirectional torch.nn layer of the same sizes."""
        for number, layer in enumerate(self.layers):
            assert isinstance(layer, nn.ModuleDict)
            for way, suffix in (("ahead", ""), ("back", "_reverse")):
                for name, own in layer[way].named_parameters():
                    ending = f"_l{number}{suffix}"
                    given = getattr(bidirectional, name.removesuffix("_l0") + ending)
                    own.data.copy_(given)


class VariationalDropout(nn.Module):
    """Drop features for a whole sentence at a time."""

    def __init__(self, rate: float):
        super().__init__()
        if not 0 <= rate < 1:
            raise ValueError(f"a dropout rate is at least 0 and below 1, not {rate}")
        self.rate = rate

    def forward(self, x: Tensor) -> Tensor:
        """Return (B, T, D) with the same features dropped at every step of a sentence."""
        if not (self.training and self.rate):
            return x
        kept = x.new_empty(x.shape[0], 1, x.shape[2]).bernoulli_(1 - self.rate)
        return x * kept / (1 - self.rate)


def turned(x: Tensor, lengths: Tensor) -> Tensor:
    """Return (B, T, D) with every sentence reversed within its own length."""
    return reverse_time(x.transpose(0, 1), lengths).transpose(0, 1)
