"""What a recipe is, how it is run, and what it leaves: a trained model with a card."""
