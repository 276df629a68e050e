"""What the whole suite shares."""

import pytest

collect_ignore = ["data"]

pytest.register_assert_rewrite("tests.helpers", "tests.strategy_contract")
