"""Reference networks: readable code that runs at PyTorch's full speed."""

from course_utils.models.language import LanguageModel, NGramLM, RecurrentLM, WindowLM
from course_utils.models.layers.recurrent import GRU, LSTM, Elman
from course_utils.models.steps import (
    ElmanStep,
    GRUStep,
    LSTMState,
    LSTMStep,
    State,
    Weights,
    elman_step,
    gru_step,
    lstm_step,
)

__all__ = [
    "GRU",
    "LSTM",
    "Elman",
    "ElmanStep",
    "GRUStep",
    "LSTMState",
    "LSTMStep",
    "LanguageModel",
    "NGramLM",
    "RecurrentLM",
    "State",
    "Weights",
    "WindowLM",
    "elman_step",
    "gru_step",
    "lstm_step",
]
