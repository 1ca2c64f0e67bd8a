"""One module per family of models; a module placed here that registers a recipe is found."""
