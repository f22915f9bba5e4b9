"""Checking suites: faults of files, records and pictures, and leaks of the label."""

from pactwin.suite.checking.check import check_suite
from pactwin.suite.checking.faults import Fault
from pactwin.suite.checking.leaks import Leak, check_leaks

__all__ = ["Fault", "Leak", "check_leaks", "check_suite"]
