"""Pictures as shapes: what matplotlib would draw, written as SVG, artist by artist."""
