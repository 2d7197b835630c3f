"""micrograde: grades a hand-written `Value`, the scalar that remembers how it was computed.

A check asks an engine to run a program and compares what was observed with arithmetic.
The verb is `grader.grading.grade(submission, lesson) -> Report`; the command line is `grade`.
"""

__version__ = "0.1.0"
