"""A drawn table in a page: what stands where."""

from __future__ import annotations

import pytest

from course_utils.plots.table import draw_table

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAPER = '<div style="width: 600px; overflow: auto; font: 16px sans-serif">{}</div>'


def test_a_title_is_as_wide_as_it_needs_and_the_table_is_not(browser):
    """Catches a title in four lines above two short columns, and columns drawn apart by it.

    And one that pushes a narrow page to the side.
    """
    page = browser.new_page(viewport={"width": 640, "height": 400})
    rows = [["layer 1", 0.39], ["layer 2", 0.25]]
    heights, widths = [], []
    for title in ("Less alike", "The higher the layer, the less alike are the two"):
        page.set_content(PAPER.format(draw_table(title, ["", "cosine"], rows)._repr_html_()))
        heights.append(page.locator("caption").bounding_box()["height"])
        widths.append(page.locator("tbody").bounding_box()["width"])
        div = page.locator("div").element_handle()
        assert div.evaluate("node => node.scrollWidth === node.clientWidth")
    page.close()
    assert heights[0] == heights[1]
    assert widths[0] == widths[1]
