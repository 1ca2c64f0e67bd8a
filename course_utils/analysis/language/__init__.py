"""Measure language models."""
