"""The published ELMo files: options.json and HDF5 weights, read and written."""
