"""The exercises, one module a lecture: reference, cases, misconceptions, hints."""
