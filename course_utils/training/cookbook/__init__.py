"""One module a family of models; a module that is put here and registers a recipe is found."""
