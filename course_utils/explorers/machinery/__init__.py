"""What every explorer is made of: controls, a canvas, the page's side of it."""
