"""Lectures as pages: cells, slides, a presenter's notes, the HTML export."""
