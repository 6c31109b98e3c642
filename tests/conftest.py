"""Settings shared by all tests."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))

from proving import (  # noqa: F401
    pytest_runtest_call,
    pytest_terminal_summary,
)

CALM = {
    "deadline": None,
    "suppress_health_check": [HealthCheck.too_slow],
    # One commit, one verdict: new examples are for the desk, where a failure can be looked at.
    "derandomize": "CI" in os.environ,
}
settings.register_profile("default", max_examples=60, **CALM)
settings.register_profile("long", max_examples=2_000, **CALM)  # by hand: --hypothesis-profile=long
settings.load_profile("default")


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--update-golden`` writes expected outputs anew instead of comparing them."""
    parser.addoption("--update-golden", action="store_true", help="write expected outputs anew")


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-golden"))
