"""Train many small recurrent networks as one batched model."""
