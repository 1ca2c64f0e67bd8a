"""What a recipe is, how to run it, and what it produces: a trained model with a card."""
