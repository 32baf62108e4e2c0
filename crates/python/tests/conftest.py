"""What all tests have."""

import pytest


def pytest_addoption(parser):
    parser.addoption("--exhaustive", action="store_true", help="also what takes minutes")


def pytest_collection_modifyitems(config, items):
    if not config.getoption("--exhaustive"):
        skip = pytest.mark.skip(reason="minutes: with --exhaustive alone")
        for item in items:
            if "exhaustive" in item.keywords:
                item.add_marker(skip)
