"""An n-gram model over two million words: seconds to count them, and memory."""

from __future__ import annotations

import multiprocessing
import time

from tests.benchmarks.measure import Row, high_water

WORDS, ORDER = 2_000_000, 5


def rows() -> list[Row]:
    """Count in a fresh process, so that its peak memory is its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        seconds, gigabytes, perplexity = pool.apply(count_english)
    return [
        Row(f"{ORDER}-grams of {WORDS:,} words", seconds, "<= 10", unit="s"),
        Row("peak memory of counting", gigabytes, "<= 1.0", unit="GB"),
        Row("perplexity on held-out speeches", perplexity, unit=""),
    ]


def count_english() -> tuple[float, float, float]:
    """Return seconds to count, peak gigabytes, and held-out perplexity of the English corpus."""
    from course_utils.data.english import english, token_stream
    from course_utils.data.vocabulary import Vocabulary
    from course_utils.models import NGramLM

    parts = english(1790, 2026)
    train = token_stream(parts.train)
    train = (train + token_stream(parts.valid))[:WORDS]
    vocabulary = Vocabulary.of(train, size=10_000)
    text = vocabulary.encode(train)
    start = time.perf_counter()
    model = NGramLM(vocabulary, ORDER).fit(text)
    seconds = time.perf_counter() - start
    perplexity = model.perplexity(token_stream(parts.test))
    return seconds, high_water() / 1e9, perplexity
