"""The numbers behind a picture, for those who would rather read them."""

from __future__ import annotations

from course_utils.plots.table import MOST_ROWS, Table, table_html

__all__ = ["MOST_ROWS", "Table", "table_html"]
