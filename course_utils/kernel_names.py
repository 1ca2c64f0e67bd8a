"""Call the course's kernel by the course's name, so that it can be told from others in a menu."""

from __future__ import annotations

import sys
from pathlib import Path

from jupyter_client.kernelspec import KernelSpec, KernelSpecManager

NAME = "Recurrent networks course"
PYTHON3 = "python3"  # what every lecture asks for, here, in VS Code and in anybody's CI


class CourseKernels(KernelSpecManager):
    """The kernels of this machine, of which the one of this Python has the course's name."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        """Return a kernel as it is installed; only its display name is ours."""
        spec = super().get_kernel_spec(kernel_name)
        if kernel_name == PYTHON3 and _is_this_python(spec.argv[0]):
            spec.display_name = NAME
        return spec


def _is_this_python(program: str) -> bool:
    """Return whether Jupyter starts this Python: a bare name means the one that it runs in."""
    bare = ("python", "python3", f"python3.{sys.version_info.minor}")
    return program in bare or Path(program) == Path(sys.executable)
