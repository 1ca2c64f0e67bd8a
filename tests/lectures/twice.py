"""Let nbval execute each cell twice in a row, in one kernel: `-p tests.lectures.twice`."""

from __future__ import annotations

import pytest
from nbval.plugin import IPyNbCell, NbCellError


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Run a cell once more after nbval has; an error is one either time, whatever its tags say."""
    if not isinstance(item, IPyNbCell):
        return (yield)
    item.options.clear()  # a lecture holds no cell that may fail, or that need not run
    ran = yield
    try:
        item.runtest()
    except NbCellError as error:
        said = f"the second time: {error}"
        raise NbCellError(
            error.cell_num, said, error.source, traceback=error.inner_traceback
        ) from error
    return ran
