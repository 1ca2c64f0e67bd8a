"""The lectures as pages that live without a kernel: from a folder, offline, on a phone."""
