"""Recurrent networks from vanishing gradients to ELMo: the package behind the lectures.

Nothing is imported here on purpose: `import course_utils` costs milliseconds, and every lecture
names what it uses.
"""

__version__ = "0.2.0"
