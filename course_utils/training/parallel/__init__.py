"""The same run on many processes: copies that share gradients, or shares of one model."""
