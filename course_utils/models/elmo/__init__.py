"""ELMo: a bidirectional language model over characters, and what a task does with its layers."""

from course_utils.models.elmo.batch import batch_to_ids
from course_utils.models.elmo.bilm import BiLM
from course_utils.models.elmo.characters import BOS, EOS
from course_utils.models.elmo.downstream import Elmo, ElmoOutput
from course_utils.models.elmo.fast.packed import PackedBiLM
from course_utils.models.elmo.language import BiLanguageModel
from course_utils.models.elmo.options import OFFICIAL, Options, count_parameters
from course_utils.models.elmo.pooling import pool, pool_spans
from course_utils.models.elmo.projected_lstm import ProjectedLSTM, projected_lstm_step
from course_utils.models.elmo.scalar_mix import ScalarMix
from course_utils.models.elmo.state import BiLMOutput, BiLMState

__all__ = [
    "BOS",
    "EOS",
    "OFFICIAL",
    "BiLM",
    "BiLMOutput",
    "BiLMState",
    "BiLanguageModel",
    "Elmo",
    "ElmoOutput",
    "Options",
    "PackedBiLM",
    "ProjectedLSTM",
    "ScalarMix",
    "batch_to_ids",
    "count_parameters",
    "pool",
    "pool_spans",
    "projected_lstm_step",
]
